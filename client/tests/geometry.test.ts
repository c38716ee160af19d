// Drawing geometry, on the board and the floor plans of the engine.

import { describe, expect, it } from "vitest";
import {
  areaTowards,
  planBoard,
  reaches,
  rolePlace,
  SECTION_HEIGHT,
  SECTION_WIDTH,
  transformOf,
  walk,
} from "../src/logic/geometry";
import type { BoardView, FloorPlan } from "../src/wire";
import { recorded } from "./games";

const { board, plans } = recorded() as { board: BoardView; plans: Record<string, FloorPlan> };
const plan = (layout: string) => planBoard(board, plans[layout] ?? expect.fail(layout));
const layouts = Object.keys(plans);

describe("a plan", () => {
  it.each(layouts)("places every area of %s in its section", (layout) => {
    const { areas, sections } = plan(layout);
    expect([...areas.keys()].sort()).toEqual(board.areas.map(({ id }) => id).sort());
    for (const section of sections)
      expect([...areas.values()].filter((area) => area.section === section)).toHaveLength(3);
  });

  it("takes an area's section from the server, wherever the area lies", () => {
    const original = plans.standard ?? expect.fail();
    const [first, second, ...others] = original.sections;
    if (!first || !second) return expect.fail();
    const swapped = [{ ...first, areas: second.areas }, { ...second, areas: first.areas }, ...others];
    const { areas } = planBoard(board, { ...original, sections: swapped });
    for (const id of first.areas) expect(areas.get(id)?.section?.initial).toBe(second.initial);
  });

  it.each(layouts)("draws the sections of %s as large as they are", (layout) => {
    const { width, height, sections } = plan(layout);
    expect(width).toBe((1 + Math.max(...sections.map(({ column }) => column))) * SECTION_WIDTH);
    expect(height).toBe((1 + Math.max(...sections.map(({ row }) => row))) * SECTION_HEIGHT);
    for (const { left, top, column, row } of sections)
      expect([left, top]).toEqual([column * SECTION_WIDTH, row * SECTION_HEIGHT]);
  });

  it("turns the picture of a turned section", () => {
    const { sections } = plan("G'M/CH");
    expect(sections.map(transformOf)).toEqual([
      "translate(600 450) rotate(180)",
      "translate(600 0)",
      "translate(0 450)",
      "translate(600 450)",
    ]);
  });

  it.each([
    ["inside", [20, 20, 10, 10], true],
    ["around", [-10, -10, 400, 400], true],
    ["across a corner", [90, 40, 50, 50], true],
    ["beside", [100, 0, 50, 50], false],
    ["below", [0, 50, 50, 50], false],
    ["left of it", [-50, 0, 50, 50], false],
    ["above", [0, -50, 50, 50], false],
  ] as const)("knows what reaches into a box: %s", (_, box, expected) => {
    const outline = [
      [0, 0],
      [100, 0],
      [100, 50],
      [0, 50],
    ] as const;
    expect(reaches(outline, box)).toBe(expected);
  });

  it("walks through the doorway", () => {
    const here = plan("standard");
    const [from, to] = ["trailers", "saloon"].map((id) => here.areas.get(id)?.middle ?? expect.fail(id));
    if (!from || !to) return expect.fail();
    const way = walk(here, from, "trailers", to, "saloon");
    expect(way).toHaveLength(3);
    expect(here.doorways.filter(({ between }) => between.includes("saloon")).map(({ at }) => at)).toContainEqual(
      way[1],
    );
    expect(walk(here, from, "trailers", to, "trailers")).toHaveLength(2);
  });

  it("finds roles on the card and on the set", () => {
    const area = plan("standard").areas.get("saloon") ?? expect.fail();
    const [left, , width] = area.geometry.card ?? expect.fail();
    expect(rolePlace(area, area.first_extra, 0)).toEqual(area.geometry.extras[0]);
    expect(rolePlace(area, 1, 3)[0]).toBe(left + width / 2);
    expect(rolePlace(area, 0, 3)[0]).toBeLessThan(rolePlace(area, 2, 3)[0]);
  });

  it.each(layouts)("goes everywhere by arrows in %s", (layout) => {
    const here = plan(layout);
    for (const from of here.areas.keys()) {
      const reached = new Set([from]);
      for (const area of reached)
        for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"] as const)
          reached.add(areaTowards(here, area, key) ?? area);
      expect(reached.size).toBe(here.areas.size);
    }
  });
});
