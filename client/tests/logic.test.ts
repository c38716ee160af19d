import { afterEach, describe, expect, it } from "vitest";
import { fittedSize } from "../src/logic/fitting";
import { bars, figures } from "../src/logic/hints";
import { write } from "../src/logic/lettering";
import { blocks, find, inline, plainText } from "../src/logic/markdown";
import { decimal, percent } from "../src/logic/numbers";
import { doableOf, offered, rolesByWorth, sortOffers } from "../src/logic/offers";
import { arc, paymentOf, piecesOf, within } from "../src/logic/payments";
import { pageOf } from "../src/logic/route.svelte";
import { settings } from "../src/logic/settings.svelte";
import { cardOf } from "../src/logic/scanner";
import { duration, stepsOf } from "../src/logic/show";
import type {
  ActOddsView,
  Acted,
  BonusPaid,
  Hints,
  Moved,
  Rehearsed,
  SceneWrapped,
  Update,
  Upgraded,
} from "../src/wire";

describe("offers", () => {
  it("are sorted by where they are done", () => {
    const choices = sortOffers(
      [{ action: "move saloon" }, { action: "take star 2" }, { action: "upgrade 3 credits" }, { action: "end" }],
      [
        { actions: ["move bank", "move hotel"], sentence: "Too far.", rule: "R4.1" },
        { actions: ["act"], sentence: "No role.", rule: "R6.1" },
      ],
    );
    expect(choices.moves.get("saloon")).toMatchObject({ offer: { action: "move saloon" }, refusal: null });
    for (const area of ["bank", "hotel"])
      expect(choices.moves.get(area)).toMatchObject({ offer: null, refusal: "Too far." });
    expect(choices.roles.get("star 2")?.offer).not.toBeNull();
    expect(choices.upgrades).toMatchObject([{ rank: 3, currency: "credits", refusal: null }]);
    expect([choices.act?.refusal, choices.rehearse, choices.end?.refusal]).toEqual(["No role.", null, null]);
  });

  it("say what the server says of an action, wherever it stands", () => {
    const choices = sortOffers([{ action: "end" }], [{ actions: ["move bank"], sentence: "Too far.", rule: "R4.1" }]);
    expect(doableOf(choices, "move bank")?.refusal).toBe("Too far.");
    expect(doableOf(choices, "end")?.offer).not.toBeNull();
    expect(doableOf(choices, "upgrade 2 dollars")).toBeUndefined();
    expect(offered(choices).map(({ action }) => action)).toEqual(["end"]);
  });

  it("name the roles that pay best first", () => {
    const role = (action: string, expected: number) => ({ action, odds: { expected } as ActOddsView });
    const choices = sortOffers([role("take star 1", 0.7), role("take extra 2", 1.3), { action: "end" }], []);
    expect(rolesByWorth(choices).map(([key]) => key)).toEqual(["extra 2", "star 1"]);
  });
});

describe("addresses", () => {
  it("name pages", () => {
    expect(pageOf("/t/K7RM-4TXC")).toEqual({ name: "table", code: "K7RM-4TXC" });
    expect(pageOf("/t/K7RM-4TXC/screen")).toEqual({ name: "screen", code: "K7RM-4TXC" });
    expect(pageOf("/t/K7RM-4TXC/games/2", "#7")).toEqual({ name: "game", code: "K7RM-4TXC", game: 2, step: 7 });
  });
});

describe("the code of a card", () => {
  it("is a fixed text with its number", () => {
    expect([cardOf("deadwood card 17"), cardOf("deadwood card 1")]).toEqual([17, 1]);
    for (const other of ["card 17", "deadwood card", "deadwood card 17 ", "Deadwood card 17", "deadwood card x", "17"])
      expect(cardOf(other)).toBeNull();
  });
});

describe("the show", () => {
  const moved = { type: "Moved", player: "Ada", origin: "Trailers", area: "Saloon" } as Moved;

  it("takes its time, and less when it is behind", () => {
    expect(duration(moved, "normal", 0)).toBeGreaterThan(duration(moved, "fast", 0));
    expect(duration(moved, "normal", 10)).toBeLessThan(duration(moved, "normal", 0));
    expect([duration(moved, "off", 0), duration(moved, "slow", 99)]).toEqual([0, 0]);
  });

  it("waits for every die of a wrap", () => {
    const wrap = (dice: number[]) => ({ type: "SceneWrapped", dice }) as unknown as SceneWrapped;
    expect(duration(wrap([6, 5, 1]), "normal", 0)).toBeGreaterThan(duration(wrap([]), "normal", 0));
  });

  it("ends with what the server said", () => {
    const sentences = ["One.", "Two."];
    const update: Update = { type: "update", seq: 4, kind: "played", events: [moved, moved], sentences };
    const position = { state: { day: 1 }, scores: [5] } as never;
    expect(stepsOf(update, position).map((step) => [step.sentence, step.after])).toEqual([
      ["One.", null],
      ["Two.", position],
    ]);
  });
});

describe("markdown", () => {
  const text =
    "# Title\n\n## Moving\n\nOne **step** a `turn`,\nnot two.\n\n- first\n  line\n- second *item*\n\n" +
    "| a | b |\n|---|---|\n| 1 | 2 |\n\n## Acting\n\nRoll.";
  const all = blocks(text);

  it("is read in blocks", () => {
    expect(all.map((one) => one.kind)).toEqual([
      "heading",
      "heading",
      "paragraph",
      "list",
      "table",
      "heading",
      "paragraph",
    ]);
    expect(all.map(plainText)).toContain("first line second item");
    expect(all[4]).toMatchObject({ rows: [[[{ text: "1" }], [{ text: "2" }]]] });
  });

  it("never becomes markup", () =>
    expect(inline("<b>*x*")).toEqual([
      { kind: "text", text: "<b>" },
      { kind: "em", text: "x" },
    ]));

  it("is searched with its headings", () => {
    expect(find(all, "ROLL").map(plainText)).toEqual(["Acting", "Roll."]);
    expect(find(all, "")).toHaveLength(all.length);
  });
});

describe("wood type", () => {
  it("is cut for all capitals", () => {
    expect(write("The quick brown fox jumps over the lazy dog's")?.letters).toHaveLength(45);
    expect(write("0123456789 Größe, Übermut - Ärger!")?.letters).toHaveLength(35);
    expect(write("東部")).toBeNull();
  });
});

describe("payments", () => {
  const acted = (dollars: number, credits: number) => ({ type: "Acted", player: "Ada", dollars, credits }) as Acted;

  it("come from acting and from bonuses, and pay for upgrades", () => {
    expect(paymentOf(acted(1, 1))).toMatchObject({ player: "Ada", dollars: 1, credits: 1, inward: true });
    expect(paymentOf({ type: "BonusPaid", player: "Bo", dollars: 7 } as BonusPaid)).toMatchObject({
      player: "Bo",
      dollars: 7,
      credits: 0,
      inward: true,
    });
    expect(paymentOf({ type: "Upgraded", player: "Cy", price: 10, currency: "credits" } as Upgraded)).toMatchObject({
      dollars: 0,
      credits: 10,
      inward: false,
    });
  });

  it("are none where nothing is paid", () => {
    expect(paymentOf(acted(0, 0))).toBeNull();
    expect(paymentOf({ type: "Rehearsed", player: "Ada" } as Rehearsed)).toBeNull();
  });

  it("wait until the die has landed", () => {
    expect(paymentOf(acted(1, 0))?.from).toBeGreaterThan(0.4);
  });

  it("are shown by a few pieces", () => {
    expect(piecesOf({ player: "", dollars: 1, credits: 2, inward: true, from: 0 })).toEqual([
      "dollar",
      "credit",
      "credit",
    ]);
    expect(piecesOf({ player: "", dollars: 40, credits: 0, inward: false, from: 0 })).toHaveLength(6);
  });

  it("fly from one point to the other, and stay in sight", () => {
    const way = arc([10, 20], [300, 40]);
    expect([way[0]?.transform, way.at(-1)?.transform]).toEqual([
      "translate(10px, 20px) scale(0.4)",
      "translate(300px, 40px) scale(0.8)",
    ]);
    expect(within([500, -5], { left: 0, top: 0, right: 360, bottom: 740 })).toEqual([360, 0]);
  });
});

describe("hints", () => {
  const advised = (unit: Hints["unit"], ...values: number[]) => ({
    unit,
    advice: values.map((value, k) => ({ action: `${k}`, value, reason: "" })),
  });

  it("have bars as long as the chances, which tell small differences from large ones", () => {
    expect(bars(advised("chance", 0.227, 0.224))).toEqual([0.227, 0.224]);
    expect(bars(advised("chance", 0, 0))).toEqual([0, 0]);
  });

  it("compare other values with the best one", () => {
    expect(bars(advised("points", 8, 4, -1))).toEqual([1, 0.5, 0]);
    expect(bars(advised("points", -2, -3))).toEqual([0, 0]);
  });

  it("give chances in percent, and other values as they are, as the language writes them", () => {
    expect(figures(advised("chance", 0.251, 0), "en")).toEqual(["25.1%", "0.0%"]);
    expect(figures(advised("points", 12.34, 1), "de")).toEqual(["12,3", "1,0"]);
  });

  it("never take a few points for chances", () => {
    expect(figures(advised("points", 0.5, 0.25), "en")).toEqual(["0.5", "0.3"]);
    expect(bars(advised("points", 0.5, 0.25))).toEqual([1, 0.5]);
  });
});

describe("lettering that fits", () => {
  const half = (text: string) => text.length / 2; // letters half as wide as high
  const room = { width: 50, height: 22, largest: 10, smallest: 5 };

  it("is as large as it may be", () => expect(fittedSize("Town Clock", room, half)).toBe(10));

  it("becomes smaller until all lines fit", () => {
    expect(fittedSize("Governess with a Lantern", room, half)).toBe(7);
    expect(fittedSize("Sarsaparilla", room, half)).toBe(8.25);
  });

  it("breaks after hyphens", () => expect(fittedSize("Black-Hearted", room, half)).toBe(10));
  it("is never smaller than said", () => expect(fittedSize("x".repeat(90), room, half)).toBe(5));
});

describe("figures", () => {
  afterEach(() => (settings.language = "en"));

  it("are written as the language writes them", () => {
    expect([percent(2 / 3), percent(1), percent(0.5235, 1), decimal(2.54)]).toEqual(["67%", "100%", "52.4%", "2.5"]);
    settings.language = "de";
    expect([percent(2 / 3), percent(0.5235, 1), decimal(1234.5)]).toEqual(["67\u00a0%", "52,4\u00a0%", "1.234,5"]);
  });
});
