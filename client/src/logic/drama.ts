// When and where things happen during a step: rolls and wraps as shares of their time, in the board's own units.

import type { Acted, SceneWrapped } from "../wire";
import type { Box, PlacedArea, Point } from "./geometry";

/** A roll: the die lies still, the verdict is read, the clapper snaps. */
export const ROLL = { landed: 0.42, verdict: 0.46 } as const;

/** A wrap: the clapper snaps, the stamp comes down, the bonus dice roll, they are dealt, the sums are read. */
export const WRAP = { stamp: 0.1, roll: 0.22, deal: 0.36, paid: 0.8 } as const;

export interface Dealt {
  die: number;
  role: number; // as a state numbers the roles
  place: number; // among the dice of that role
  at: number; // share of the time
}

/** The bonus dice in the order they are dealt, which the server says. */
export function dealing({ shares }: SceneWrapped): Dealt[] {
  const dealt = shares.flatMap(({ dice, role_number: role, order }) =>
    dice.map((die, place) => ({ die, role, place, turn: order[place] ?? 0 })),
  );
  dealt.sort((one, other) => one.turn - other.turn);
  const each = (WRAP.paid - WRAP.deal) / Math.max(1, dealt.length);
  return dealt.map(({ die, role, place }, k) => ({ die, role, place, at: WRAP.deal + k * each }));
}

/** The clapper of the shot that a successful act finishes. */
export function finishedShot(area: PlacedArea, { success, shots_left }: Acted): Point | null {
  return success ? (area.geometry.shots[shots_left] ?? null) : null;
}

export const clamp = (value: number, least: number, most: number) =>
  Math.max(least, Math.min(Math.max(least, most), value));

/** Moves a box as little as needed to lie within another one; if it is too big, their upper left corners meet. */
export function inside([left, top, width, height]: Box, [x, y, room, depth]: Box): Box {
  return [clamp(left, x, x + room - width), clamp(top, y, y + depth - height), width, height];
}

const overlap = ([a, b, width, height]: Box, [x, y, room, depth]: Box): boolean =>
  a < x + room && x < a + width && b < y + depth && y < b + height;

/** Moves a box as little as needed to leave another one free: to a side, or `up` or down, if that can be seen. */
export function clearOf(box: Box, other: Box, visible: Box, up: boolean): Box {
  if (!overlap(box, other)) return box;
  const [left, top, width, height] = box;
  const [x, y, room, depth] = other;
  const ways: Point[] = [
    [x - width, top],
    [x + room, top],
    [left, up ? y - height : y + depth],
  ];
  const way = (to: Point) => Math.abs(to[0] - left) + Math.abs(to[1] - top);
  const moved = [...ways].sort((one, two) => way(one) - way(two)).map(([a, b]): Box => [a, b, width, height]);
  return moved.find((one) => inside(one, visible).every((value, k) => value === one[k])) ?? box;
}

const READABLE = 0.95; // the scale at which the texts of an overlay can be read
const MOST = 1.9;

/** How much larger than the board an overlay is drawn, so that it can be read on small screens. */
export const enlargement = (scale: number): number => clamp(READABLE / scale, 1, MOST);

/** How to turn a die so that a face looks at us, in degrees about x and y; opposite faces add up to seven. */
export const FACES: Record<number, Point> = {
  1: [0, 0],
  2: [90, 0],
  3: [0, -90],
  4: [0, 90],
  5: [-90, 0],
  6: [0, 180],
};

/** A throw: hops that get lower, from a point to the origin. The same number always makes the same throw. */
export function hops([x, y]: Point, height: number): Keyframe[] {
  const at = (share: number, rise: number, scale: number, offset: number, easing = "ease-in"): Keyframe => ({
    transform: `translate(${x * (1 - share)}px, ${y * (1 - share) - rise}px) scale(${scale})`,
    offset,
    easing,
  });
  return [
    { ...at(0, 0, 0.6, 0, "ease-out"), opacity: 0 },
    { ...at(0.1, height * 0.3, 0.8, 0.06, "ease-out"), opacity: 1 },
    at(0.45, height, 1.35, 0.3),
    at(0.75, 0, 1, 0.56, "ease-out"),
    at(0.88, height * 0.3, 1.12, 0.72),
    at(0.97, 0, 1, 0.86, "ease-out"),
    at(1, 0, 1, 1),
  ];
}

/** A die that spins and ends with a face up; `number` tells the dice of a throw apart. */
export function spin(face: number, number: number): Keyframe[] {
  const [x, y] = FACES[face] ?? [0, 0];
  const sign = number % 2 ? -1 : 1;
  const turn = (dx: number, dy: number, dz: number): Keyframe => ({
    transform: `rotateX(${x + dx}deg) rotateY(${y + dy}deg) rotateZ(${dz}deg)`,
  });
  return [turn(540 + 90 * (number % 3), sign * (450 + 60 * (face % 4)), sign * 160), turn(0, 0, 0)];
}
