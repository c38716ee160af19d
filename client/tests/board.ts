// A small board for tests.

import type { BoardView, FloorPlan } from "../src/wire";

export const board: BoardView = {
  areas: ["A1", "A2"].map((name) => ({
    id: name.toLowerCase(),
    name,
    kind: "set",
    shots: 1,
    extras: [],
    first_extra: 3,
  })),
  prices: [{ rank: 2, dollars: 4, credits: 5 }],
};

export const floorPlan = (layout: string): FloorPlan => ({
  layout,
  width: 600,
  height: 450,
  sections: [],
  areas: {},
  doorways: [],
  doorway_width: 56,
});
