import { describe, expect, it } from "vitest";
import { makePlan, placeTowards, rolePlace, walk } from "../src/logic/geometry";
import { view } from "./board";

const plan = (layout: string) => makePlan(view, layout) ?? expect.fail(`${layout} cannot be laid`);

describe("a plan", () => {
  it("lays every layout that fills four cells", () => {
    expect([plan("standard").width, plan("standard").height]).toEqual([1200, 900]);
    expect([plan("ABCD").width, plan("ABCD").height]).toEqual([2400, 450]);
    expect([plan("A./B./CD'").width, plan("A./B./CD'").height]).toEqual([1200, 1350]);
    for (const broken of ["", "AB", "AABC", "random"]) expect(makePlan(view, broken)).toBeNull();
  });

  it("turns points and boxes with their section", () => {
    const [straight, turned] = [plan("AB/CD").areas.get("a1"), plan("A'B/CD").areas.get("a1")];
    expect(straight?.label).toEqual([20, 10, 100, 26]);
    expect(turned?.label).toEqual([480, 414, 100, 26]);
    expect(turned?.standing[0]).toEqual([590, 430]);
  });

  it("joins sections by two doorways a side, and boards up the rest", () => {
    const { doorways } = plan("AB/CD");
    const open = doorways.filter((door) => door.between !== null);
    expect(open).toHaveLength(4 * 2 + 4 * 3);
    expect(doorways).toHaveLength(20 + 8 * 2);
  });

  it("walks through the doorway", () => {
    const here = plan("AB/CD");
    const way = walk(here, [50, 50], "a1", [350, 50], "a2");
    expect(way).toHaveLength(3);
    expect(here.doorways.map(({ at }) => at)).toContainEqual(way[1]);
    expect(walk(here, [50, 50], "a1", [60, 60], "a1")).toHaveLength(2);
  });

  it("finds roles on the card and on the set", () => {
    const area = plan("AB/CD").areas.get("a1") ?? expect.fail();
    expect(rolePlace(area, 3, 0)).toEqual([30, 90]);
    expect(rolePlace(area, 1, 3)).toEqual([110, 170]);
  });

  it("goes from place to place by arrows", () => {
    const here = plan("AB/CD");
    expect(placeTowards(here, "a1", "ArrowRight")).toBe("a2");
    expect(placeTowards(here, "a1", "ArrowLeft")).toBeNull();
    for (const from of here.areas.keys()) {
      const reached = new Set([from]);
      for (const area of reached)
        for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"] as const)
          reached.add(placeTowards(here, area, key) ?? area);
      expect(reached.size).toBe(here.areas.size);
    }
  });
});
