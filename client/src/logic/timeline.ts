// A replay over time: everybody's score at every step, and where days and turns start.

import type { Replay, ReplayStep } from "../wire";

export interface Curve {
  name: string;
  colour: string;
  scores: number[];
}

export function scoreCurves(replay: Replay): Curve[] {
  return replay.names.map((name, seat) => ({
    name,
    colour: replay.seats[seat]?.colour ?? "ivory",
    scores: replay.steps.map((step) => step.scores[seat] ?? 0),
  }));
}

/** The steps at which days start, and at which turns do. */
export function starts(steps: readonly ReplayStep[]): { days: number[]; turns: number[] } {
  const days: number[] = [];
  const turns = [0];
  steps.forEach((step, number) => {
    if (step.events.some((event) => event.type === "DayStarted")) days.push(number);
    if (number && step.events.some((event) => event.type === "TurnEnded" || event.type === "DayStarted"))
      turns.push(number);
  });
  return { days, turns };
}
