// A small board for tests: four sections, each with a wide place above two narrow ones.

import type { Area, BoardView, Section } from "../src/wire";

const area = (name: string, left: number, top: number, width: number, height: number, first: boolean): Area => ({
  name,
  kind: "set",
  shots: 1,
  extras: [{ rank: 1, name: `${name} extra`, line: "Hm." }],
  geometry: {
    outline: [
      [left, top],
      [left + width, top],
      [left + width, top + height],
      [left, top + height],
    ],
    label: [left + 20, top + 10, 100, 26],
    standing: Array.from({ length: 8 }, (_, k) => [left + 10 + k * 20, top + 20] as const),
    card: [left + 20, top + 100, 180, 120],
    shots: [[left + 20, top + 60]],
    extras: [[left + 30, top + 90]],
    prices: first ? [left, top, 10, 10] : null,
  },
});

const section = (initial: string): Section => {
  const [one, two, three] = [1, 2, 3].map((n) => `${initial}${n}`) as [string, string, string];
  return {
    name: initial,
    initial,
    corners: { top_left: one, top_right: two, bottom_left: three, bottom_right: two },
    areas: [area(one, 0, 0, 300, 225, true), area(two, 300, 0, 300, 450, false), area(three, 0, 225, 300, 225, false)],
    doorways: [
      { between: [one, two], at: [300, 100], wall: "vertical" },
      { between: [two, three], at: [300, 300], wall: "vertical" },
      { between: [one, three], at: [150, 225], wall: "horizontal" },
    ],
  };
};

const sections = ["A", "B", "C", "D"].map(section) as unknown as BoardView["board"]["sections"];

export const view: BoardView = {
  areas: sections.flatMap((one) =>
    one.areas.map(({ name, kind, shots, extras }) => ({ id: name.toLowerCase(), name, kind, shots, extras })),
  ),
  board: {
    name: "test",
    prices: { dollars: [1, 2, 3, 4, 5], credits: [1, 2, 3, 4, 5] },
    doorways: { horizontal: [100, 500], vertical: [90, 360], width: 56 },
    layouts: { standard: "AB/CD" },
    sections,
  },
};
