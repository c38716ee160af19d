// Arranging the printed kit: paper, what goes on which sheet, where cuts and joins are. All lengths are in millimetres.

import { SECTION_WIDTH, type PlacedArea } from "./geometry";
import type { Block } from "./markdown";

export const PAPERS = {
  a4: { width: 210, height: 297 },
  letter: { width: 215.9, height: 279.4 },
} as const;
export const INKS = ["full", "saving"] as const;
export const SIDES = ["two", "one"] as const;
export const PARTS = ["measure", "board", "cards", "pieces", "money", "aids", "rules", "host"] as const;

export type Paper = keyof typeof PAPERS;
export type Ink = (typeof INKS)[number];
export type Sides = (typeof SIDES)[number];
export type Part = (typeof PARTS)[number];

export interface Wanted {
  paper: Paper;
  ink: Ink;
  sides: Sides;
  deck: string; // "" means the deck that the server prints
  own: string; // the id of a deck that this browser keeps, or ""
  players: number; // 0 means the most that can play
  parts: Part[];
}

const choice = <T extends string>(text: string | null, all: readonly T[], usual: T): T =>
  all.find((one) => one === text) ?? usual;

/** What an address asks for; anything missing or invalid has its default. */
export function readWanted(query: string, locale: string): Wanted {
  const given = new URLSearchParams(query);
  const named = given.get("parts")?.split(",");
  const parts = PARTS.filter((part) => named?.includes(part));
  return {
    paper: choice(given.get("paper"), Object.keys(PAPERS) as Paper[], usualPaper(locale)),
    ink: choice(given.get("ink"), INKS, "full"),
    sides: choice(given.get("sides"), SIDES, "two"),
    deck: given.get("deck") ?? "",
    own: given.get("own") ?? "",
    players: Number(given.get("players")) || 0,
    parts: parts.length ? parts : [...PARTS],
  };
}

/** The query of an address that asks for the same. */
export function queryOf({ paper, ink, sides, deck, own, players, parts }: Wanted, language: string): string {
  const query = new URLSearchParams({ paper, ink, sides, language });
  if (deck) query.set("deck", deck);
  if (own) query.set("own", own);
  if (players) query.set("players", String(players));
  if (parts.length < PARTS.length) query.set("parts", parts.join(","));
  return `?${query.toString().replaceAll("%2C", ",")}`;
}

const LETTER_COUNTRIES = /-(US|CA|MX|PH|CL|CO|VE)$/i;
const usualPaper = (locale: string): Paper => (LETTER_COUNTRIES.test(locale) ? "letter" : "a4");

export const PIXELS = 96 / 25.4; // CSS pixels in a millimetre

// A card of the usual size. On its set it lies on its side, as wide as the place for it.
export const CARD = { width: 63, height: 88 };
export const CARD_GRID = { columns: 3, rows: 3, ...CARD };
export const TOKEN_GRID = { columns: 10, rows: 14, width: 18, height: 18 };
export const BILL_GRID = { columns: 4, rows: 11, width: 47, height: 23.5 };
export const AID_GRID = { columns: 2, rows: 2, width: 94, height: 129 };

export interface Grid {
  columns: number;
  rows: number;
  width: number;
  height: number;
}

/** Where a grid begins in the middle of a sheet. */
export const originOf = (grid: Grid, paper: Paper): [number, number] => [
  (PAPERS[paper].width - grid.columns * grid.width) / 2,
  (PAPERS[paper].height - grid.rows * grid.height) / 2,
];

/** The place of a cell; on the back of a sheet that is flipped on its long edge, columns run the other way. */
export function cellOf(index: number, grid: Grid, paper: Paper, back = false): { left: number; top: number } {
  const [left, top] = originOf(grid, paper);
  const column = index % grid.columns;
  const mirrored = back ? grid.columns - 1 - column : column;
  return {
    left: left + mirrored * grid.width,
    top: top + Math.floor(index / grid.columns) * grid.height,
  };
}

/** The lines along which a grid is cut: their distances from the left and from the top of the sheet. */
export function cutsOf(grid: Grid, paper: Paper): { xs: number[]; ys: number[] } {
  const [left, top] = originOf(grid, paper);
  return {
    xs: Array.from({ length: grid.columns + 1 }, (_, k) => left + k * grid.width),
    ys: Array.from({ length: grid.rows + 1 }, (_, k) => top + k * grid.height),
  };
}

export const perSheet = ({ columns, rows }: Grid): number => columns * rows;

export function sheetsOf<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, k) => all.slice(k * size, (k + 1) * size));
}

export const repeated = <T>(one: T, count: number): T[] => Array.from({ length: count }, () => one);

// --- the board

// Millimetres of a unit of the board. A card fits on the place of every set, a die of 16 mm on every role, on every
// shot, and on every place to stand; and half a section fits on either paper.
export const UNIT = 0.575;
const MARGIN = 9.5;
const WIDEST = Math.floor((PAPERS.a4.width - 2 * MARGIN) / UNIT);
const DIE = 14; // half the width of a die, in units
const NAME = 41; // half the width of a role's name

interface Obstacle {
  from: number;
  to: number;
  cost: number;
}

const around = (x: number, half: number, cost: number): Obstacle => ({ from: x - half, to: x + half, cost });

function obstacles({ geometry }: PlacedArea): Obstacle[] {
  const boxes = [
    { box: geometry.card, cost: 1 },
    { box: geometry.label, cost: 2 },
    { box: geometry.prices ?? null, cost: 8 },
  ];
  return [
    ...boxes.flatMap(({ box, cost }) => (box ? [{ from: box[0], to: box[0] + box[2], cost }] : [])),
    ...geometry.extras.flatMap(([x]) => [around(x, DIE + 4, 8), around(x, NAME, 4)]),
    ...geometry.shots.map(([x]) => around(x, DIE, 2)),
    ...geometry.standing.map(([x]) => around(x, DIE, 0.5)),
  ];
}

/** Where the two halves of a section meet: where the cut does the least harm, the same on either paper. */
export function joinOf(areas: readonly PlacedArea[]): number {
  const all = areas.flatMap(obstacles);
  const cost = (x: number) => all.reduce((sum, { from, to, cost }) => sum + (x > from && x < to ? cost : 0), 0);
  const apart = (x: number) => Math.abs(x - SECTION_WIDTH / 2);
  const places = Array.from({ length: 2 * WIDEST - SECTION_WIDTH + 1 }, (_, k) => SECTION_WIDTH - WIDEST + k);
  return places.reduce((best, x) => {
    const [one, other] = [cost(x), cost(best)];
    return one < other || (one === other && apart(x) < apart(best)) ? x : best;
  });
}

// --- texts

/** Blocks small enough to be set in columns: a list is one block for each of its items. */
export function pieces(blocks: readonly Block[]): Block[] {
  return blocks.flatMap((block) =>
    block.kind === "list" ? block.items.map((item, k): Block => ({ ...block, items: [item], start: k + 1 })) : [block],
  );
}

/** Numbers of blocks by column; one that announces the next, such as a heading, is never the last of its column. */
export function columnsOf(
  heights: readonly number[],
  announces: (index: number) => boolean,
  space: number,
): number[][] {
  const columns: number[][] = [[]];
  let filled = 0;
  for (let first = 0; first < heights.length;) {
    let next = first + 1;
    while (next < heights.length && announces(next - 1)) next += 1;
    const group = Array.from({ length: next - first }, (_, k) => first + k);
    const height = group.reduce((sum, index) => sum + (heights[index] ?? 0), 0);
    if (filled > 0 && filled + height > space) {
      columns.push([]);
      filled = 0;
    }
    columns[columns.length - 1]?.push(...group);
    filled += height;
    first = next;
  }
  return columns;
}

/** Which pages stand at the top and at the bottom of each side of a booklet's sheets; they are folded in the middle. */
export function imposed(count: number): [number, number][] {
  const pages = Math.ceil(count / 4) * 4;
  return Array.from({ length: pages / 2 }, (_, side) => {
    const outer = pages - 1 - side;
    return [outer, side];
  });
}
