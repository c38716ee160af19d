import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const TYPEFACES = ["@fontsource/rokkitt", "@fontsource-variable/bitter"];

/** A plugin for Vite: the typefaces travel with their licences. */
export function licences() {
  const { resolve } = createRequire(import.meta.url);
  return {
    name: "licences",
    apply: "build",
    async generateBundle() {
      const texts = await Promise.all(TYPEFACES.map((name) => readFile(resolve(`${name}/LICENSE`), "utf-8")));
      this.emitFile({ type: "asset", fileName: "typefaces-licences.txt", source: texts.join("\n\n") });
    },
  };
}
