// Double clicks, after which something else lies under the pointer.

import { describe, expect, it } from "vitest";
import { ClickGuard, type Click } from "../src/logic/clicks";
import { detailAt } from "../src/logic/detail";

const click = (more: Partial<Click> = {}): Click => ({
  detail: 1,
  pointerType: "mouse",
  clientX: 100,
  clientY: 100,
  timeStamp: 0,
  ...more,
});

describe("a click", () => {
  it("is stray if it is the second of two and the first changed something", () => {
    let version = 1;
    const guard = new ClickGuard(() => version);
    expect(guard.isStray(click())).toBe(false);
    version = 2;
    expect(guard.isStray(click({ detail: 2, timeStamp: 150 }))).toBe(true);
    expect(guard.isStray(click({ detail: 3, timeStamp: 300 }))).toBe(true);
    expect(guard.isStray(click({ timeStamp: 400 }))).toBe(false);
  });

  it("counts where nothing changed, however often", () => {
    const guard = new ClickGuard(() => 1);
    expect([1, 2, 3].map((detail) => guard.isStray(click({ detail })))).toEqual([false, false, false]);
  });

  it("of a finger is stray soon after, at the same place", () => {
    let version = 1;
    const guard = new ClickGuard(() => version);
    const tap = (more: Partial<Click>) => guard.isStray(click({ pointerType: "touch", ...more }));
    expect(tap({})).toBe(false);
    version = 2;
    expect(tap({ timeStamp: 200, clientX: 110 })).toBe(true);
    expect(tap({ timeStamp: 250, clientX: 300 })).toBe(false);
    version = 3;
    expect(tap({ timeStamp: 900, clientX: 300 })).toBe(false);
  });

  it("by key is never stray", () => {
    let version = 1;
    const guard = new ClickGuard(() => version++);
    expect([0, 1].map((timeStamp) => guard.isStray(click({ detail: 0, pointerType: "", timeStamp })))).toEqual([
      false,
      false,
    ]);
  });
});

describe("the board", () => {
  it("shows names when near, numbers when far, and nothing that is tiny", () => {
    expect([1.2, 0.87, 0.56].map(detailAt)).toEqual(["near", "middle", "far"]);
  });
});
