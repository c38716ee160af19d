import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { licences } from "./licences.js";
import { pictures } from "./pictures.js";
import { precompress } from "./precompress.js";

// What several pages need comes in a few files and not in twenty: browsers fetch few at a time from a small server. What the
// start page needs does not wait for the board.
const EVERYWHERE = [
  /node_modules\/(svelte|esm-env|clsx)\//,
  /src\/(art\/([Ww]ordmark|portraits)|lessons\/(Director|progress))/,
  /src\/logic\/(bots|catalogue|connection|dice|dropped|files|http|latest|memory|my_games|options)\./,
  /src\/logic\/(piecemeal|route|settings|tables|text|tips|turns)\./,
  /src\/parts\/(BotPicker|Dialog|Die|Icon|MyGames|OptionField|OptionsFold|Portrait)\./,
];
const GROUPS = [
  { name: "core", test: (id: string) => EVERYWHERE.some((part) => part.test(id)) },
  {
    name: "board",
    test: /src\/(board|art\/(?!Hero)|logic\/(?!seat_text)|parts\/(?!QrCode|AbsenceLink))/,
    minShareCount: 3,
  },
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
    cssCodeSplit: false, // all styles together are smaller than one picture
    rolldownOptions: { output: { codeSplitting: { includeDependenciesRecursively: false, groups: GROUPS } } },
  },
  // a limit for what hangs, not for a busy machine
  test: { include: ["tests/**/*.test.ts"], setupFiles: ["tests/setup.ts"], testTimeout: 60_000 },
});
