// What every player is worth along a game, for the chart; the server says what a rank counts at the end.

import type { Replay, ReplayStep } from "../wire";

export interface Line {
  name: string;
  colour: string;
  values: number[];
}

/** Dollars and credits, with the rank as the final table counts it. */
export function lines(replay: Replay): Line[] {
  const perRank = pointsPerRank(replay.steps);
  return replay.names.map((name, number) => ({
    name,
    colour: replay.seats[number]?.colour ?? "ivory",
    values: replay.steps.map(({ state }) => {
      const player = state.players[number];
      return player ? player.dollars + player.credits + perRank * player.rank : 0;
    }),
  }));
}

function pointsPerRank(steps: readonly ReplayStep[]): number {
  for (const event of steps.at(-1)?.events ?? [])
    if (event.type === "GameEnded" && event.standings[0])
      return event.standings[0].rank_points / event.standings[0].rank;
  return 0;
}

/** The steps at which days begin, and at which turns do. */
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
