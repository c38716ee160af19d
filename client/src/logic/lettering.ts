// Our wood type: capitals and digits as strokes on a grid ten units high; the slabs are separate strokes.

interface Glyph {
  width: number;
  stems: string;
  slabs: string;
}

const glyph = (width: number, stems: string, slabs = ""): Glyph => ({ width, stems, slabs });

const GLYPHS: Record<string, Glyph> = {
  A: glyph(9.4, "M1.9 10L4.7.6L7.5 10M3 6.9H6.4", "M0 9.4H3.8M5.6 9.4H9.4M2.9 .6H5.4"),
  B: glyph(8, "M2 0V10M2 1H4.5A1.95 1.95 0 0 1 4.5 4.9H2M4.5 4.9H4.8A2.05 2.05 0 0 1 4.8 9H2", "M0 .6H2M0 9.4H2"),
  C: glyph(8, "M7 3A3 2 0 0 0 1 3V7A3 2 0 0 0 7 7", "M7.2 .4V3.4M7.2 6.6V8"),
  D: glyph(8.2, "M2 0V10M2 1H4.2A3 3 0 0 1 7.2 4V6A3 3 0 0 1 4.2 9H2", "M0 .6H2M0 9.4H2"),
  E: glyph(7.6, "M2 0V10M2 1H6.8M2 5H5M2 9H6.8", "M0 .6H2M0 9.4H2M6.9 0V3M6.9 7V10M5 3.6V6.4"),
  F: glyph(7.6, "M2 0V10M2 1H6.8M2 5H5", "M0 .6H2M0 9.4H4.2M6.9 0V3M5 3.6V6.4"),
  G: glyph(8.6, "M7 3A3 2 0 0 0 1 3V7A3 2 0 0 0 7 7V5.4", "M7.2 .4V3.4M4.6 5.4H8.6"),
  H: glyph(9.4, "M2 0V10M7.4 0V10M2 5H7.4", "M0 .6H4M0 9.4H4M5.4 .6H9.4M5.4 9.4H9.4"),
  I: glyph(4, "M2 0V10", "M0 .6H4M0 9.4H4"),
  J: glyph(6.8, "M4.8 0V7A1.9 2 0 0 1 1 7V6.4", "M2.8 .6H6.8"),
  K: glyph(9.2, "M2 0V10M2.4 6.2L7 .4M3.7 4.7L7.4 10", "M0 .6H4M0 9.4H4M5.2 .6H8.8M5.4 9.4H9.2"),
  L: glyph(7.6, "M2 0V10M2 9H6.8", "M0 .6H4M0 9.4H2M6.9 6.4V10"),
  M: glyph(11.4, "M2 10V.6L5.7 7.6L9.4.6V10", "M0 .6H2.4M9 .6H11.4M0 9.4H4M7.4 9.4H11.4"),
  N: glyph(9.8, "M2 10V.6L7.8 9.4V0", "M0 .6H2.4M0 9.4H4M5.8 .6H9.8"),
  O: glyph(8.2, "M1 3A3.1 2 0 0 1 7.2 3V7A3.1 2 0 0 1 1 7Z"),
  P: glyph(8, "M2 0V10M2 1H4.5A2.3 2.3 0 0 1 4.5 5.6H2", "M0 .6H2M0 9.4H4.2"),
  Q: glyph(8.4, "M1 3A3.1 2 0 0 1 7.2 3V7A3.1 2 0 0 1 1 7ZM4.4 6.8L7.8 10.6"),
  R: glyph(8.8, "M2 0V10M2 1H4.5A2.2 2.2 0 0 1 4.5 5.4H2M4.5 5.4L6.9 10", "M0 .6H2M0 9.4H4M5.7 9.4H8.8"),
  S: glyph(7.8, "M6.8 3A2.9 2 0 0 0 1 3C1 5.4 6.8 4.6 6.8 7A2.9 2 0 0 1 1 7", "M7 .4V3.2M.8 6.8V9.6"),
  T: glyph(8.4, "M4.2 0V10M.8 1H7.6", "M2.2 9.4H6.2M.7 0V3.2M7.7 0V3.2"),
  U: glyph(9, "M2 0V7A2.5 2 0 0 0 7 7V0", "M0 .6H4M5 .6H9"),
  V: glyph(9.4, "M1.9 0L4.7 9.6L7.5 0", "M0 .6H3.8M5.6 .6H9.4"),
  W: glyph(12.6, "M1.9 0L4 9.4L6.3 2L8.6 9.4L10.7 0", "M0 .6H3.8M8.8 .6H12.6"),
  X: glyph(9.2, "M1.7 0L7.5 10M7.5 0L1.7 10", "M0 .6H3.6M5.6 .6H9.2M0 9.4H3.6M5.6 9.4H9.2"),
  Y: glyph(9.4, "M1.9 0L4.7 5.4L7.5 0M4.7 5V10", "M0 .6H3.8M5.6 .6H9.4M2.7 9.4H6.7"),
  Z: glyph(7.8, "M1 1H6.4L1.3 9H6.8", "M.8 0V3M6.9 7V10"),
  Ä: glyph(9.4, "M1.9 10L4.7.6L7.5 10M3 6.9H6.4M2.4 -2.6V-1M7 -2.6V-1", "M0 9.4H3.8M5.6 9.4H9.4M2.9 .6H5.4"),
  Ö: glyph(8.2, "M1 3A3.1 2 0 0 1 7.2 3V7A3.1 2 0 0 1 1 7ZM2 -2.6V-1M6.2 -2.6V-1"),
  Ü: glyph(9, "M2 0V7A2.5 2 0 0 0 7 7V0M2.4 -2.6V-1M6.6 -2.6V-1", "M0 .6H4M5 .6H9"),
  0: glyph(7.8, "M1 3A2.9 2 0 0 1 6.8 3V7A2.9 2 0 0 1 1 7Z"),
  1: glyph(5.8, "M3.2 10V.6L.8 2.6", "M.6 9.4H5.8"),
  2: glyph(7.8, "M1 3.2A2.9 2.2 0 0 1 6.8 3.2C6.8 5.6 1.6 6.2 1.2 9H6.8", "M6.9 7V10"),
  3: glyph(7.6, "M1 2.8A2.7 1.9 0 0 1 6.4 2.9A2 2 0 0 1 4.4 4.9H3.2M4.4 4.9A2.2 2.1 0 0 1 6.6 7A2.8 2 0 0 1 1 7.2"),
  4: glyph(8.6, "M5.8 10V.8L1.2 6.8H8.4", "M3.8 9.4H7.8"),
  5: glyph(7.8, "M6.6 1H2V4.7H3.8A2.9 2.1 0 0 1 3.8 9A2.8 2 0 0 1 1 7.4", "M6.7 0V2.8"),
  6: glyph(7.8, "M6.6 2.8A2.8 1.9 0 0 0 1 3V7A2.9 2 0 0 0 6.8 7A2.9 2 0 0 0 1 6.6"),
  7: glyph(7.4, "M1 1H6.4L3 10", "M.8 0V3.2"),
  8: glyph(7.8, "M3.9 4.9A2.3 1.95 0 0 1 3.9 1A2.3 1.95 0 0 1 3.9 4.9A2.8 2.05 0 0 1 3.9 9A2.8 2.05 0 0 1 3.9 4.9Z"),
  9: glyph(7.8, "M1.2 7.2A2.8 1.9 0 0 0 6.8 7V3A2.9 2 0 0 0 1 3A2.9 2 0 0 0 6.8 3.4"),
  "'": glyph(2, "M1 0V3"),
  "!": glyph(2.6, "M1.3 0V6.4M1.3 8.2V10"),
  ".": glyph(2.2, "M1.1 8.2V10"),
  ",": glyph(2.2, "M1.1 8.2V10.4"),
  "-": glyph(4.4, "M.6 5.2H3.8"),
  " ": glyph(4, ""),
};

const GAP = 1.5;

export interface Written {
  width: number;
  letters: { left: number; stems: string; slabs: string }[];
}

/** A text in wood type, ten units high, or null if it has characters that we have not drawn. */
export function write(text: string): Written | null {
  const letters: Written["letters"] = [];
  let left = 0;
  for (const char of text.toUpperCase()) {
    const cut = GLYPHS[char];
    if (!cut) return null;
    letters.push({ left, stems: cut.stems, slabs: cut.slabs });
    left += cut.width + GAP;
  }
  return { width: Math.max(0, left - GAP), letters };
}
