// Copying the fields of events gives the same states as the engine, in whole recorded games.

import { expect, it } from "vitest";
import { advance, type Shown } from "../src/logic/show";
import { scoreCurves, starts } from "../src/logic/timeline";
import type { Replay, ReplayStep, Snapshot } from "../src/wire";
import { recorded } from "./games";

const { games } = recorded() as { games: Replay[] };
const game = (one: Replay) =>
  `${one.names.length} players, ${one.options.layout}, ${one.options.deck}, ${one.options.days} days`;

const seen = ({ moved: _moved, unseen: _unseen, ...state }: Snapshot): Shown => state;
const shown = (before: Snapshot, step: ReplayStep, names: readonly string[]): Shown =>
  step.events.reduce((state, event) => advance(state, event, names), seen(before));

it.each(games.map((one) => [game(one), one] as const))(
  "every event changes the picture as the engine does: %s",
  (_, { steps, names }) => {
    expect(steps.length).toBeGreaterThan(100);
    for (const [number, step] of steps.entries()) {
      const before = steps[number - 1];
      if (before)
        expect(shown(before.state, step, names), `step ${number}: ${step.sentences.join(" ")}`).toEqual(
          seen(step.state),
        );
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

it.each(games.map((one) => [game(one), one] as const))("a curve ends with the final score: %s", (_, replay) => {
  const ended = replay.steps.at(-1)?.events.find((event) => event.type === "GameEnded") ?? expect.fail();
  for (const { name, scores } of scoreCurves(replay)) {
    expect(scores).toHaveLength(replay.steps.length);
    expect(scores.at(-1)).toBe(ended.standings.find((one) => one.name === name)?.score);
  }
  expect(starts(replay.steps).days).toHaveLength(replay.options.days ?? 0);
});
