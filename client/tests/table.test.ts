// A table whose server answers late, out of order, or on another line: what is shown must be the newest.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { arrivals, tokens } from "../src/logic/memory";
import { settings } from "../src/logic/settings.svelte";
import { Table } from "../src/logic/table.svelte";
import type { BoardView, Card, Deck, DeckLabel, FloorPlan, Options, Position, TableView, Update } from "../src/wire";
import { board, floorPlan } from "./board";
import { settle, World } from "./world";

const CODE = "K7RM4TXC";
const OPTIONS = { deck: "classic", layout: "standard", days: null, dice: "fair", ties: "later" } as unknown as Options;
const chair = (id: number) => ({
  id,
  name: `Player ${id}`,
  colour: "red",
  bot: null,
  ready: false,
  stand_in: null,
  left: false,
  remote: false,
});
const POSITION: Position = {
  state: { active: 0, moved: false, players: [], sets: {}, day: 1, unseen: [] },
  scores: [5],
  leaders: [],
  wraps_left: 9,
  offers: [],
  reasons: [],
  undo: { chair: null, sentence: "Nothing can be taken back yet." },
  correction: null,
  stand_in: null,
  clock: null,
  paused: false,
  votes: { pause: [], end: [] },
};
const offering = (...actions: string[]): Position => ({ ...POSITION, offers: actions.map((action) => ({ action })) });

let world: World;
let table: Table;
let decks: Map<string, (deck: Deck) => void>;
let boards: Map<string, BoardView>;
let plans: Map<string, (plan: FloorPlan) => void>;
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

/** Say hello on a new connection; the tokens that were shown. */
function hello(): string[] {
  table.connection.startOver();
  world.comeBack();
  world.latest.open();
  return said("hello")[0]?.tokens ?? [];
}

async function begin(status: TableView["status"]): Promise<void> {
  const position = status === "running" ? POSITION : null;
  const known = { code: CODE, status, seq: 5, game: 1, options: OPTIONS, layout: "AB/CD", host: 1, position };
  const files = { deck: { name: "classic", key: null }, board: { name: "Deadwood", key: null } };
  view = { ...known, ...files, chairs: [chair(1)] } as unknown as TableView;
  world.latest.open();
  await welcome();
}

/** The game goes on. */
const play = (position: Partial<Position>): Promise<unknown> =>
  change({ position: { ...POSITION, ...position } }, { kind: "played" });
const hints = (number: number, seq: number, action: string) =>
  hear({
    type: "hints",
    id: idOf("hint", number),
    seq,
    bot: "star",
    unit: "chance",
    advice: [{ action, value: 1, reason: "" }],
  });

beforeEach(() => {
  localStorage.clear();
  settings.speed = "off";
  world = new World();
  decks = new Map();
  plans = new Map();
  boards = new Map([["", board]]);
  const deck = ({ name, key }: DeckLabel) => new Promise<Deck>((got) => decks.set(key ?? name, got));
  const ofKey = (key: string | null) => {
    const found = boards.get(key ?? "");
    return found ? Promise.resolve(found) : Promise.reject(new Error("no board"));
  };
  const plan = (layout: string) => new Promise<FloorPlan>((got) => plans.set(layout, got));
  table = new Table(CODE, { board: ({ key }) => ofKey(key), deck, floorPlan: plan }, world);
});

describe("what came up last", () => {
  const correction = { chairs: [1], action: "act", outcome: "3", needs: { kind: "dice", count: 1 } };
  const last = { correction } as unknown as Partial<Position>;
  beforeEach(() => begin("running"));

  it("can be corrected by the chairs that the server names", async () => {
    await play(last);
    expect(table.correction?.outcome).toBe("3");
    await play({ correction: { ...correction, chairs: [2] } } as unknown as Partial<Position>);
    expect(table.correction).toBeNull();
    await play({});
    expect(table.correction).toBeNull();
  });

  it("is corrected with the next number, and a refusal is for the dialog", async () => {
    await play(last);
    const answer = table.enter("act", "9", true);
    expect(said("correct")[0]).toMatchObject({ seq: view.seq + 1, outcome: "9" });
    await refuse(idOf("correct"), "A die shows 1 to 6, not 9.");
    expect((await answer)?.sentence).toBe("A die shows 1 to 6, not 9.");
    expect(table.problem).toBe("");
  });

  it("is shown at once, and both are in the log", async () => {
    await play(last);
    const events = [{ type: "OutcomeCorrected" }, { type: "Acted" }] as unknown as Update["events"];
    await change({ position: POSITION }, { kind: "corrected", events, sentences: ["2, not 3.", "Cut!"] });
    expect(table.busy).toBe(false);
    expect(table.log.map(({ text }) => text)).toEqual(["2, not 3.", "Cut!"]);
  });

  it("asks the server which cards fit", async () => {
    const found = table.findCards("rock", false);
    expect(said("find_cards")[0]).toMatchObject({ text: "rock", correcting: false });
    await hear({ type: "cards", id: idOf("find_cards"), cards: [17], card: 17, sentence: null });
    expect((await found)?.card).toBe(17);
  });
});

describe("a problem", () => {
  beforeEach(() => begin("waiting"));

  it("belongs to the latest command", async () => {
    void table.send({ type: "start" });
    void table.send({ type: "add_bot", bot: "star" });
    await refuse(idOf("add_bot"), "The table is full.");
    await refuse(idOf("start"), "Ada is not ready.");
    expect(table.problem).toBe("The table is full.");
  });

  it("is not shown when a later command was done", async () => {
    void table.send({ type: "start" });
    void table.send({ type: "add_bot", bot: "star" });
    await done(idOf("add_bot"));
    await change({ chairs: [chair(1), chair(2)] });
    await refuse(idOf("start"), "Ada is not ready.");
    expect(table.problem).toBe("");
  });

  it("does not come from a second click while the first is on its way", async () => {
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

  it("is answered at once if the server has said already why not", async () => {
    await play({ reasons: [{ actions: ["move bank"], sentence: "There is no doorway.", rule: "R4.1" }] });
    await table.play("move bank");
    expect(table.problem).toBe("There is no doorway.");
    expect(said("play")).toEqual([]);
  });

  it("that is refused late does not hide why the next one is not allowed", async () => {
    void table.play("upgrade 2 dollars");
    table.undo();
    await refuse(idOf("play"), "You are not in the Casting Office.");
    expect(table.problem).toBe("Nothing can be taken back yet.");
    expect(said("undo")).toEqual([]);
  });

  it("is on its way until its effect is seen", async () => {
    await play(offering("act"));
    expect(table.choices.act).not.toBeNull();
    void table.play("act");
    await done(idOf("play"));
    expect(table.choices.act).toBeNull();
    await play(offering("act"));
    expect(table.choices.act).not.toBeNull();
  });

  it("is no longer on its way once a new line brings its effect", async () => {
    void table.play("act");
    await done(idOf("play"));
    world.latest.close();
    world.comeBack();
    world.latest.open();
    view = { ...view, seq: 6, position: offering("rehearse") };
    await welcome();
    expect(table.choices.rehearse).not.toBeNull();
  });
});

describe("undo", () => {
  beforeEach(() => begin("running"));

  it("says why not, unless we hold the chair that may", async () => {
    expect(table.whyNoUndo).toBe("Nothing can be taken back yet.");
    await play({ undo: { chair: 2, sentence: "It was Player 2's action." } });
    expect(table.whyNoUndo).toBe("It was Player 2's action.");
    await play({ undo: { chair: 1, sentence: "It was Player 1's action." } });
    expect(table.whyNoUndo).toBeNull();
  });

  it("says so in another language after a new hello", async () => {
    table.changeLanguage();
    world.comeBack();
    world.latest.open();
    const undo = { chair: null, sentence: "Noch kann nichts zurückgenommen werden." };
    view = { ...view, position: { ...POSITION, undo } };
    await welcome();
    expect(table.whyNoUndo).toBe(undo.sentence);
  });
});

describe("what people must roll or turn", () => {
  beforeEach(() => begin("running"));

  it("is what the offer says", async () => {
    const needs = { kind: "dice", count: 1, wraps: true, bonus_dice: 3, faces: 6 } as const;
    await play({ offers: [{ action: "act", needs }, { action: "rehearse" }] });
    expect(table.needsOf("act")).toEqual(needs);
    expect(table.needsOf("rehearse")).toBeNull();
  });
});

describe("scores", () => {
  beforeEach(() => begin("running"));

  it("are shown with the position they belong to, not before", async () => {
    settings.speed = "slow";
    const events = [{ type: "Upgraded", player: "Player 1" } as never];
    await change({ position: { ...POSITION, scores: [12] } }, { kind: "played", events, sentences: ["Up."] });
    expect(table.scores).toEqual([5]);
    table.skip();
    expect(table.scores).toEqual([12]);
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

  it("are sent alone, and do not overwrite each other", async () => {
    void table.choose({ days: 2 });
    void table.choose({ dice: "table" });
    expect(table.options).toMatchObject({ days: 2, dice: "table" });
    expect(said("choose").map((one) => one.options)).toEqual([{ days: 2 }, { dice: "table" }]);
    await done(idOf("choose"));
    await change({ options: { ...OPTIONS, days: 2 } });
    expect(table.options).toMatchObject({ days: 2, dice: "table" });
    await done(idOf("choose", 1));
    await change({ options: { ...OPTIONS, days: 2, dice: "table" } });
    expect(table.saving).toBe(false);
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
    const refused = table.choose({ layout: "XYZ" });
    const accepted = table.choose({ days: 2 });
    await refuse(idOf("choose"), "There is no section X.");
    expect(table.options).toMatchObject({ layout: "standard", days: 2 });
    await done(idOf("choose", 1));
    await change({ options: { ...OPTIONS, days: 2 } });
    expect(table.problem).toBe("There is no section X.");
    expect(await Promise.all([refused, accepted])).toEqual([false, true]);
    expect(table.saving).toBe(false);
  });
});

const label = (name: string, key: string | null = null) => ({ name, key, cards: 1, fingerprint: "" });
const deckOf = (title: string) => ({ name: title, cards: [{ number: 1, title } as Card] });

describe("the cards", () => {
  it("are those of the deck that was chosen last", async () => {
    await begin("waiting");
    await change({ deck: label("studio") });
    decks.get("studio")?.(deckOf("studio"));
    await settle();
    decks.get("classic")?.(deckOf("classic"));
    await settle();
    expect(table.cards.get(1)?.title).toBe("studio");
  });

  it("are those of the host's own deck, whatever it is called", async () => {
    await begin("waiting");
    decks.get("classic")?.(deckOf("classic"));
    await change({ deck: label("classic", "k1") });
    decks.get("k1")?.(deckOf("own"));
    await settle();
    expect(table.cards.get(1)?.title).toBe("own");
    await change({ deck: label("classic") });
    decks.get("classic")?.(deckOf("classic"));
    await settle();
    expect(table.cards.get(1)?.title).toBe("classic");
  });
});

describe("the floor plan", () => {
  it("is that of the layout that was chosen last, and of none while it is to be drawn", async () => {
    await begin("waiting");
    await change({ layout: "DC/BA" });
    plans.get("DC/BA")?.(floorPlan("DC/BA"));
    await settle();
    plans.get("AB/CD")?.(floorPlan("AB/CD"));
    await settle();
    expect(table.plan?.layout).toBe("DC/BA");
    await change({ layout: null });
    expect(table.plan).toBeNull();
  });
});

describe("the board", () => {
  const own = { ...board, prices: [{ rank: 2, dollars: 1, credits: 1 }] };

  it("changes together with its floor plan", async () => {
    await begin("waiting");
    plans.get("AB/CD")?.(floorPlan("AB/CD"));
    await settle();
    boards.set("k1", own);
    await change({ board: label("Own", "k1"), layout: "DC/BA" });
    expect(table.board).toBe(board);
    plans.get("DC/BA")?.(floorPlan("DC/BA"));
    await settle();
    expect([table.board, table.plan?.layout]).toEqual([own, "DC/BA"]);
  });

  it("stays if another one cannot be loaded, until the next try", async () => {
    await begin("waiting");
    plans.get("AB/CD")?.(floorPlan("AB/CD"));
    await change({ board: label("Own", "k1"), layout: "DC/BA" });
    plans.get("DC/BA")?.(floorPlan("DC/BA"));
    await settle();
    expect([table.board, table.gone]).toEqual([board, ""]);
    boards.set("k1", own);
    await change({});
    plans.get("DC/BA")?.(floorPlan("DC/BA"));
    await settle();
    expect(table.board).toBe(own);
  });
});

describe("another language", () => {
  afterEach(() => (settings.language = "en"));

  it("changes cards, places and the log, which is heard from the beginning", async () => {
    await begin("running");
    decks.get("classic")?.(deckOf("classic"));
    plans.get("AB/CD")?.(floorPlan("AB/CD"));
    await hear({
      type: "update",
      seq: 6,
      kind: "played",
      events: [{ type: "Rehearsed" }],
      sentences: ["Bo rehearses."],
    });
    await settle();
    expect(table.log.map(({ text }) => text)).toEqual(["Bo rehearses."]);
    settings.language = "de";
    const german = { ...board, prices: [] };
    boards.set("", german);
    table.changeLanguage();
    world.comeBack();
    world.latest.open();
    expect(said("hello").at(-1)).toMatchObject({ since: 0, language: "de" });
    view = { ...view, seq: 6 };
    await welcome({
      missed: [{ type: "update", seq: 6, kind: "played", events: [{ type: "Rehearsed" }], sentences: ["Bo probt."] }],
    });
    decks.get("classic")?.(deckOf("klassisch"));
    plans.get("AB/CD")?.(floorPlan("AB/CD"));
    await settle();
    expect(table.log.map(({ text }) => text)).toEqual(["Bo probt."]);
    expect(table.cards.get(1)?.title).toBe("klassisch");
    expect(table.board).toBe(german);
    expect(table.connection.next).toBe(7);
  });
});

describe("a table that does not exist", () => {
  it("says so, and is not tried again", async () => {
    world.latest.open();
    await hear({ type: "refused", id: null, code: "table_unknown", sentence: "There is no table here." });
    expect(table.gone).toBe("There is no table here.");
    expect(world.sockets).toHaveLength(1);
  });
});

describe("a chair", () => {
  beforeEach(() => begin("waiting"));

  it("stays ours when the line is lost before the server heard of it", async () => {
    void table.sit("Bo", null);
    const token = said("sit")[0]?.token as string;
    world.latest.close();
    world.comeBack();
    world.latest.open();
    expect(said("hello")[0]?.tokens).toEqual([token]);
    await welcome({ unknown: [0] });
    await done(idOf("sit"), { chair: 2 });
    await change({ chairs: [chair(1), chair(2)] });
    expect(tokens.of(CODE)).toEqual([token]);
    expect(table.held).toEqual([1, 2]);
  });

  it("is held once, although both the answer and a new line say so", async () => {
    void table.sit("Bo", null);
    view = { ...view, seq: 6, chairs: [chair(1), chair(2)] };
    world.latest.close();
    world.comeBack();
    world.latest.open();
    await welcome({ held: [1, 2] });
    await hear({ type: "done", id: idOf("sit"), seq: 6, chair: 2 });
    expect(table.held).toEqual([1, 2]);
  });

  it("that is unknown rests, whatever was kept meanwhile", async () => {
    tokens.keep(CODE, "old");
    hello();
    tokens.rest(CODE, ["old"]);
    tokens.keep(CODE, "new");
    await welcome({ unknown: [0] });
    expect(tokens.of(CODE)).toEqual(["new"]);
  });

  it("that is unknown once is shown again, and is ours when the server knows it again", async () => {
    tokens.keep(CODE, "old");
    hello();
    await welcome({ unknown: [0], held: [] });
    expect(tokens.of(CODE)).toEqual([]);
    expect(hello()).toEqual(["old"]);
    await welcome({ held: [1] });
    expect(tokens.of(CODE)).toEqual(["old"]);
  });

  it("is not forgotten when the database does not answer, though the server may have given it to us", async () => {
    const seated = table.sit("Bo", null);
    const token = said("sit")[0]?.token as string;
    await refuse(idOf("sit"), "The database did not answer.", "not_stored");
    expect(await seated).toBe(false);
    expect(hello()).toEqual([token]);
    await welcome({ held: [1, 2] });
    expect(tokens.of(CODE)).toEqual([token]);
  });

  it("stays ours with a server that is lost, restarts, or does not know the table", async () => {
    tokens.keep(CODE, "mine");
    hello();
    await welcome();
    await hear({ type: "goodbye", retry_after: 1 });
    world.latest.close();
    world.comeBack();
    world.latest.open();
    await hear({ type: "refused", code: "table_unknown", sentence: "There is no table K7RM-4TXC." });
    expect(table.gone).toContain("no table");
    expect(tokens.of(CODE)).toEqual(["mine"]);
  });

  it("stays ours with an older server, which does not say what was taken over", async () => {
    tokens.keep(CODE, "mine");
    hello();
    await welcome({ unknown: [], taken: undefined });
    expect([tokens.of(CODE), table.takenAway]).toEqual([["mine"], []]);
  });
});

describe("a handover", () => {
  const SECRET = "0123456789abcdef".repeat(4);
  beforeEach(() => begin("waiting"));

  it("of our seat is reported, once", async () => {
    tokens.keep(CODE, "mine");
    hello();
    await welcome({ held: [1] });
    await change({}, { kind: "taken_over", chair: 1 });
    world.comeBack();
    world.latest.open();
    const gone = { held: [], unknown: [0], taken: [{ number: 0, chair: 1 }] };
    await welcome(gone);
    expect(table.takenAway).toEqual(["Player 1"]);
    table.takenAway = [];
    expect(hello()).toEqual(["mine"]);
    await welcome(gone);
    expect(table.takenAway).toEqual([]);
  });

  it("does not disturb people whom it does not concern", async () => {
    const before = world.sockets.length;
    await change({}, { kind: "taken_over", chair: 2 });
    expect(world.latest.readyState).toBe(1);
    expect(world.sockets).toHaveLength(before);
  });

  it("brings its companions, without a new connection for each", async () => {
    view = { ...view, chairs: [chair(1), chair(2), chair(3)] };
    const before = world.sockets.length;
    const taken = table.takeOver(SECRET, 2);
    for (const [number, id] of [2, 3].entries()) {
      await hear({ type: "done", id: idOf("take_over", number), seq: view.seq + 1, chair: id });
      await change({}, { kind: "taken_over", chair: id });
    }
    expect(await taken).toBe(true);
    expect(table.held).toEqual([1, 2, 3]);
    expect(tokens.of(CODE)).toEqual(said("take_over").map(({ token }) => token));
    expect(world.sockets).toHaveLength(before);
  });

  it("is not ours if somebody was faster, and the sentence says so", async () => {
    const taken = table.takeOver(SECRET, 1);
    await refuse(idOf("take_over"), "This link has been used.", "handover_used");
    expect([await taken, table.problem, tokens.of(CODE)]).toEqual([false, "This link has been used.", []]);
  });

  it("is handed over together with its companions, and a refusal of any of them is reported", async () => {
    const made = table.handOver([1, 2], SECRET);
    expect(said("hand_over")).toMatchObject([1, 2].map((chair) => ({ chair, secret: SECRET })));
    await refuse(idOf("hand_over", 0), "Somebody else plays for Player 1.");
    await done(idOf("hand_over", 1), { seq: view.seq });
    expect([await made, table.problem]).toEqual([false, "Somebody else plays for Player 1."]);
  });

  it("is shown at once when a personal key brings its token", async () => {
    tokens.adopt(CODE, { ["a".repeat(64)]: 5 });
    arrivals.announce(["OTHER234"]);
    expect(world.latest.readyState).toBe(1);
    arrivals.announce([CODE]);
    world.comeBack();
    world.latest.open();
    expect(said("hello")[0]?.tokens).toEqual(["a".repeat(64)]);
  });
});

describe("another game", () => {
  beforeEach(async () => {
    await begin("finished");
    await welcome({ held: [1, 2, 3] });
  });

  it("is wanted by everybody at this screen at once, however often they click", async () => {
    void table.agree(true);
    void table.agree(true);
    expect(said("agree").map((one) => one.chair)).toEqual([1, 2, 3]);
    expect(new Set(said("agree").map((one) => one.salt)).size).toBe(3);
    for (const number of [0, 1, 2]) await done(idOf("agree", number), { seq: view.seq });
    void table.agree(false);
    expect(said("agree").slice(3)).toMatchObject([1, 2, 3].map((chair) => ({ chair, salt: null })));
  });
});

describe("the log", () => {
  const moved = (seq: number, ...sentences: string[]): Partial<Update> => ({
    kind: "played",
    events: sentences.map(() => ({ type: "Moved", player: "Player 1", origin: "A1", area: "A2" }) as never),
    sentences,
    seq,
  });
  const texts = () => table.log.map(({ text }) => text);

  beforeEach(() => begin("running"));

  it("has everything, even if an action is taken back while earlier ones are shown", async () => {
    settings.speed = "slow";
    await change({}, moved(6, "One.", "Two."));
    await change({}, { ...moved(7, "Three."), kind: "undone" });
    expect(texts()).toEqual(["One.", "Two.", "Three."]);
  });

  it("has nothing twice, however often we ask what we missed", async () => {
    const missed = [6, 7].map((seq) => ({ type: "update", ...moved(seq, `Number ${seq}.`) }));
    await hear({ type: "update", ...moved(7, "Number 7.") });
    await hear({ type: "update", ...moved(8, "Number 8.") });
    expect(said("sync")).toHaveLength(2);
    view = { ...view, seq: 7 };
    await welcome({ id: "sync", missed });
    view = { ...view, seq: 8 };
    await welcome({ id: "sync", missed: [...missed, { type: "update", ...moved(8, "Number 8.") }] });
    expect(texts()).toEqual(["Number 6.", "Number 7.", "Number 8."]);
  });

  it("does not go back to an older picture", async () => {
    const older = view;
    await change({}, moved(6, "One."));
    await hear({ type: "welcome", id: "sync", table: older, held: [1], missed: [], unknown: [], present: [1] });
    expect(table.view?.seq).toBe(6);
    expect(table.connection.next).toBe(7);
  });
});
