// Money on its way: what events pay to whom, and the flight of bills and stars between the board and the panel.

import { ROLL } from "./drama";
import type { Point } from "./geometry";
import type { Happened } from "./show";

export interface Payment {
  player: string;
  dollars: number;
  credits: number;
  inward: boolean; // to the player; an upgrade is paid to the Casting Office
  from: number; // the fraction of the event's time when it starts, from 0 to 1
}

const MOST_PIECES = 6; // of each kind, for any amount

/** What an event pays, if anything. */
export function paymentOf(event: Happened): Payment | null {
  const paid = payment(event);
  return paid && (paid.dollars || paid.credits) ? paid : null;
}

function payment(event: Happened): Payment | null {
  switch (event.type) {
    case "Acted":
      return {
        player: event.player,
        dollars: event.dollars,
        credits: event.credits,
        inward: true,
        from: ROLL.verdict,
      };
    case "BonusPaid":
      return { player: event.player, dollars: event.dollars, credits: 0, inward: true, from: 0 };
    case "Upgraded": {
      const spent = { dollars: 0, credits: 0, [event.currency]: event.price };
      return { player: event.player, ...spent, inward: false, from: 0 };
    }
    default:
      return null;
  }
}

/** The bills and stars that fly for a payment: a few stand for many. */
export function piecesOf({ dollars, credits }: Payment): ("dollar" | "credit")[] {
  const some = (count: number) => Math.min(MOST_PIECES, count);
  return [...Array<"dollar">(some(dollars)).fill("dollar"), ...Array<"credit">(some(credits)).fill("credit")];
}

/** The nearest point inside a box: flights to something out of sight end at the edge. */
export function within([x, y]: Point, box: { left: number; top: number; right: number; bottom: number }): Point {
  return [Math.min(box.right, Math.max(box.left, x)), Math.min(box.bottom, Math.max(box.top, y))];
}

const ARC = 0.22; // the height of a flight, as a fraction of its length
const at = ([x, y]: Point, scale: number) => `translate(${x}px, ${y}px) scale(${scale})`;

/** An arc from one point to another, for an element that lies at the origin. */
export function arc(from: Point, to: Point): Keyframe[] {
  const rise = Math.hypot(to[0] - from[0], to[1] - from[1]) * ARC;
  const middle: Point = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2 - rise];
  return [
    { transform: at(from, 0.4), opacity: 0, easing: "ease-out" },
    { transform: at(from, 1.3), opacity: 1, offset: 0.15, easing: "ease-out" },
    { transform: at(middle, 1.4), opacity: 1, offset: 0.55, easing: "ease-in" },
    { transform: at(to, 0.8), opacity: 1 },
  ];
}
