// The picture that events paint, one by one, against what the engine says of whole recorded games.

import { expect, it } from "vitest";
import { advance, namesOf, stepsOf } from "../src/logic/show";
import type { AreaView, Replay, ReplayStep, Snapshot, Update } from "../src/wire";
import { recorded } from "./games";

const { areas, games } = recorded() as { areas: AreaView[]; games: Replay[] };
const game = (one: Replay) =>
  `${one.names.length} players, ${one.options.layout}, ${one.options.deck}, ${one.options.days} days`;

/** As a table shows it: every event changes the picture; the server's last word must not change it any more. */
function shown(before: Snapshot, step: ReplayStep, names: readonly string[]): Snapshot {
  const update: Update = { type: "update", seq: step.number, kind: "played", events: step.events, told: step.told };
  const known = namesOf(names, areas);
  return stepsOf(update, step.state).reduce((picture, { event }) => advance(picture, event, known), before);
}

it.each(games.map((one) => [game(one), one] as const))(
  "every event changes the picture as the engine does: %s",
  (_, { steps, names }) => {
    expect(steps.length).toBeGreaterThan(100);
    for (const [number, step] of steps.entries()) {
      const before = steps[number - 1];
      if (before)
        expect(shown(before.state, step, names), `step ${number}: ${step.told.join(" ")}`).toEqual(step.state);
    }
  },
);

it("sees everything that can happen", () => {
  const seen = new Set(games.flatMap(({ steps }) => steps.flatMap(({ events }) => events.map(({ type }) => type))));
  expect([...seen].sort()).toEqual([
    "Acted",
    "BonusPaid",
    "CardTurned",
    "DayEnded",
    "DayStarted",
    "GameEnded",
    "GameStarted",
    "Moved",
    "Rehearsed",
    "RoleTaken",
    "SceneWrapped",
    "TurnEnded",
    "Upgraded",
  ]);
});
