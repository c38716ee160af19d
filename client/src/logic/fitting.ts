// Text that fits: the largest size at which a text fits into its space.

import { arrived } from "./typefaces.svelte";

export type Measure = (text: string) => number; // the width of a text in a font of one pixel

export interface Room {
  width: number;
  height: number;
  largest: number;
  smallest: number;
}

export const LINE_HEIGHT = 1.06;
const STEP = 0.25;

/** The font size for a text; the smallest one if none fits. */
export function fittedSize(text: string, { width, height, largest, smallest }: Room, measure: Measure): number {
  const words = text.split(/\s+|(?<=-)/);
  for (let size = largest; size > smallest; size -= STEP) {
    const most = Math.floor(height / (size * LINE_HEIGHT));
    if (linesNeeded(words, width / size, measure) <= most) return size;
  }
  return smallest;
}

/** How many lines the words take, as browsers break them; infinitely many if a word is too wide. */
function linesNeeded(words: readonly string[], width: number, measure: Measure): number {
  let lines = 1;
  let line = "";
  for (const word of words) {
    const longer = line ? `${line}${line.endsWith("-") ? "" : " "}${word}` : word;
    if (measure(longer) <= width) {
      line = longer;
      continue;
    }
    if (measure(word) > width) return Infinity;
    lines += 1;
    line = word;
  }
  return lines;
}

const SAMPLE = 100; // pixels: text is measured large, so that rounding does not matter
const MOST_KNOWN = 4000; // texts a font remembers; the same names are measured again and again
const measures = new Map<string, Measure>();

/** Measures texts in one of the page's fonts, as in `600 var(--face)`. It changes once typefaces have arrived. */
export function measureIn(weight: number, family: "--face" | "--display"): Measure {
  const key = `${weight} ${family} ${arrived()}`;
  const known = measures.get(key);
  if (known) return known;
  const context = document.createElement("canvas").getContext("2d");
  const face = getComputedStyle(document.documentElement).getPropertyValue(family);
  if (context) context.font = `${weight} ${SAMPLE}px ${face}`;
  const measure = remembered((text) => (context?.measureText(text).width ?? 0) / SAMPLE);
  measures.set(key, measure);
  return measure;
}

function remembered(measure: Measure): Measure {
  const known = new Map<string, number>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    if (known.size >= MOST_KNOWN) known.clear();
    const width = measure(text);
    known.set(text, width);
    return width;
  };
}
