import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { licences } from "./licences.js";
import { pictures } from "./pictures.js";
import { precompress } from "./precompress.js";

// What several pages need comes in three files and not in twenty: browsers fetch few at a time from a small server.
const GROUPS = [
  {
    name: "board",
    test: /src\/(board|print\/CardBack|art\/(?!Hero|[Ww]ordmark)|parts\/(Stage|Players|Ranking|Lettering))/,
  },
  { name: "requests", test: /src\/logic\/(http|files|latest|dropped|tables)/ },
  { name: "common", test: /src\/(logic\/(?!seat_text)|parts\/(?!QrCode|AbsenceLink))/, minShareCount: 3 },
];

export default defineConfig({
  plugins: [svelte(), pictures(), licences(), precompress()],
  build: {
    outDir: "../src/deadwood/server/client",
    emptyOutDir: true,
    manifest: "chunks.json", // the server names the chunks of a page in its document
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: { output: { codeSplitting: { includeDependenciesRecursively: false, groups: GROUPS } } },
  },
  // a limit for what hangs, not for a busy machine
  test: { include: ["tests/**/*.test.ts"], setupFiles: ["tests/setup.ts"], testTimeout: 60_000 },
});
