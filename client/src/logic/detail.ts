// How much of the board is written out: names when it is near, numbers when it is far. No text is ever tiny.

export const LEAST = 10; // pixels of the smallest type on the screen
const NAMES = 8.5; // units of the board, the smallest type in which names are set
const TITLES = 13.9; // and titles, where names leave them more room

export type Detail = "near" | "middle" | "far";

/** What can be read at this scale: everything, titles and numbers, or numbers alone. */
export function detailAt(scale: number): Detail {
  if (scale * NAMES >= LEAST) return "near";
  return scale * TITLES >= LEAST ? "middle" : "far";
}
