import jsQR from "jsqr";
import { render } from "svelte/server";
import { expect, it } from "vitest";
import QrCode from "../src/parts/QrCode.svelte";

const PIXELS = 4; // a cell

/** The picture as a camera sees it: RGBA, dark where the path is. */
function photograph(svg: string): [Uint8ClampedArray, number] {
  const cells = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1]);
  const size = cells * PIXELS;
  const picture = new Uint8ClampedArray(size * size * 4).fill(255);
  for (const [, x, y] of svg.matchAll(/M(\d+) (\d+)h1v1h-1z/g))
    for (let row = 0; row < PIXELS; row++)
      for (let column = 0; column < PIXELS; column++) {
        const at = ((Number(y) * PIXELS + row) * size + Number(x) * PIXELS + column) * 4;
        picture.fill(0, at, at + 3);
      }
  return [picture, size];
}

it.each(["http://192.168.1.20:8000/t/K7RM4TXC", `https://play.example.org/${"deadwood/".repeat(12)}t/K7RM4TXC`])(
  "the drawn code leads to %s",
  (link) => {
    const [picture, size] = photograph(render(QrCode, { props: { text: link, label: "" } }).body);
    expect(jsQR(picture, size, size)?.data).toBe(link);
  },
);
