// Showing what happened: events become steps in a queue, and each step changes the picture a little.

import type { PlayerAfter, PlayerSnapshot, Position, SetAfter, Snapshot, Update } from "../wire";

export type Speed = "slow" | "normal" | "fast" | "off";
export type Happened = NonNullable<Update["events"]>[number];

/** What is shown of a state; how the rest of it changes is up to the rules. */
export type Shown = Omit<Snapshot, "moved" | "unseen">;

/** What is shown of a position. */
export type Picture = { state: Shown } & Pick<Position, "scores"> & Partial<Pick<Position, "leaders" | "wraps_left">>;

export interface Step {
  event: Happened;
  sentence: string;
  seq: number;
  chair: number | null;
  after: Picture | null; // the position that the server sent; null in the middle of an update
}

// for bots, which have many turns: at most two seconds a turn on average
const MILLISECONDS: Partial<Record<Happened["type"], number>> = {
  Moved: 380,
  CardTurned: 650,
  RoleTaken: 300,
  Acted: 950,
  Rehearsed: 400,
  SceneWrapped: 1100,
  BonusPaid: 360,
  Upgraded: 600,
  DayEnded: 1700,
  DayStarted: 300,
  TurnEnded: 30,
};
const A_DIE = 140; // dealt at a wrap
const A_MISS = 0.75; // of the time of a success, which has more to show
// what people do is shown longer: they look forward to their own dice, and they can skip it
const UNHURRIED: Partial<Record<Happened["type"], number>> = { CardTurned: 1.8, Acted: 1.6, SceneWrapped: 1.5 };
const FACTORS: Record<Speed, number> = { slow: 1.6, normal: 1, fast: 0.4, off: 0 };

/** How long a step is shown; the longer the queue, the faster. `unhurried` for what a person did. */
export function duration(event: Happened, speed: Speed, behind: number, unhurried = false): number {
  const hurry = behind > 30 ? 0 : behind > 14 ? 0.25 : behind > 7 ? 0.55 : 1;
  const dice = event.type === "SceneWrapped" ? event.dice.length * A_DIE : 0;
  const miss = event.type === "Acted" && !event.success ? A_MISS : 1;
  const time = unhurried ? (UNHURRIED[event.type] ?? 1) : 1;
  return ((MILLISECONDS[event.type] ?? 0) + dice) * miss * time * FACTORS[speed] * hurry;
}

const LATE: ReadonlySet<Happened["type"]> = new Set(["Acted", "SceneWrapped", "BonusPaid", "Upgraded"]);

/** Whether the picture changes only when a step has been shown: the die has to land, and the money to arrive. */
export const changesLate = (event: Happened): boolean => LATE.has(event.type);

/** What a table or a record says about one action. */
type Account = Pick<Update, "seq" | "chair" | "events" | "sentences">;

/** The steps of an update; the last one carries the position that the server sent. */
export function stepsOf(update: Account, after: Picture | null): Step[] {
  const events = update.events ?? [];
  return events.map((event, number) => ({
    event,
    sentence: update.sentences?.[number] ?? "",
    seq: update.seq,
    chair: update.chair ?? null,
    after: number === events.length - 1 ? after : null,
  }));
}

/** The state after an event: its fields are copied, nothing is computed. `players` are names in turn order. */
export function advance(state: Shown, event: Happened, players: readonly string[]): Shown {
  const withPlayer = (change: Partial<PlayerSnapshot>) =>
    "player" in event ? changePlayer(state, players.indexOf(event.player), change) : state;
  switch (event.type) {
    case "Moved":
      return withPlayer({ area: event.area_id });
    case "CardTurned":
      return changeSet(state, event.area_id, { scene: event.card });
    case "RoleTaken":
      return withPlayer({ role: event.role_number });
    case "Acted":
      return changeSet(withPlayer({ dollars: event.dollars_after, credits: event.credits_after }), event.area_id, {
        shots: event.shots_left,
      });
    case "Rehearsed":
      return withPlayer({ chips: event.chips });
    case "BonusPaid":
      return withPlayer({ dollars: event.dollars_after });
    case "Upgraded":
      return withPlayer({ rank: event.rank, dollars: event.dollars_after, credits: event.credits_after });
    case "SceneWrapped":
    case "DayEnded":
      return copySets(copyPlayers(state, event.players, players), event.sets);
    case "DayStarted":
      return { ...copySets(state, event.sets), day: event.day, active: players.indexOf(event.player) };
    case "TurnEnded":
      return { ...state, active: players.indexOf(event.next) };
    case "GameEnded":
      return { ...state, active: null };
    default:
      return state;
  }
}

function changePlayer(state: Shown, seat: number, change: Partial<PlayerSnapshot>): Shown {
  return { ...state, players: state.players.map((one, number) => (number === seat ? { ...one, ...change } : one)) };
}

function changeSet(state: Shown, area: string, change: Partial<Shown["sets"][string]>): Shown {
  const set = state.sets[area];
  return set ? { ...state, sets: { ...state.sets, [area]: { ...set, ...change } } } : state;
}

const copyPlayers = (state: Shown, after: readonly PlayerAfter[], players: readonly string[]): Shown =>
  after.reduce(
    (now, { player, area_id, role_number, chips }) =>
      changePlayer(now, players.indexOf(player), { area: area_id, role: role_number, chips }),
    state,
  );

const copySets = (state: Shown, after: readonly SetAfter[]): Shown =>
  after.reduce((now, { area_id, scene, shots }) => changeSet(now, area_id, { scene, shots }), state);
