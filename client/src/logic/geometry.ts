// Where everything lies on the board, for any layout, in the board's own units; the rules never ask.

import type { AreaView, Board, BoardView, Geometry, Role, Section } from "../wire";

export const SECTION_WIDTH = 600;
export const SECTION_HEIGHT = 450;
const STAR_DEPTH = 70; // from a card's upper edge to the middle of its roles

export type Point = readonly [number, number];
export type Box = readonly [number, number, number, number];
type Wall = "horizontal" | "vertical";

export interface PlacedSection {
  section: Section;
  left: number;
  top: number;
  turned: boolean;
}

export interface PlacedArea {
  id: string;
  name: string;
  kind: string;
  shots: number;
  extras: readonly Role[];
  outline: readonly Point[];
  label: Box;
  card: Box | null;
  prices: Box | null;
  shotsAt: readonly Point[];
  extrasAt: readonly Point[];
  standing: readonly Point[];
  turned: boolean;
  middle: Point;
}

export interface Doorway {
  between: readonly [string, string] | null; // null: it leads off the board, and is boarded up
  at: Point;
  wall: Wall;
}

export interface Plan {
  width: number;
  height: number;
  sections: readonly PlacedSection[];
  areas: ReadonlyMap<string, PlacedArea>;
  doorways: readonly Doorway[];
  doorWidth: number;
}

/** The sections as a layout spells them (`G'M/CH`), or null if it is not a whole layout. */
export function placeSections(board: Board, layout: string): PlacedSection[] | null {
  const spelled = board.layouts[layout.trim().toLowerCase()] ?? layout;
  const placed: PlacedSection[] = [];
  spelled
    .trim()
    .replace(/[’′]/g, "'")
    .toUpperCase()
    .split("/")
    .forEach((row, down) =>
      [...row.matchAll(/(.)('?)/gu)].forEach(([, sign, mark], across) => {
        const section = board.sections.find((one) => one.initial === sign);
        if (section)
          placed.push({ section, left: across * SECTION_WIDTH, top: down * SECTION_HEIGHT, turned: mark === "'" });
      }),
    );
  const whole = new Set(placed.map((one) => one.section.initial)).size === board.sections.length;
  return whole && placed.length === board.sections.length ? trimmed(placed) : null;
}

function trimmed(placed: PlacedSection[]): PlacedSection[] {
  const left = Math.min(...placed.map((one) => one.left));
  const top = Math.min(...placed.map((one) => one.top));
  return placed.map((one) => ({ ...one, left: one.left - left, top: one.top - top }));
}

/** All of the board for a layout, or null if the layout cannot be laid. */
export function makePlan(view: BoardView, layout: string): Plan | null {
  const sections = placeSections(view.board, layout);
  if (!sections) return null;
  const ids = new Map(view.areas.map((area) => [area.name, area.id]));
  const areas = new Map<string, PlacedArea>();
  for (const placed of sections)
    for (const area of placed.section.areas) {
      const known = view.areas.find((one) => one.name === area.name);
      if (known) areas.set(known.id, placeArea(known, area.geometry, placed));
    }
  return {
    width: Math.max(...sections.map((one) => one.left)) + SECTION_WIDTH,
    height: Math.max(...sections.map((one) => one.top)) + SECTION_HEIGHT,
    sections,
    areas,
    doorways: [...innerDoorways(sections, ids), ...outerDoorways(view.board, sections, ids)],
    doorWidth: view.board.doorways.width,
  };
}

const placePoint = (placed: PlacedSection, [x, y]: Point): Point =>
  placed.turned
    ? [placed.left + SECTION_WIDTH - x, placed.top + SECTION_HEIGHT - y]
    : [placed.left + x, placed.top + y];

function placeBox(placed: PlacedSection, [x, y, width, height]: Box): Box {
  const corner: Point = placed.turned ? [x + width, y + height] : [x, y];
  const [left, top] = placePoint(placed, corner);
  return [left, top, width, height];
}

function placeArea(area: AreaView, geometry: Geometry, placed: PlacedSection): PlacedArea {
  const point = (one: Point) => placePoint(placed, one);
  const outline = geometry.outline.map(point);
  return {
    id: area.id,
    name: area.name,
    kind: area.kind,
    shots: area.shots,
    extras: area.extras,
    outline,
    label: placeBox(placed, geometry.label),
    card: geometry.card && placeBox(placed, geometry.card),
    prices: geometry.prices && placeBox(placed, geometry.prices),
    shotsAt: geometry.shots.map(point),
    extrasAt: geometry.extras.map(point),
    standing: geometry.standing.map(point),
    turned: placed.turned,
    middle: middleOf(outline),
  };
}

function middleOf(outline: readonly Point[]): Point {
  const xs = outline.map(([x]) => x);
  const ys = outline.map(([, y]) => y);
  return [(Math.min(...xs) + Math.max(...xs)) / 2, (Math.min(...ys) + Math.max(...ys)) / 2];
}

function innerDoorways(sections: readonly PlacedSection[], ids: ReadonlyMap<string, string>): Doorway[] {
  return sections.flatMap((placed) =>
    placed.section.doorways.map((door) => ({
      between: [ids.get(door.between[0]) ?? "", ids.get(door.between[1]) ?? ""] as const,
      at: placePoint(placed, door.at),
      wall: door.wall,
    })),
  );
}

/** Every side has two doorways; where two sections meet they are one, elsewhere they are boarded up. */
function outerDoorways(board: Board, sections: readonly PlacedSection[], ids: ReadonlyMap<string, string>): Doorway[] {
  const found = new Map<string, { at: Point; wall: Wall; areas: string[] }>();
  for (const placed of sections)
    for (const [at, wall, name] of sidesOf(board, placed)) {
      const key = at.join();
      const door = found.get(key) ?? { at, wall, areas: [] };
      door.areas.push(ids.get(name) ?? "");
      found.set(key, door);
    }
  return [...found.values()].map(({ at, wall, areas: [one, other] }) => ({
    at,
    wall,
    between: one !== undefined && other !== undefined ? ([one, other] as const) : null,
  }));
}

function sidesOf(board: Board, placed: PlacedSection): [Point, Wall, string][] {
  const { corners } = placed.section;
  const [near, far] = board.doorways.horizontal;
  const [high, low] = board.doorways.vertical;
  const unturned: [Point, Wall, string][] = [
    [[near, 0], "horizontal", corners.top_left],
    [[far, 0], "horizontal", corners.top_right],
    [[near, SECTION_HEIGHT], "horizontal", corners.bottom_left],
    [[far, SECTION_HEIGHT], "horizontal", corners.bottom_right],
    [[0, high], "vertical", corners.top_left],
    [[0, low], "vertical", corners.bottom_left],
    [[SECTION_WIDTH, high], "vertical", corners.top_right],
    [[SECTION_WIDTH, low], "vertical", corners.bottom_right],
  ];
  return unturned.map(([at, wall, name]) => [placePoint(placed, at), wall, name]);
}

/** Where the role with this number lies: stars on the card, counted from 0; extras on the set, counted from 3. */
export function rolePlace(area: PlacedArea, role: number, stars: number): Point {
  if (role >= FIRST_EXTRA || !area.card) return area.extrasAt[role - FIRST_EXTRA] ?? area.middle;
  const [left, top, width] = area.card;
  return [left + width / 2 + starOffset(role, stars), top + STAR_DEPTH];
}

export const FIRST_EXTRA = 3; // the number of a set's first extra role in a state
/** How wide each role of a card may be: fewer have more room for their names. */
export const starWidth = (stars: number): number => 174 / Math.max(2, stars);
export const starOffset = (role: number, stars: number): number => (role - (stars - 1) / 2) * starWidth(stars);

/** The way of a piece: straight inside an area, through the doorway into another. */
export function walk(plan: Plan, from: Point, origin: string, to: Point, target: string): Point[] {
  const doors = plan.doorways.filter(({ between }) => between?.includes(origin) && between.includes(target));
  const far = (door: Doorway) => distance(from, door.at) + distance(door.at, to);
  const best = doors.sort((one, other) => far(one) - far(other))[0];
  return origin === target || !best ? [from, to] : [from, best.at, to];
}

const distance = ([x, y]: Point, [u, v]: Point) => Math.hypot(u - x, v - y);

export type Direction = "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown";

/** The place that lies next in a direction: near, and not too far off the line. */
export function placeTowards(plan: Plan, from: string, direction: Direction): string | null {
  const start = plan.areas.get(from)?.middle;
  if (!start) return null;
  const along = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[direction] as [
    number,
    number,
  ];
  let best: string | null = null;
  let least = Infinity;
  for (const area of plan.areas.values()) {
    const [dx, dy] = [area.middle[0] - start[0], area.middle[1] - start[1]];
    const ahead = dx * along[0] + dy * along[1];
    const aside = Math.abs(dx * along[1]) + Math.abs(dy * along[0]);
    if (area.id !== from && ahead > 30 && ahead + 2 * aside < least) {
      least = ahead + 2 * aside;
      best = area.id;
    }
  }
  return best;
}

export const polygon = (points: readonly Point[]): string => points.map((point) => point.join()).join(" ");
