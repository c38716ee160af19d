// The games that a browser remembers, however many and whatever a server says.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { tokens, visits } from "../src/logic/memory";
import { groupOf, lookUp, resultOf, turnsIn, unknownYet } from "../src/logic/my_games";
import { Watch } from "../src/logic/turns.svelte";
import type { MyTable } from "../src/wire";

let asked: { code: string; tokens: string[] }[];
let answer: (code: string) => Partial<MyTable>;

function serve(status = 200): void {
  vi.stubGlobal("fetch", (_: string, { body }: { body: string }) => {
    asked = JSON.parse(body).tables;
    const tables = asked.map(({ code }) => ({ code, status: null, ...answer(code) }));
    const answered = JSON.stringify(status === 200 ? { tables } : { sentence: "No." });
    return Promise.resolve(new Response(answered, { status, headers: { "content-type": "application/json" } }));
  });
}

const code = (number: number) => `AAAAA${100 + number}`;
const STANDINGS = [
  { name: "Ada", place: 1, score: 9 },
  { name: "Bo", place: 2, score: 5 },
] as unknown as MyTable["standings"];
const CHAIRS = [{ name: "Ada" }, { name: "Bo" }] as unknown as MyTable["chairs"];
const finished: Partial<MyTable> = { status: "finished", game: 2, chairs: CHAIRS, standings: STANDINGS, finished: 5e9 };

beforeEach(() => {
  localStorage.clear();
  answer = () => ({ status: "running" });
  serve();
});
afterEach(() => vi.unstubAllGlobals());

describe("my games", () => {
  it("where we are up come first, and are counted", async () => {
    for (const number of [1, 2, 3]) visits.add(code(number));
    answer = (one) => ({ status: "running", mine: one === code(2) });
    const found = await lookUp();
    expect(found.map(groupOf)).toEqual(["turn now", "now running", "now running"]);
    expect(found[0]?.visit.code).toBe(code(2));
    expect(turnsIn(found)).toBe(1);
  });

  it("are asked about in one request, the unfinished ones first", async () => {
    for (let number = 0; number < 80; number++) visits.add(code(number), ["Ada"]);
    visits.finish(code(79), { game: 1, at: Date.now() + 9e6, players: ["Ada"], winners: ["Ada"], place: 1 });
    const found = await lookUp();
    expect(asked).toHaveLength(64);
    expect(asked.map((one) => one.code)).not.toContain(code(79));
    expect(found).toHaveLength(80);
    expect(groupOf(found.find(({ visit }) => visit.code === code(79)) as never)).toBe("now finished");
  });

  it("stay on the list with their result when the server is gone, or no longer knows them", async () => {
    visits.add(code(1), ["Bo"]);
    tokens.keep(code(1), "a".repeat(64));
    answer = () => finished;
    await lookUp();
    answer = () => ({ status: null });
    const [gone] = await lookUp();
    expect(groupOf(gone as never)).toBe("no longer there");
    expect(resultOf(gone as never)).toMatchObject({ winners: ["Ada"], place: 2, players: ["Ada", "Bo"] });
    serve(500);
    await expect(lookUp()).rejects.toThrow();
    expect(unknownYet().map(groupOf)).toEqual(["now finished"]);
    expect(tokens.of(code(1))).toEqual(["a".repeat(64)]);
  });

  it("show tokens that a server refused once, too", async () => {
    visits.add(code(1));
    tokens.keep(code(1), "a".repeat(64));
    tokens.rest(code(1), ["a".repeat(64)]);
    await lookUp();
    expect(asked[0]?.tokens).toEqual(["a".repeat(64)]);
  });
});

describe("looking again", () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
  afterEach(() => vi.useRealTimers());

  it("happens less and less often while nothing changes, and at once when somebody comes back", async () => {
    let looks = 0;
    const watch = new Watch(() => Promise.resolve(++looks < 0));
    watch.now();
    await vi.advanceTimersByTimeAsync(0);
    expect(looks).toBe(1);
    await vi.advanceTimersByTimeAsync(3_600_000);
    const inAnHour = looks;
    expect(inAnHour).toBeLessThan(40);
    for (let times = 0; times < 50; times++) watch.now();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(looks).toBeLessThanOrEqual(inAnHour + 2);
    expect(looks).toBeGreaterThan(inAnHour);
    watch.end();
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(looks).toBeLessThanOrEqual(inAnHour + 2);
  });
});
