// A table whose server answers late, out of order, or on another line: what is shown must be the newest.

import { beforeEach, describe, expect, it } from "vitest";
import { tokens } from "../src/logic/memory";
import { settings } from "../src/logic/settings.svelte";
import { Table } from "../src/logic/table.svelte";
import type { Card, Offer, Options, TableView, Update } from "../src/wire";
import { view as board } from "./board";
import { settle, World } from "./line";

const CODE = "K7RM4TXC";
const OPTIONS = { deck: "classic", layout: "standard", days: null, dice: "fair", ties: "later" } as unknown as Options;
const seat = (number: number) => ({ seat: number, name: `Player ${number}`, colour: "red", bot: null, ready: false });

let world: World;
let table: Table;
let decks: Map<string, (cards: ReadonlyMap<number, Card>) => void>;
let view: TableView;

const said = (type: string) => world.latest.sent.filter((one) => one.type === type);
const idOf = (type: string, number = 0) => said(type)[number]?.id as string;

function hear(message: object): Promise<unknown> {
  world.latest.hear(message);
  return settle();
}

const refuse = (id: string, sentence: string, code = "refused") => hear({ type: "refused", id, code, sentence });
const done = (id: string, more: object = {}) => hear({ type: "done", id, seq: view.seq + 1, ...more });

/** The table changes, and everybody hears of it. */
function change(changed: Partial<TableView>, more: Partial<Update> = {}): Promise<unknown> {
  view = { ...view, ...changed, seq: view.seq + 1 };
  return hear({ type: "update", seq: view.seq, kind: "chosen", table: view, ...more });
}

function welcome(more: object = {}): Promise<unknown> {
  return hear({ type: "welcome", id: null, table: view, held: [1], missed: [], unknown: [], present: [1], ...more });
}

async function begin(status: TableView["status"]): Promise<void> {
  const state = status === "running" ? { active: 0, players: [], sets: {}, day: 1, unseen: [] } : null;
  view = { code: CODE, status, seq: 5, game: 1, options: OPTIONS, host: 1, seats: [seat(1)], offers: [] } as never;
  view = { ...view, state } as unknown as TableView;
  world.latest.open();
  await welcome();
}

const choices = (seq: number, refused: readonly Offer[] = [], undo: string | null = null, number = 0) =>
  hear({ type: "choices", id: idOf("choices", number), seq, choices: refused, undo });
const hints = (number: number, seq: number, action: string) =>
  hear({ type: "hints", id: idOf("hint", number), seq, bot: "star", advice: [{ action, value: 1, reason: "" }] });

beforeEach(() => {
  localStorage.clear();
  settings.speed = "off";
  world = new World();
  decks = new Map();
  table = new Table(CODE, board, (deck) => new Promise((got) => decks.set(deck, got)), world);
});

describe("a problem", () => {
  beforeEach(() => begin("waiting"));

  it("belongs to the latest command", async () => {
    void table.wish({ type: "start" });
    void table.wish({ type: "add_bot", level: "star" });
    await refuse(idOf("add_bot"), "The table is full.");
    await refuse(idOf("start"), "Ada is not ready.");
    expect(table.problem).toBe("The table is full.");
  });

  it("is not shown when a later command was done", async () => {
    void table.wish({ type: "start" });
    void table.wish({ type: "add_bot", level: "star" });
    await done(idOf("add_bot"));
    await change({ seats: [seat(1), seat(2)] });
    await refuse(idOf("start"), "Ada is not ready.");
    expect(table.problem).toBe("");
  });

  it("does not come of a second click while the first is on its way", async () => {
    void table.once({ type: "start" });
    void table.once({ type: "start" });
    expect(said("start")).toHaveLength(1);
    await refuse(idOf("start"), "Ada is not ready.");
    void table.once({ type: "start" });
    expect(said("start")).toHaveLength(2);
  });

  it("without a command is shown", async () => {
    await hear({ type: "refused", id: null, code: "too_many_requests", sentence: "Wait a second." });
    expect(table.problem).toBe("Wait a second.");
  });
});

describe("an action", () => {
  beforeEach(() => begin("running"));

  it("is answered at once where the server said already why not", async () => {
    await choices(5, [{ action: "move bank", refusal: "There is no doorway." }]);
    await table.play("move bank");
    expect(table.problem).toBe("There is no doorway.");
    expect(said("move")).toEqual([]);
  });

  it("that is refused late does not hide why the next one is not allowed", async () => {
    void table.play("upgrade 2 dollars");
    await choices(5, [], "Nothing can be taken back yet.");
    table.undo();
    await refuse(idOf("move"), "You are not in the Casting Office.");
    expect(table.problem).toBe("Nothing can be taken back yet.");
    expect(said("undo")).toEqual([]);
  });

  it("is on its way until its effect is seen", async () => {
    view = { ...view, offers: [{ action: "act" }] };
    await welcome();
    expect(table.choices.act).not.toBeNull();
    void table.play("act");
    await done(idOf("move"));
    expect(table.choices.act).toBeNull();
    await change({ offers: [{ action: "act" }] });
    expect(table.choices.act).not.toBeNull();
  });

  it("is on its way no more when a new line brings its effect", async () => {
    void table.play("act");
    await done(idOf("move"));
    world.latest.close();
    world.comeBack();
    world.latest.open();
    view = { ...view, seq: 6, offers: [{ action: "rehearse" }] };
    await welcome();
    expect(table.choices.rehearse).not.toBeNull();
  });
});

describe("what the server explains", () => {
  beforeEach(() => begin("running"));

  it("never gives way to an older explanation", async () => {
    await change({}, { kind: "played" });
    await choices(6, [], "Too late.", 1);
    await choices(5, [], "Nothing yet.", 0);
    expect(table.whyNoUndo).toBe("Too late.");
  });

  it("is no problem when it comes too late to be asked", async () => {
    await refuse(idOf("choices"), "No game is running.");
    expect(table.problem).toBe("");
  });

  it("is asked for anew in another language", async () => {
    await choices(5, [], "Nothing yet.");
    table.speak();
    expect(table.whyNoUndo).toBeNull();
    world.comeBack();
    world.latest.open();
    await welcome();
    expect(said("choices")).toHaveLength(1);
  });
});

describe("a hint", () => {
  beforeEach(() => begin("running"));

  it("is shown for the table as it is, however late others come", async () => {
    void table.hint();
    await change({}, { kind: "played" });
    void table.hint();
    await hints(1, 6, "rehearse");
    await hints(0, 5, "act");
    expect(table.hints?.advice[0]?.action).toBe("rehearse");
  });

  it("is thought about until its own answer comes", async () => {
    void table.hint();
    await change({}, { kind: "played" });
    expect(table.thinking).toBe(false);
    void table.hint();
    await hints(0, 5, "act");
    expect(table.thinking).toBe(true);
    await hints(1, 6, "rehearse");
    expect(table.thinking).toBe(false);
  });

  it("is asked for once", async () => {
    void table.hint();
    void table.hint();
    expect(said("hint")).toHaveLength(1);
  });

  it("goes when the table went on while the line was lost", async () => {
    void table.hint();
    await hints(0, 5, "act");
    expect(table.hints).not.toBeNull();
    world.latest.close();
    world.comeBack();
    world.latest.open();
    view = { ...view, seq: 7 };
    await welcome();
    expect(table.hints).toBeNull();
  });
});

describe("options", () => {
  beforeEach(() => begin("waiting"));

  it("that change quickly do not overwrite each other", async () => {
    void table.choose({ days: 2 });
    void table.choose({ dice: "table" });
    expect(table.options).toMatchObject({ days: 2, dice: "table" });
    expect(said("choose")).toHaveLength(1);
    await done(idOf("choose"));
    expect(said("choose")).toHaveLength(1);
    await change({ options: { ...OPTIONS, days: 2 } });
    expect(said("choose").map((one) => one.options)).toMatchObject([{ days: 2 }, { days: 2, dice: "table" }]);
  });

  it("are put onto what the table has now", async () => {
    void table.choose({ days: 2 });
    void table.choose({ dice: "table" });
    await change({ options: { ...OPTIONS, ties: "shared" } });
    await done(idOf("choose"));
    await change({ options: { ...OPTIONS, ties: "shared", days: 2 } });
    expect(said("choose")[1]?.options).toMatchObject({ ties: "shared", days: 2, dice: "table" });
  });

  it("are being saved until all see them", async () => {
    expect(table.saving).toBe(false);
    void table.choose({ days: 2 });
    expect(table.saving).toBe(true);
    await done(idOf("choose"));
    expect(table.saving).toBe(true);
    await change({ options: { ...OPTIONS, days: 2 } });
    expect(table.saving).toBe(false);
  });

  it("that are refused are not shown, but the reason is, and later ones are chosen", async () => {
    void table.choose({ layout: "XYZ" });
    void table.choose({ days: 2 });
    await refuse(idOf("choose"), "There is no section X.");
    expect(table.options).toMatchObject({ layout: "standard", days: 2 });
    expect(said("choose")[1]?.options).toMatchObject({ layout: "standard", days: 2 });
    await done(idOf("choose", 1));
    await change({ options: { ...OPTIONS, days: 2 } });
    expect(table.problem).toBe("There is no section X.");
    expect(table.saving).toBe(false);
  });
});

describe("the cards", () => {
  it("are those of the deck that was chosen last", async () => {
    const cards = (title: string) => new Map([[1, { title } as Card]]);
    await begin("waiting");
    await change({ options: { ...OPTIONS, deck: "studio" } });
    decks.get("studio")?.(cards("studio"));
    await settle();
    decks.get("classic")?.(cards("classic"));
    await settle();
    expect(table.cards.get(1)?.title).toBe("studio");
  });
});

describe("a seat", () => {
  beforeEach(() => begin("waiting"));

  it("stays ours when the line is lost before the server heard of it", async () => {
    void table.sit("Bo", null);
    const token = said("sit")[0]?.token as string;
    world.latest.close();
    world.comeBack();
    world.latest.open();
    expect(said("hello")[0]?.tokens).toEqual([token]);
    await welcome({ unknown: [0] });
    await done(idOf("sit"), { seat: 2 });
    await change({ seats: [seat(1), seat(2)] });
    expect(tokens.of(CODE)).toEqual([token]);
    expect(table.held).toEqual([1, 2]);
  });

  it("is held once, although both the answer and a new line say so", async () => {
    void table.sit("Bo", null);
    view = { ...view, seq: 6, seats: [seat(1), seat(2)] };
    world.latest.close();
    world.comeBack();
    world.latest.open();
    await welcome({ held: [1, 2] });
    await hear({ type: "done", id: idOf("sit"), seq: 6, seat: 2 });
    expect(table.held).toEqual([1, 2]);
  });

  it("that is unknown is forgotten, whatever was kept meanwhile", async () => {
    tokens.keep(CODE, "old");
    table.connection.again();
    world.comeBack();
    world.latest.open();
    tokens.drop(CODE, ["old"]);
    tokens.keep(CODE, "new");
    await welcome({ unknown: [0] });
    expect(tokens.of(CODE)).toEqual(["new"]);
  });
});

describe("the log", () => {
  const told = (seq: number, ...sentences: string[]): Partial<Update> => ({
    kind: "played",
    events: sentences.map(() => ({ type: "Moved", player: "Player 1", origin: "A1", area: "A2" }) as never),
    told: sentences,
    seq,
  });
  const texts = () => table.log.map(({ text }) => text);

  beforeEach(() => begin("running"));

  it("tells everything, even if an action is taken back while earlier ones are shown", async () => {
    settings.speed = "slow";
    await change({}, told(6, "One.", "Two."));
    await change({}, { ...told(7, "Three."), kind: "undone" });
    expect(texts()).toEqual(["One.", "Two.", "Three."]);
  });

  it("tells nothing twice, however often we ask what we missed", async () => {
    const missed = [6, 7].map((seq) => ({ type: "update", ...told(seq, `Number ${seq}.`) }));
    await hear({ type: "update", ...told(7, "Number 7.") });
    await hear({ type: "update", ...told(8, "Number 8.") });
    expect(said("sync")).toHaveLength(2);
    view = { ...view, seq: 7 };
    await welcome({ id: "sync", missed });
    view = { ...view, seq: 8 };
    await welcome({ id: "sync", missed: [...missed, { type: "update", ...told(8, "Number 8.") }] });
    expect(texts()).toEqual(["Number 6.", "Number 7.", "Number 8."]);
  });

  it("does not go back to an older picture", async () => {
    const older = view;
    await change({}, told(6, "One."));
    await hear({ type: "welcome", id: "sync", table: older, held: [1], missed: [], unknown: [], present: [1] });
    expect(table.view?.seq).toBe(6);
    expect(table.connection.next).toBe(7);
  });
});
