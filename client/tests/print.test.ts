// Arranging the printed kit.

import { describe, expect, it } from "vitest";
import { planBoard } from "../src/logic/geometry";
import { blocks } from "../src/logic/markdown";
import {
  AID_GRID,
  BILL_GRID,
  CARD_GRID,
  cellOf,
  columnsOf,
  cutsOf,
  imposed,
  joinOf,
  PAPERS,
  PARTS,
  pieces,
  queryOf,
  readWanted,
  sheetsOf,
  TOKEN_GRID,
  UNIT,
  type Paper,
} from "../src/logic/print";
import type { BoardView, SectionPlan } from "../src/wire";
import { recorded } from "./games";

const papers = Object.keys(PAPERS) as Paper[];
const grids = { cards: CARD_GRID, tokens: TOKEN_GRID, bills: BILL_GRID, aids: AID_GRID };

describe("an address", () => {
  it("says everything", () => {
    const query = "?paper=letter&ink=saving&sides=one&language=de&deck=studio&players=3&parts=board,cards";
    expect(queryOf(readWanted(query, "de-DE"), "de")).toBe(query);
  });

  it("may say nothing, or nonsense", () => {
    expect(readWanted("", "en-US")).toMatchObject({ paper: "letter", ink: "full", sides: "two", deck: "", players: 0 });
    expect(readWanted("?paper=a3&ink=gold&players=x&parts=none", "de-DE")).toMatchObject({
      paper: "a4",
      ink: "full",
      players: 0,
      parts: [...PARTS],
    });
  });
});

describe.each(papers)("on %s", (paper) => {
  it.each(Object.entries(grids))("%s lie in the middle, inside what printers reach", (_, grid) => {
    const { xs, ys } = cutsOf(grid, paper);
    expect((xs[0] as number) + (xs.at(-1) as number)).toBeCloseTo(PAPERS[paper].width);
    expect((ys[0] as number) + (ys.at(-1) as number)).toBeCloseTo(PAPERS[paper].height);
    expect(Math.min(xs[0] as number, ys[0] as number)).toBeGreaterThan(6);
  });

  it("a back lies behind its front when the sheet is flipped on its long edge", () => {
    for (let k = 0; k < 9; k++) {
      const [front, back] = [cellOf(k, CARD_GRID, paper), cellOf(k, CARD_GRID, paper, true)];
      expect(back.top).toBe(front.top);
      expect(back.left).toBeCloseTo(PAPERS[paper].width - front.left - CARD_GRID.width);
    }
  });
});

describe("the board", () => {
  const { board, sections } = recorded() as { board: BoardView; sections: SectionPlan[] };

  it.each(sections)("is cut where it hurts least: $name", ({ plan }) => {
    const areas = [...planBoard(board, plan).areas.values()];
    const join = joinOf(areas);
    for (const { geometry } of areas)
      for (const [x] of geometry.extras) expect(Math.abs(x - join)).toBeGreaterThanOrEqual(41);
    for (const paper of papers) expect(Math.max(join, 600 - join) * UNIT).toBeLessThanOrEqual(PAPERS[paper].width - 18);
  });
});

describe("a text", () => {
  it("is set in columns, and no heading is left alone below", () => {
    const isHeading = (index: number) => index === 2;
    expect(columnsOf([40, 40, 10, 30, 5], isHeading, 100)).toEqual([
      [0, 1],
      [2, 3, 4],
    ]);
    expect(columnsOf([500, 10], () => false, 100)).toEqual([[0], [1]]);
    expect(columnsOf([10, 10], () => true, 100)).toEqual([[0, 1]]);
    expect(columnsOf([], () => false, 100)).toEqual([[]]);
  });

  it("has lists that may go on in the next column, with their numbers", () => {
    const all = pieces(blocks("1. one\n2. two\n\nlast"));
    expect(all).toMatchObject([{ kind: "list", start: 1 }, { kind: "list", start: 2 }, { kind: "paragraph" }]);
  });

  it("is dealt out to sheets", () => {
    expect(sheetsOf([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
    expect(sheetsOf([], 2)).toEqual([]);
  });
});

describe("a booklet", () => {
  it.each([1, 4, 5, 7, 8, 12])("of %i pages has each of them once, and the next page behind each odd one", (count) => {
    const sides = imposed(count);
    expect(sides.length % 2).toBe(0);
    expect(sides.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: sides.length * 2 }, (_, page) => page));
    for (let front = 0; front < sides.length; front += 2) {
      const [[outer, inner], [behindOuter, behindInner]] = [sides[front]!, sides[front + 1]!];
      expect(behindInner).toBe(inner + 1);
      expect(behindOuter).toBe(outer - 1);
    }
  });

  it("opens with its first page beside its last", () => {
    expect(imposed(7)[0]).toEqual([7, 0]);
  });
});
