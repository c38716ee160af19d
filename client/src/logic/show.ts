// What happened, shown in order: events become steps of a queue, and each step changes the picture a little.

import { FIRST_EXTRA } from "./geometry";
import type { AreaView, GameEvent, PlayerSnapshot, Snapshot, Update } from "../wire";

export type Speed = "slow" | "normal" | "fast" | "off";
export type Happened = NonNullable<Update["events"]>[number];

export interface Step {
  event: Happened;
  told: string;
  seq: number;
  seat: number | null;
  state: Snapshot | null; // what is so after it, where the server said so
}

export interface Names {
  players: readonly string[];
  area: (name: string) => string; // a place's id by its name
  shots: Record<string, number>; // how many a set has in the morning, by id
  trailers: string;
}

export function namesOf(
  players: readonly string[],
  areas: readonly Pick<AreaView, "id" | "name" | "kind" | "shots">[],
): Names {
  const ids = new Map(areas.map((area) => [area.name, area.id]));
  return {
    players,
    area: (name) => ids.get(name) ?? name,
    shots: Object.fromEntries(areas.map((area) => [area.id, area.shots])),
    trailers: areas.find((area) => area.kind === "trailers")?.id ?? "",
  };
}

const MILLISECONDS: Partial<Record<Happened["type"], number>> = {
  Moved: 750,
  CardTurned: 1100,
  RoleTaken: 600,
  Acted: 1900,
  Rehearsed: 700,
  SceneWrapped: 2600,
  BonusPaid: 800,
  Upgraded: 900,
  DayEnded: 2600,
  DayStarted: 900,
  TurnEnded: 200,
};
const A_DIE = 380; // dealt at a wrap
const FACTORS: Record<Speed, number> = { slow: 1.6, normal: 1, fast: 0.4, off: 0 };

/** How long a step is shown; a queue that grows is shown faster. */
export function duration(event: Happened, speed: Speed, behind: number): number {
  const hurry = behind > 30 ? 0 : behind > 14 ? 0.25 : behind > 7 ? 0.55 : 1;
  const dice = event.type === "SceneWrapped" ? event.dice.length * A_DIE : 0;
  return ((MILLISECONDS[event.type] ?? 0) + dice) * FACTORS[speed] * hurry;
}

const LATE: ReadonlySet<Happened["type"]> = new Set(["Acted", "SceneWrapped", "BonusPaid", "Upgraded"]);

/** Whether the picture changes only when a step has been shown: the die has to land, and the money to arrive. */
export const changesLate = (event: Happened): boolean => LATE.has(event.type);

/** The steps of an update; the last one carries the state that the server sent. */
export function stepsOf(update: Update, state: Snapshot | null): Step[] {
  const events = update.events ?? [];
  return events.map((event, number) => ({
    event,
    told: update.told?.[number] ?? "",
    seq: update.seq,
    seat: update.seat ?? null,
    state: number === events.length - 1 ? state : null,
  }));
}

/** The picture after an event, as the event itself tells it. */
export function advance(state: Snapshot, event: Happened, names: Names): Snapshot {
  switch (event.type) {
    case "Moved":
      return withPlayer(state, names, event.player, () => ({ area: names.area(event.area) }), { moved: true });
    case "CardTurned":
      return withSet({ ...state, unseen: state.unseen.filter((one) => one !== event.card) }, names.area(event.area), {
        scene: event.card,
      });
    case "RoleTaken":
      return withPlayer(state, names, event.player, () => ({
        role: event.number - 1 + (event.kind === "extra" ? FIRST_EXTRA : 0),
      }));
    case "Acted": {
      const paid = withPlayer(state, names, event.player, (one) => earned(one, event.dollars, event.credits));
      return event.success ? withSet(paid, names.area(event.area), { shots: event.shots_left }) : paid;
    }
    case "Rehearsed":
      return withPlayer(state, names, event.player, () => ({ chips: event.chips }));
    case "BonusPaid":
      return withPlayer(state, names, event.player, (one) => earned(one, event.dollars, 0));
    case "SceneWrapped":
      return freed(withSet(state, names.area(event.area), { scene: null, shots: 0 }));
    case "Upgraded":
      return withPlayer(state, names, event.player, (one) => ({
        rank: event.rank,
        [event.currency]: one[event.currency] - event.price,
      }));
    case "TurnEnded":
      return { ...state, active: names.players.indexOf(event.next), moved: false };
    case "DayEnded":
      return {
        ...state,
        players: state.players.map((one) => ({ ...one, area: names.trailers, role: null, chips: 0 })),
        sets: emptied(state),
      };
    case "DayStarted":
      return {
        ...state,
        day: event.day,
        active: names.players.indexOf(event.player),
        moved: false,
        sets: dealt(state, names),
      };
    case "GameEnded":
      return { ...state, active: null };
    default:
      return state;
  }
}

const earned = (player: PlayerSnapshot, dollars: number, credits: number) => ({
  dollars: player.dollars + dollars,
  credits: player.credits + credits,
});

function withPlayer(
  state: Snapshot,
  names: Names,
  name: string,
  change: (player: PlayerSnapshot) => Partial<PlayerSnapshot>,
  more: Partial<Snapshot> = {},
): Snapshot {
  const seat = names.players.indexOf(name);
  return {
    ...state,
    ...more,
    players: state.players.map((one, number) => (number === seat ? { ...one, ...change(one) } : one)),
  };
}

function withSet(state: Snapshot, area: string, change: Partial<Snapshot["sets"][string]>): Snapshot {
  const set = state.sets[area];
  return set ? { ...state, sets: { ...state.sets, [area]: { ...set, ...change } } } : state;
}

/** Where a scene has wrapped, nobody has a role any more. */
function freed(state: Snapshot): Snapshot {
  const players = state.players.map((one) =>
    one.role !== null && state.sets[one.area]?.scene === null ? { ...one, role: null, chips: 0 } : one,
  );
  return { ...state, players };
}

const emptied = (state: Snapshot): Snapshot["sets"] =>
  Object.fromEntries(Object.keys(state.sets).map((id) => [id, { scene: null, shots: 0 }]));

const dealt = (state: Snapshot, names: Names): Snapshot["sets"] =>
  Object.fromEntries(Object.keys(state.sets).map((id) => [id, { scene: "face down", shots: names.shots[id] ?? 0 }]));

/** How much of a card's text there is to read: only events of the game itself are shown on the board. */
export const isGameEvent = (event: Happened): event is GameEvent =>
  event.type in MILLISECONDS || event.type === "GameEnded" || event.type === "GameStarted";
