// Drawing geometry, in the board's own units. Where areas and doorways lie comes from the server's floor plan.

import type { AreaView, BoardView, Doorway, FloorPlan, Geometry, PlacedSection } from "../wire";

// every section's picture is drawn in a frame of this size; a test compares it with the floor plans
export const SECTION_WIDTH = 600;
export const SECTION_HEIGHT = 450;
const STAR_DEPTH = 70; // from a card's upper edge to the middle of its roles

export type Point = readonly [number, number];
export type Box = readonly [number, number, number, number];

/** An area of the board with its place; `section` is the one it belongs to. */
export interface PlacedArea extends AreaView {
  geometry: Geometry;
  section: PlacedSection | undefined;
  middle: Point;
}

/** The board as it is drawn. */
export interface BoardPlan extends Omit<FloorPlan, "areas"> {
  areas: ReadonlyMap<string, PlacedArea>;
}

export function planBoard(board: BoardView, plan: FloorPlan): BoardPlan {
  const areas = board.areas.flatMap((area): [string, PlacedArea][] => {
    const geometry = plan.areas[area.id];
    return geometry ? [[area.id, placeArea(area, geometry, plan)]] : [];
  });
  return { ...plan, areas: new Map(areas) };
}

function placeArea(area: AreaView, geometry: Geometry, plan: FloorPlan): PlacedArea {
  const section = plan.sections.find(({ areas }) => areas.includes(area.id));
  return { ...area, geometry, section, middle: middleOf(geometry.outline) };
}

/** Whether a part of an outline may lie in a box: whether its bounding box does. */
export function reaches(outline: readonly Point[], [left, top, width, height]: Box): boolean {
  const [across, down] = [outline.map(([x]) => x), outline.map(([, y]) => y)];
  return (
    Math.max(...across) > left &&
    Math.min(...across) < left + width &&
    Math.max(...down) > top &&
    Math.min(...down) < top + height
  );
}

function middleOf(outline: readonly Point[]): Point {
  const xs = outline.map(([x]) => x);
  const ys = outline.map(([, y]) => y);
  return [(Math.min(...xs) + Math.max(...xs)) / 2, (Math.min(...ys) + Math.max(...ys)) / 2];
}

/** The transformation from a section's frame to the board. */
export function transformOf({ left, top, turned }: PlacedSection): string {
  return turned
    ? `translate(${left + SECTION_WIDTH} ${top + SECTION_HEIGHT}) rotate(180)`
    : `translate(${left} ${top})`;
}

/** Where the role with this number lies. */
export function rolePlace(area: PlacedArea, role: number, stars: number): Point {
  const { card, extras } = area.geometry;
  if (role >= area.first_extra || !card) return extras[role - area.first_extra] ?? area.middle;
  const [left, top, width] = card;
  return [left + width / 2 + starOffset(role, stars), top + STAR_DEPTH];
}

/** The width of each role of a card: fewer roles have more space for their names. */
export const starWidth = (stars: number): number => 174 / Math.max(2, stars);
export const starOffset = (role: number, stars: number): number => (role - (stars - 1) / 2) * starWidth(stars);

/** The path of a piece: straight within an area, through the doorway into another. */
export function walk(plan: BoardPlan, from: Point, origin: string, to: Point, target: string): Point[] {
  const doors = plan.doorways.filter(({ between }) => between.includes(origin) && between.includes(target));
  const detour = (door: Doorway) => distance(from, door.at) + distance(door.at, to);
  const best = doors.sort((one, other) => detour(one) - detour(other))[0];
  return origin === target || !best ? [from, to] : [from, best.at, to];
}

const distance = ([x, y]: Point, [u, v]: Point) => Math.hypot(u - x, v - y);

export type Direction = "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown";

/** The next area in a direction: near, and not too far off the line. */
export function areaTowards(plan: BoardPlan, from: string, direction: Direction): string | null {
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
