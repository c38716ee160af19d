import { expect, it } from "vitest";
import { readText } from "../src/logic/files";

const LATIN_1 = new Uint8Array([0x43, 0x61, 0x66, 0xe9]);
const MARKED = new Uint8Array([0xef, 0xbb, 0xbf, 0x43, 0x61, 0x66, 0xc3, 0xa9]);

it("reads UTF-8, with or without a mark at its beginning", async () => {
  expect(await readText(new File([MARKED], "marked.toml"))).toBe("Café");
  expect(await readText(new File([MARKED.slice(3)], "plain.toml"))).toBe("Café");
});

it("refuses any other encoding instead of replacing its letters", async () => {
  await expect(readText(new File([LATIN_1], "latin.toml"))).rejects.toThrow("not UTF-8 text");
});
