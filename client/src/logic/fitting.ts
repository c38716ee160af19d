// Text that fits: the largest size at which a text fits into its space.

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
const measures = new Map<string, Measure>();

/** Measures texts in one of the page's fonts, as in `600 var(--face)`; each font is looked up once. */
export function measureIn(weight: number, family: "--face" | "--display"): Measure {
  const key = `${weight} ${family}`;
  const known = measures.get(key);
  if (known) return known;
  const context = document.createElement("canvas").getContext("2d");
  const face = getComputedStyle(document.documentElement).getPropertyValue(family);
  if (context) context.font = `${weight} ${SAMPLE}px ${face}`;
  const measure: Measure = (text) => (context?.measureText(text).width ?? 0) / SAMPLE;
  measures.set(key, measure);
  return measure;
}
