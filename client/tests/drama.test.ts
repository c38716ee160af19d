// Drama on the set, replays under way, and the finale: what needs no page.

import { beforeEach, describe, expect, it, vi } from "vitest";
import { clearOf, dealing, enlargement, FACES, finishedShot, hops, inside, ROLL, spin, WRAP } from "../src/logic/drama";
import { planBoard } from "../src/logic/geometry";
import { Playback } from "../src/logic/playback.svelte";
import { balance, castOf, letter, paletteOf, roleOfPart, sizeFor, widthOf } from "../src/logic/poster";
import { settings } from "../src/logic/settings.svelte";
import { fileName } from "../src/logic/share";
import { duration } from "../src/logic/show";
import type { Acted, BoardView, Card, FloorPlan, Part, Replay, SceneWrapped } from "../src/wire";
import { recorded } from "./games";

const { games, board, plans } = recorded() as {
  games: Replay[];
  board: BoardView;
  plans: Record<string, FloorPlan>;
};
const events = games.flatMap(({ steps }) => steps.flatMap((step) => step.events));
const wraps = events.filter((event): event is SceneWrapped => event.type === "SceneWrapped");
const plan = planBoard(board, plans.standard as FloorPlan);

describe("bonus dice", () => {
  it("are dealt highest first, as the server lists the roles", () => {
    expect(wraps.some((wrap) => wrap.shares.length > 1)).toBe(true);
    for (const wrap of wraps) {
      const dealt = dealing(wrap);
      expect(dealt.map(({ die }) => die)).toEqual(wrap.dice);
      expect(dealt.map(({ role }) => role)).toEqual(
        wrap.dice.map((_, k) => wrap.shares[k % wrap.shares.length]?.role_number),
      );
    }
  });

  it("are dealt in any order that the server says", () => {
    const wrap = wraps.find(({ shares }) => shares.length);
    const share = wrap?.shares[0];
    if (!wrap || !share) throw new Error("no wrap");
    const shares = [
      { ...share, role_number: 1, dice: [6, 2], order: [0, 3] },
      { ...share, role_number: 0, dice: [5, 4], order: [1, 2] },
    ];
    const dealt = dealing({ ...wrap, shares }).map(({ die, role, place }) => [die, role, place]);
    expect(dealt).toEqual([
      [6, 1, 0],
      [5, 0, 0],
      [4, 0, 1],
      [2, 1, 1],
    ]);
  });

  it("go from right to left where every role gets dice", () => {
    for (const { shares } of wraps.filter((wrap) => wrap.shares.length > 1)) {
      const numbers = shares.map((share) => share.role_number);
      expect(numbers).toEqual([...numbers].sort((one, other) => other - one));
    }
  });

  it("are dealt one by one, between the roll and the sums", () => {
    for (const wrap of wraps.filter(({ dice }) => dice.length)) {
      const times = dealing(wrap).map(({ at }) => at);
      expect([...times].sort((one, other) => one - other)).toEqual(times);
      expect(times[0]).toBe(WRAP.deal);
      expect(times.at(-1)).toBeLessThan(WRAP.paid);
    }
  });

  it("are none where nobody had a starring role", () => {
    expect(wraps.filter(({ dice }) => !dice.length).flatMap(dealing)).toEqual([]);
  });
});

describe("a roll", () => {
  const area = plan.areas.get("saloon") ?? expect.fail();
  const acted = (success: boolean, shots_left: number) => ({ success, shots_left }) as Acted;

  it("snaps the clapper of the shot it finishes, and none if it fails", () => {
    expect(finishedShot(area, acted(true, 1))).toEqual(area.geometry.shots[1]);
    expect(finishedShot(area, acted(true, 0))).toEqual(area.geometry.shots[0]);
    expect(finishedShot(area, acted(false, 1))).toBeNull();
  });

  it("lands before it is judged, and ends where it was thrown to, with its face up", () => {
    expect(ROLL.landed).toBeLessThan(ROLL.verdict);
    expect(hops([80, -40], 60).at(-1)?.transform).toBe("translate(0px, 0px) scale(1)");
    for (const [face, [x, y]] of Object.entries(FACES))
      expect(spin(Number(face), 3).at(-1)?.transform).toBe(`rotateX(${x}deg) rotateY(${y}deg) rotateZ(0deg)`);
  });

  it("is drawn larger on small screens, within limits", () => {
    expect(enlargement(2)).toBe(1);
    expect(enlargement(0.62)).toBeCloseTo(1.53, 1);
    expect(enlargement(0.1)).toBeLessThan(2);
  });

  it("keeps its texts in sight", () => {
    expect(inside([-20, 10, 50, 30], [0, 0, 200, 100])).toEqual([0, 10, 50, 30]);
    expect(inside([180, 90, 50, 30], [0, 0, 200, 100])).toEqual([150, 70, 50, 30]);
    expect(inside([10, 10, 500, 30], [0, 0, 200, 100])).toEqual([0, 10, 500, 30]);
  });

  it("leaves the clapper free, to a side if that is in sight, else up or down", () => {
    const clapper = [80, 40, 20, 20] as const;
    expect(clearOf([0, 0, 50, 30], clapper, [0, 0, 200, 200], false)).toEqual([0, 0, 50, 30]);
    expect(clearOf([50, 30, 50, 30], clapper, [0, 0, 200, 200], false)).toEqual([30, 30, 50, 30]);
    expect(clearOf([50, 30, 50, 30], clapper, [45, 0, 60, 200], false)).toEqual([50, 60, 50, 30]);
    expect(clearOf([50, 30, 50, 30], clapper, [45, 0, 60, 200], true)).toEqual([50, 10, 50, 30]);
    expect(clearOf([50, 30, 50, 30], clapper, [50, 30, 50, 30], true)).toEqual([50, 30, 50, 30]);
  });
});

describe("the pace", () => {
  it("is two seconds a turn of a bot at most, on average", () => {
    const turns = events.filter((event) => event.type === "TurnEnded" || event.type === "GameEnded").length;
    const shown = events.reduce((sum, event) => sum + duration(event, "normal", 0), 0);
    expect(shown / turns).toBeLessThanOrEqual(2000);
  });

  it("gives people's rolls more time than bots'", () => {
    const acted = { type: "Acted", success: true } as Acted;
    expect(duration(acted, "normal", 0, true)).toBeGreaterThan(duration(acted, "normal", 0));
  });
});

describe("a replay", () => {
  const game = games[0] as Replay;
  let finished: number;
  let playback: Playback;
  beforeEach(() => {
    vi.useFakeTimers();
    settings.speed = "normal";
    finished = 0;
    playback = new Playback(() => (finished += 1));
    playback.open(game, 0);
  });

  it("jumps to a moment at once", () => {
    playback.go(7);
    expect(playback.shown).toEqual(game.steps[7]?.state);
    expect(playback.sentences).toEqual(game.steps[7]?.sentences);
    const ahead = game.steps.findIndex(({ leaders }) => leaders.length > 0);
    playback.go(ahead);
    expect(playback.leaders).toEqual(game.steps[ahead]?.leaders);
    playback.go(9999);
    expect(playback.at).toBe(game.steps.length - 1);
  });

  it("shows a step as it happened, and ends where it led", async () => {
    const number = game.steps.findIndex(({ events }) => events[0]?.type === "Acted");
    playback.go(number - 1);
    playback.advance();
    expect(playback.step?.event.type).toBe("Acted");
    expect(playback.sentences).toEqual([]); // the die has not landed
    expect(playback.shown).toEqual(game.steps[number - 1]?.state);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(playback.busy).toBe(false);
    expect(playback.shown).toEqual(game.steps[number]?.state);
    expect(playback.sentences).toEqual(game.steps[number]?.sentences);
    expect(playback.at).toBe(number);
  });

  it("skips what is under way when somebody goes on", async () => {
    playback.advance();
    playback.advance();
    playback.advance();
    expect(playback.at).toBe(3);
    playback.skip();
    await vi.advanceTimersByTimeAsync(0);
    expect(playback.shown).toEqual(game.steps[3]?.state);
    expect(playback.sentences).toEqual(game.steps[3]?.sentences);
  });

  it("takes half the time at twice the speed", async () => {
    playback.go(game.steps.findIndex(({ events }) => events[0]?.type === "Acted") - 1);
    playback.advance();
    const usual = playback.milliseconds;
    playback.go(playback.at - 1);
    playback.pace = 2;
    await vi.advanceTimersByTimeAsync(0);
    playback.advance();
    expect(playback.milliseconds).toBe(usual / 2);
  });

  it("plays to its end, says so, and plays again from the start", async () => {
    playback.go(playback.last - 3);
    playback.toggle();
    await vi.advanceTimersByTimeAsync(120_000);
    expect([playback.at, playback.playing, finished]).toEqual([playback.last, false, 1]);
    playback.toggle();
    expect(playback.at).toBe(1);
  });

  it("pauses after the step that is under way", async () => {
    playback.toggle();
    playback.toggle();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([playback.at, playback.busy, finished]).toEqual([1, false, 0]);
  });

  it("steps at once where nothing may move", () => {
    settings.speed = "off";
    playback.advance();
    expect([playback.at, playback.busy]).toEqual([1, false]);
  });
});

describe("the poster", () => {
  const finale = games[1]?.finale ?? expect.fail();

  it("is for the winner, and everybody is on it once", () => {
    const cast = castOf(finale);
    expect(cast[0]).toBe(finale.poster.player);
    expect([...cast].sort()).toEqual(finale.billing.map(({ player }) => player).sort());
  });

  it("names roles of cards and of places", () => {
    const card = { number: 7, roles: [{ rank: 1, name: "Star", line: "Me!" }] } as unknown as Card;
    const part = { card: 7, area_id: "saloon", role_number: 0 } as Part;
    expect(roleOfPart(part, new Map([[7, card]]), board.areas)?.name).toBe("Star");
    const extra = board.areas.find((area) => area.id === "saloon")?.extras[1];
    expect(roleOfPart({ ...part, role_number: 4 }, new Map(), board.areas)).toEqual(extra);
  });

  it("writes a title as large as it fits, on up to three lines", () => {
    expect(letter("High Noonish", 670, 200, 90).lines).toEqual(["High", "Noonish"]);
    const long = letter("The Schoolmarm Always Rings Twice", 670, 200, 90);
    expect(long.lines.join(" ")).toBe("The Schoolmarm Always Rings Twice");
    expect(long.lines.length).toBeGreaterThan(1);
    expect(long.height * long.lines.length).toBeLessThan(200);
    expect(letter("七人の侍", 670, 200, 90).height).toBeGreaterThan(0);
    expect(letter("", 670, 200, 90).lines).toEqual([""]);
  });

  it("breaks lines evenly and loses no word", () => {
    const text = "Raise your right hoof. Your other right. Your other other right.";
    const lines = balance(text, 20);
    expect(lines.join(" ")).toBe(text);
    expect(Math.max(...lines.map(widthOf))).toBeLessThan(21);
    expect(balance("Short.", 20)).toEqual(["Short."]);
  });

  it("shrinks what is too wide, and counts wide characters as wide", () => {
    expect(sizeFor("abc", 1000, 20)).toBe(20);
    expect(sizeFor("abcdefghij".repeat(4), 100, 20)).toBeLessThan(5);
    expect(widthOf("七海")).toBeGreaterThan(widthOf("ab"));
  });

  it("has the same colours whenever it is drawn", () => {
    expect(paletteOf(17)).toBe(paletteOf(17));
  });

  it("is saved under a name that every system takes", () => {
    expect(fileName("The Bad & the Déductible!")).toBe("deadwood-the-bad-the-deductible.png");
    expect(fileName("七海")).toBe("deadwood-poster.png");
  });
});
