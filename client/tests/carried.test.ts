// What a personal key carries: it merges in any order, fits, and survives whatever a file may hold.

import { beforeEach, describe, expect, it } from "vitest";
import { adopt, asText, fitting, gather, merge, unwrapped, wrapped, type Carried } from "../src/logic/carried";
import { reconcile, type Keeper } from "../src/logic/carrying.svelte";
import { tokens, visits } from "../src/logic/memory";
import { isNear, newPhrase, readPhrase } from "../src/logic/phrase";
import { derive, roomIn, seal, unseal } from "../src/logic/sealing";
import { WORDS } from "../src/logic/words";
import type { Bundle } from "../src/wire";

/** The same numbers for the same seed. */
function chance(seed: number): (below: number) => number {
  let state = seed + 1;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const CODES = ["AAAAAAAA", "BBBBBBBB", "CCCCCCCC"];
const token = (number: number) => number.toString(16).padStart(64, "0");

function someTable(pick: (below: number) => number): Carried[string] {
  const stamps = Array.from({ length: pick(4) }, () => [token(pick(6)), (pick(2) ? 1 : -1) * (1 + pick(5))]);
  const result = { game: 1 + pick(2), at: pick(4), players: ["Ada", "Bo"], winners: [pick(2) ? "Ada" : "Bo"] };
  return {
    at: pick(5),
    ...(pick(2) && { names: [["Ada"], ["Bo"], ["Ada", "Cy"]][pick(3)] as string[] }),
    ...(pick(2) && { removed: pick(6) }),
    ...(pick(2) && { result }),
    tokens: Object.fromEntries(stamps) as Record<string, number>,
  };
}

const some = (pick: (below: number) => number): Carried =>
  Object.fromEntries(CODES.filter(() => pick(3)).map((code) => [code, someTable(pick)]));
const same = (one: Carried, other: Carried) => expect(asText(one)).toBe(asText(other));

beforeEach(() => localStorage.clear());

describe("merging", () => {
  it("gives the same in any order, and counts nothing twice", () => {
    for (let seed = 0; seed < 500; seed++) {
      const pick = chance(seed);
      const [a, b, c] = [some(pick), some(pick), some(pick)];
      same(merge(a, b), merge(b, a));
      same(merge(merge(a, b), c), merge(a, merge(b, c)));
      same(merge(merge(a, b), b), merge(a, b));
    }
  });

  it("loses no token that holds a chair somewhere, unless it was refused later", () => {
    const held = { AAAAAAAA: { at: 1, tokens: { [token(1)]: 5, [token(2)]: 5 } } };
    const refused = { AAAAAAAA: { at: 2, tokens: { [token(1)]: -4, [token(2)]: -6 } } };
    expect(merge(held, refused).AAAAAAAA).toEqual({ at: 2, tokens: { [token(1)]: 5, [token(2)]: -6 } });
  });

  it("takes a table off the list everywhere, until somebody goes there again", () => {
    visits.add("AAAAAAAA", ["Ada"]);
    const before = gather();
    visits.remove("AAAAAAAA");
    adopt(before);
    expect(visits.all()).toEqual([]);
    adopt({ AAAAAAAA: { at: Date.now() + 1000, tokens: {} } });
    expect(visits.all().map(({ code, names }) => [code, names])).toEqual([["AAAAAAAA", ["Ada"]]]);
  });
});

describe("a browser", () => {
  it("keeps what it had, and adds what came", () => {
    tokens.keep("AAAAAAAA", token(1));
    visits.add("AAAAAAAA", ["Ada"]);
    const news = adopt({
      AAAAAAAA: { at: 1, tokens: { [token(2)]: 7 } },
      BBBBBBBB: { at: 9, names: ["Bo"], tokens: { [token(3)]: 8 } },
    });
    expect(news).toEqual(["AAAAAAAA", "BBBBBBBB"]);
    expect(tokens.of("AAAAAAAA")).toEqual([token(2), token(1)]);
    expect(tokens.of("BBBBBBBB")).toEqual([token(3)]);
    expect(visits.all().map(({ code }) => code)).toEqual(["AAAAAAAA", "BBBBBBBB"]);
    expect(adopt(gather())).toEqual([]);
  });

  it("shows at most eight tokens, and forgets no valid one for an invalid one", () => {
    for (let number = 0; number < 12; number++) tokens.keep("AAAAAAAA", token(number));
    expect(tokens.of("AAAAAAAA")).toHaveLength(8);
    tokens.rest("AAAAAAAA", tokens.of("AAAAAAAA").slice(1)); // as the server says
    expect(tokens.shown("AAAAAAAA")).toContain(token(4));
    expect(Object.keys(tokens.stamps("AAAAAAAA"))).toContain(token(3));
  });

  it("of an earlier release keeps its seats", () => {
    localStorage.setItem("deadwood seats AAAAAAAA", JSON.stringify([token(1)]));
    localStorage.setItem("deadwood visits", JSON.stringify([{ code: "AAAAAAAA", at: 3 }]));
    same(gather(), { AAAAAAAA: { at: 3, tokens: { [token(1)]: 1 } } });
  });
});

describe("a text", () => {
  it("holds everything", () => {
    const all = some(chance(3));
    same(unwrapped(wrapped(all)) as Carried, merge(all, {}));
  });

  it("that is not ours is refused", () => {
    for (const text of [
      "",
      "{}",
      "[]",
      "null",
      "7",
      '{"deadwood":"seats","format":2,"tables":{}}',
      wrapped({}).slice(1),
    ])
      expect(unwrapped(text)).toBeNull();
  });

  it("brings nothing that is wrong", () => {
    const tables = {
      AAAAAAAA: { at: 1, names: [7, "Ada", "x".repeat(300)], tokens: { short: 1, [token(1)]: "x", [token(2)]: 2 } },
      BBBBBBBB: { at: -1, tokens: {} },
      "../../x": { at: 1, tokens: {} },
      CCCCCCCC: { at: 1, tokens: [], result: { game: "x" }, more: "<script>" },
      DDDDDDDD: null,
    };
    same(unwrapped(JSON.stringify({ deadwood: "seats", format: 1, tables })) as Carried, {
      AAAAAAAA: { at: 1, names: ["Ada"], tokens: { [token(2)]: 2 } },
      CCCCCCCC: { at: 1, tokens: {} },
    });
  });

  it("fits: seats first, then the latest", () => {
    const table = (at: number, held: boolean) => ({ at, tokens: held ? { [token(1)]: 1 } : {} });
    const all = Object.fromEntries(
      Array.from({ length: 2000 }, (_, number) => [`AAAA${1000 + number}`, table(number, number < 100)]),
    );
    const kept = fitting(all, roomIn(64 * 1024));
    expect(new TextEncoder().encode(wrapped(kept)).length).toBeLessThanOrEqual(roomIn(64 * 1024));
    expect(Object.keys(kept).length).toBeGreaterThan(200);
    for (let number = 0; number < 100; number++) expect(kept).toHaveProperty(`AAAA${1000 + number}`);
    expect(kept).toHaveProperty("AAAA2999");
    expect(kept).not.toHaveProperty("AAAA1100");
  });
});

describe("the words", () => {
  it("are 512, and no two are alike", () => {
    expect(new Set(WORDS).size).toBe(512);
    expect(new Set(WORDS.map((word) => word.slice(0, 4))).size).toBe(512);
    for (const word of WORDS) expect(word).toMatch(/^[a-z]{3,9}$/);
    const alike = WORDS.flatMap((one) => WORDS.filter((other) => one < other && isNear(one, other)));
    expect(alike).toEqual([]);
  });

  it("are read however they are typed", () => {
    const phrase = newPhrase();
    expect(phrase.split(" ")).toHaveLength(9);
    const typed = phrase.split(" ");
    expect(readPhrase(`  1. ${typed.join(",\n 2) ").toUpperCase()} `)).toEqual({ phrase });
    expect(readPhrase(typed.map((word) => word.slice(0, 4)).join("-"))).toEqual({ phrase });
    expect(readPhrase(typed.slice(1).join(" "))).toEqual({ missing: 1 });
    expect(readPhrase(`${phrase} apple`)).toEqual({ missing: -1 });
    expect(readPhrase(" , ")).toEqual({ empty: true });
  });

  it("that are wrong are named, with the one that was meant", () => {
    expect(readPhrase("cactsu apple")).toEqual({ wrong: "cactsu", meant: "cactus" });
    expect(readPhrase("apples")).toEqual({ wrong: "apples", meant: "apple" });
    expect(readPhrase("schlüssel")).toEqual({ wrong: "schlüssel", meant: null });
  });
});

describe("sealing", () => {
  const PHRASE = "anchor angel animal apple april arrow artist aunt autumn";

  it("derives the same id for ever, and opens only with the same words", async () => {
    const { id, secret } = await derive(PHRASE);
    expect(id).toBe("7abfb587bb8e2d128708bc185d8dbde9f667d43a85abeabe16ec179e9d6ec203");
    const sealed = await seal(secret, "{}");
    expect(sealed).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
    expect((await unseal(secret, sealed))?.trim()).toBe("{}");
    expect(await unseal((await derive(newPhrase())).secret, sealed)).toBeNull();
    expect(await unseal(secret, `AAAA${sealed.slice(4)}`)).toBeNull();
    expect(await unseal(secret, "junk")).toBeNull();
    expect(await seal(secret, "{}")).not.toBe(sealed);
  });

  it("fills what a server takes, and no more", async () => {
    const { secret } = await derive(PHRASE);
    expect((await seal(secret, "x".repeat(roomIn(65_536)))).length).toBeLessThanOrEqual(65_536);
  });
});

/** A server that compares and swaps. Answers come late, in an order that the seed chooses, and some get lost. */
class Shelf {
  bundle: Bundle = { version: 0 };
  private waiting: (() => void)[] = [];

  constructor(private readonly pick: (below: number) => number) {}

  private async later<T>(work: () => T): Promise<T> {
    await new Promise<void>((go) => this.waiting.push(go));
    const answer = work();
    await new Promise<void>((go) => this.waiting.push(go));
    if (!this.pick(8)) throw new Error("lost");
    return answer;
  }

  keeper: Keeper = {
    read: () => this.later(() => this.bundle),
    swap: ({ version, sealed }) =>
      this.later(() => {
        if (version !== this.bundle.version) return this.bundle;
        this.bundle = { version: version + 1, sealed };
        return { version: version + 1, stored: true };
      }),
  };

  /** Let things happen until nothing is left to happen. */
  async run(work: Promise<unknown>[]): Promise<void> {
    let over = false;
    const all = Promise.allSettled(work).then(() => (over = true));
    while (!over) {
      await new Promise((done) => setTimeout(done));
      this.waiting.splice(this.pick(this.waiting.length), 1)[0]?.();
    }
    await all;
  }
}

describe("browsers with the same key", () => {
  it("end up with the same data and lose nothing, whichever is faster and whatever gets lost on the way", async () => {
    const { secret } = await derive("a key");
    for (let seed = 0; seed < 12; seed++) {
      const pick = chance(seed);
      const shelf = new Shelf(pick);
      const browsers = [some(pick), some(pick), some(pick)];
      let everything: Carried = {};
      const compare = (number: number) =>
        reconcile(
          shelf.keeper,
          secret,
          () => browsers[number] as Carried,
          (carried) => (browsers[number] = merge(browsers[number] as Carried, carried)),
        );
      for (let round = 0; round < 3; round++) {
        for (const [number, before] of browsers.entries()) browsers[number] = merge(before, some(pick));
        everything = browsers.reduce(merge, everything);
        await shelf.run([0, 1, 2].map(compare));
      }
      for (let round = 0; round < 40 && browsers.some((one) => asText(one) !== asText(everything)); round++)
        await shelf.run([compare(round % 3)]);
      for (const browser of browsers) same(browser, everything);
    }
  });

  it("never overwrite what they cannot read", async () => {
    const [mine, other] = [await derive("one"), await derive("another")];
    const keeper: Keeper = {
      read: async () => ({ version: 3, sealed: await seal(other.secret, wrapped({})) }),
      swap: () => expect.unreachable(),
    };
    await expect(reconcile(keeper, mine.secret, gather, () => undefined)).rejects.toThrow();
  });
});
