// The players of a game in turn order, as pages show them.

import type { AreaView, Card, ChairView, PlayerSnapshot, Replay, Role } from "../wire";
import type { Shown } from "./show";
import { quoted, t } from "./text";

export interface Player {
  name: string;
  colour: string;
  bot: string | null;
  remote: boolean; // a bot that plays from elsewhere, and can be away
  chair: number | null; // null in a replay, where nobody sits at a table
  left: boolean; // for good; a stand-in plays on
}

export const atTable = (chairs: readonly ChairView[]): Player[] =>
  chairs.map(({ id, name, colour, bot, remote, left }) => ({ name, colour, bot, remote, chair: id, left }));

export const inReplay = (replay: Replay): Player[] =>
  replay.names.map((name, seat) => ({
    name,
    colour: replay.seats[seat]?.colour ?? "ivory",
    bot: replay.seats[seat]?.bot ?? null,
    remote: false,
    chair: null,
    left: false,
  }));

/** Whether the holder of a chair may be away: a person, or a remote bot. */
export const canBeAway = ({ bot, remote }: Pick<ChairView, "bot" | "remote">): boolean => bot === null || remote;

/** The card that lies face up in an area. */
export function cardIn(area: string, state: Shown | null, cards: ReadonlyMap<number, Card>): Card | undefined {
  const scene = state?.sets[area]?.scene;
  return typeof scene === "number" ? cards.get(scene) : undefined;
}

/** What is shot at a place, in words; nothing where there are no scenes. */
export function sceneAt(place: string, state: Shown | null, cards: ReadonlyMap<number, Card>): string {
  const card = cardIn(place, state, cards);
  const set = state?.sets[place];
  if (card) return quoted(card.title);
  return set ? t(set.scene === null ? "wrapped" : "unseen scene") : "";
}

/** The role that a player works on, if any. */
export function roleOf({ role }: PlayerSnapshot, area: AreaView, card: Card | undefined): Role | undefined {
  if (role === null) return undefined;
  return role >= area.first_extra ? area.extras[role - area.first_extra] : card?.roles[role];
}

export const wrapCount = (n: number): string => t(n === 1 ? "last wrap" : "wraps left", { n });
export const shotCount = (n: number): string => t(n === 1 ? "one shot left" : "shots left", { n });
