import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { initWasm, Resvg } from "@resvg/resvg-wasm";

const HERE = new URL(".", import.meta.url);
const ICONS = { "icon-180.png": ["icon-maskable", 180], "icon-192.png": ["icon", 192], "icon-512.png": ["icon", 512] };
const MASKABLE = { "icon-maskable-512.png": ["icon-maskable", 512] };
const PREVIEW = { name: "preview.png", width: 1200, height: 630 };

const read = (path) => readFile(new URL(path, HERE), "utf-8");
const draw = (svg, width) => new Resvg(svg, { fitTo: { mode: "width", value: width } }).render().asPng();

/** The start page's picture by day, with the name above it, as the preview of a link. */
async function preview() {
  const [hero, wordmark] = await Promise.all([read("src/art/Hero.svelte"), read("src/art/wordmark.ts")]);
  const colours = new Map(Array.from(hero.matchAll(/--([\w-]+): (#\w+);/g), (found) => found.slice(1)).reverse());
  const [, scene] = hero.match(/<svg[^>]*>(.*)<\/svg>/s);
  const day = scene
    .replace(/<g class="(stars|moon)"[^>]*>.*?<\/g>/gs, "")
    .replace(/<path[^>]*class="beam"[^>]*\/>/s, "")
    .replace(/var\(--([\w-]+)\)/g, (_, name) => colours.get(name));
  const name = wordmark
    .slice(wordmark.indexOf("const crown"))
    .match(/"([^;]*)"/s)[1]
    .replace(/" \+\s*"/g, "");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="250 -117 1080 567">
    <rect x="250" y="-117" width="1080" height="118" fill="${colours.get("high")}" />${day}
    <g transform="translate(410 -42) scale(1.12)" fill-rule="evenodd">
      <path d="${name}" transform="translate(0 5)" fill="#5b2412" /><path d="${name}" fill="#fff3d2" />
    </g>
  </svg>`;
}

async function drawAll() {
  const wasm = createRequire(import.meta.url).resolve("@resvg/resvg-wasm/index_bg.wasm");
  await initWasm(await readFile(wasm));
  const drawn = { [PREVIEW.name]: draw(await preview(), PREVIEW.width) };
  for (const [name, [source, width]] of Object.entries({ ...ICONS, ...MASKABLE }))
    drawn[name] = draw(await read(`public/${source}.svg`), width);
  return drawn;
}

/** A plugin for Vite: pictures for those who cannot show our SVG, on home screens and beside links. */
export function pictures() {
  return {
    name: "pictures",
    apply: "build",
    async generateBundle() {
      for (const [fileName, source] of Object.entries(await drawAll()))
        this.emitFile({ type: "asset", fileName, source });
    },
  };
}
