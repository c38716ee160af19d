// Lessons: whole ones from the engine, taken through a table; and what happens when the server says no, or nothing.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LessonChannel } from "../src/lessons/channel";
import { hasLearned, progressOf, reach } from "../src/lessons/progress";
import { lessonTexts } from "../src/text/lessons";
import { browser } from "../src/logic/connection";
import { pageOf } from "../src/logic/route.svelte";
import { settings } from "../src/logic/settings.svelte";
import { Table } from "../src/logic/table.svelte";
import type { BoardView, Deck, FloorPlan, LessonView } from "../src/wire";
import { recorded } from "./games";
import { settle } from "./world";

const { lessons, board, plans } = recorded() as {
  lessons: Record<string, LessonView[]>;
  board: BoardView;
  plans: Record<string, FloorPlan>;
};
const NAMES = Object.keys(lessons);
const sources = {
  board: async () => board,
  deck: async () => ({ name: "classic", cards: [] }) as Deck,
  floorPlan: async () => plans.standard as FloorPlan,
};

type Reply = { status?: number; body: unknown };
interface Asked {
  method: string;
  path: string;
  query: URLSearchParams;
  body: { step: number; action: string } | null;
}
let asked: Asked[];
let reply: (asked: Asked) => Reply | Promise<Reply>;

const steps = (name: string) => lessons[name] ?? expect.fail(name);
const stepOf = (name: string, step: number) => steps(name)[step] ?? expect.fail(`${name} ${step}`);
/** The action that goes on from a step. */
const goesOn = (name: string, step: number) => stepOf(name, step + 1).happened[0]?.action ?? expect.fail();

/** A server that knows the lessons. */
function lessonServer({ method, path, query, body }: Asked): Reply {
  const name = path.split("/").at(-1) ?? "";
  if (!(name in lessons)) return { status: 404, body: { type: "refused", code: "lesson_unknown", sentence: "No." } };
  const wanted = Number(query.get("step") ?? 0);
  if (method === "GET" && wanted >= steps(name).length)
    return { status: 400, body: { type: "refused", code: "query_invalid", sentence: "Too far." } };
  if (method === "GET") return { body: stepOf(name, wanted) };
  const { step, action } = body ?? expect.fail();
  if (action === goesOn(name, step)) return { body: stepOf(name, step + 1) };
  return { body: { type: "not_now", sentence: `Not ${action}.`, rule: null } };
}

let table: Table;
let reached: LessonView[];

async function open(name: string, step = 0): Promise<void> {
  reached = [];
  table = new Table(
    name,
    sources,
    browser,
    () => [],
    (made) => new LessonChannel(name, step, made, (view) => reached.push(view)),
  );
  await settle();
}

beforeEach(() => {
  localStorage.clear();
  settings.speed = "off";
  settings.language = "en";
  asked = [];
  reply = lessonServer;
  vi.stubGlobal("fetch", async (address: string, how: { method: string; body?: string }) => {
    const { pathname, searchParams } = new URL(address, "http://here");
    const one = {
      method: how.method,
      path: pathname,
      query: searchParams,
      body: how.body ? JSON.parse(how.body) : null,
    };
    asked.push(one);
    const { status = 200, body } = await reply(one);
    return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
  });
});

afterEach(() => {
  table?.end();
  vi.unstubAllGlobals();
});

describe.each(NAMES)("%s", (name) => {
  it("is taken from start to end, and shows what the engine says", async () => {
    await open(name);
    for (let step = 0; step < steps(name).length - 1; step++) {
      const now = stepOf(name, step);
      expect(reached.at(-1)).toEqual(now);
      expect(table.shown).toEqual(now.table.position?.state);
      expect(table.scores).toEqual(now.table.position?.scores);
      expect(table.myTurn).toBe(true);
      await table.play(goesOn(name, step));
      await settle();
      expect(table.problem).toBe("");
    }
    expect(reached.at(-1)?.step).toBe(steps(name).length - 1);
    expect(table.shown).toEqual(steps(name).at(-1)?.table.position?.state);
    expect(table.view?.status).toBe(steps(name).at(-1)?.table.status);
    const lines = steps(name).flatMap(({ happened }) => happened.flatMap(({ sentences }) => sentences ?? []));
    expect(table.log.map(({ text }) => text)).toEqual(lines);
  });

  it("resumes where somebody left", async () => {
    await open(name, 2);
    expect(table.shown).toEqual(stepOf(name, 2).table.position?.state);
    expect(table.log.length).toBeGreaterThan(0);
    await table.play(goesOn(name, 2));
    expect(reached.at(-1)?.step).toBe(3);
  });
});

it("says why another action has to wait, and stays", async () => {
  await open("first-scene");
  const offers = table.position?.offers.map(({ action }) => action) ?? [];
  for (const action of offers.filter((one) => one !== goesOn("first-scene", 0))) {
    await table.play(action);
    expect(table.problem).toBe(`Not ${action}.`);
    expect(reached).toHaveLength(1);
  }
  await table.play("move hotel");
  expect(table.problem).toContain("no doorway"); // the engine's own reason, without a request
  expect(asked).toHaveLength(offers.length);
  await table.play(goesOn("first-scene", 0));
  expect(table.problem).toBe("");
  expect(reached).toHaveLength(2);
});

it("asks for nothing more when it is over", async () => {
  const last = steps("first-scene").length - 1;
  await open("first-scene", last);
  await table.play("end");
  expect(asked.map(({ method }) => method)).toEqual(["GET"]);
});

it("takes nothing back", async () => {
  await open("first-scene", 1);
  await table.hint();
  table.undo();
  await settle();
  expect(asked).toHaveLength(1);
});

it("begins at the start if the step does not exist any more", async () => {
  await open("first-scene", 19);
  expect(reached.map(({ step }) => step)).toEqual([0]);
});

it("says that there is no such lesson", async () => {
  await open("juggling");
  expect(table.gone).toBe("No.");
});

it("says when the server does not answer, and tries again", async () => {
  reply = () => Promise.reject(new Error("offline"));
  await open("first-scene");
  expect(table.problem).toContain("server cannot be reached");
  expect(table.view).toBeNull();
  reply = lessonServer;
  table.connection.check();
  await settle();
  expect(reached).toHaveLength(1);
  reply = () => Promise.reject(new Error("offline"));
  await table.play(goesOn("first-scene", 0));
  expect(table.problem).toContain("server cannot be reached");
  reply = lessonServer;
  await table.play(goesOn("first-scene", 0));
  expect(reached.at(-1)?.step).toBe(1);
});

it("ignores what arrives when it was left", async () => {
  let answer = (_: Reply) => {};
  reply = () => new Promise((done) => (answer = done));
  await open("first-scene");
  table.end();
  answer({ body: stepOf("first-scene", 0) });
  await settle();
  expect(reached).toEqual([]);
  expect(table.view).toBeNull();
});

it("changes its language and stays at its step, without telling everything again", async () => {
  await open("first-scene", 2);
  const lines = table.log.length;
  settings.language = "de";
  table.changeLanguage();
  await settle();
  expect(asked.at(-1)?.query.get("language")).toBe("de");
  expect(asked.at(-1)?.query.get("step")).toBe("2");
  expect(table.log).toHaveLength(lines);
  expect(reached.at(-1)?.step).toBe(2);
});

describe("progress", () => {
  it("is kept, and a lesson that was done begins again", () => {
    expect(hasLearned()).toBe(false);
    expect(progressOf("ranks")).toEqual({ step: 0, done: false });
    reach("ranks", 3, 5);
    expect(progressOf("ranks")).toEqual({ step: 3, done: false });
    reach("ranks", 5, 5);
    expect(progressOf("ranks")).toEqual({ step: 0, done: true });
    reach("ranks", 1, 5);
    expect(progressOf("ranks")).toEqual({ step: 1, done: true });
    expect(progressOf("first-scene")).toEqual({ step: 0, done: false });
    expect(hasLearned()).toBe(true);
  });

  it.each([
    "nonsense",
    '{"ranks": {"step": "3"}}',
    '{"ranks": {"step": -1, "done": 1}}',
    '{"ranks": null}',
    "null",
    "7",
  ])("is none if what was kept makes no sense: %s", (text) => {
    localStorage.setItem("deadwood lessons", text);
    expect(progressOf("ranks")).toEqual({ step: 0, done: false });
    reach("ranks", 2, 5);
    expect(progressOf("ranks").step).toBe(2);
  });
});

it("has an address for every lesson", () => {
  expect(pageOf("/learn")).toEqual({ name: "learn", lesson: "" });
  expect(pageOf("/learn/ranks")).toEqual({ name: "learn", lesson: "ranks" });
});

it("has every text in every language", () => {
  const holes = (text: string) => text.match(/\{\w+\}/g) ?? [];
  for (const [key, text] of Object.entries(lessonTexts.en))
    expect(holes(lessonTexts.de[key as keyof typeof lessonTexts.de])).toEqual(holes(text));
});
