// Every text of the client is shown somewhere.

import { expect, it } from "vitest";
import { en } from "../src/text/en";
import { lessonTexts } from "../src/text/lessons";
import { notices } from "../src/text/notices";
import { seatTexts } from "../src/text/seats";

const sources = import.meta.glob<string>(["../src/**/*.{ts,svelte}", "!../src/text/**"], {
  query: "?raw",
  import: "default",
  eager: true,
});
const source = Object.values(sources).join("\n");

const literals = new Set([...source.matchAll(/"([^"\n]*)"/g)].map(([, text]) => text));
/** Keys that are put together, as in t(`award ${key}, citation`) and term("colour", colour). */
const composed = [
  ...[...source.matchAll(/\b(?:t|say)\(`([^`]+)`/g)].map(([, text = ""]) => text.split(/\$\{[^}]*\}/)),
  ...[...source.matchAll(/\bterm\("([^"]+)"/g)].map(([, kind]) => [`${kind} `, ""]),
].map((parts) => new RegExp(`^${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join(".+")}$`));

it.each([
  ["pages", en],
  ["lessons", lessonTexts.en],
  ["seats", seatTexts.en],
  ["notices", notices.en],
])("uses every text for %s", (_, texts) => {
  const unused = Object.keys(texts).filter((key) => !literals.has(key) && !composed.some((one) => one.test(key)));
  expect(unused).toEqual([]);
});
