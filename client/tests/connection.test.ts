import { beforeEach, describe, expect, it } from "vitest";
import { after, Connection, pause, type Status } from "../src/logic/connection";
import type { Message, Position, TableView, Update, Welcome } from "../src/wire";
import { World } from "./world";

const table = (seq: number) => ({ seq, game: 1, status: "running", position: null }) as unknown as TableView;
const welcome = (seq: number, more: Partial<Welcome> = {}) => ({
  type: "welcome",
  id: null,
  table: table(seq),
  held: [1],
  missed: [],
  unknown: [],
  present: [1],
  ...more,
});
const update = (seq: number) => ({ type: "update", seq, kind: "played" }) as Update;

let world: World;
let heard: {
  status: Status[];
  updates: number[];
  welcomes: boolean[];
  refused: string[];
  unknown: string[];
  present: (readonly number[])[];
};
let connection: Connection;
const latest = () => world.latest;
const said = () => latest().sent.map((one) => one.type);

beforeEach(() => {
  world = new World();
  heard = { status: [], updates: [], welcomes: [], refused: [], unknown: [], present: [] };
  const listener = {
    statusChanged: (status: Status) => heard.status.push(status),
    welcome: (_: Welcome, first: boolean) => heard.welcomes.push(first),
    update: ({ seq }: Update) => heard.updates.push(seq),
    refused: ({ sentence }: { sentence: string }) => heard.refused.push(sentence),
    unknown: ({ sentence }: { sentence: string }) => heard.unknown.push(sentence),
    pending: () => {},
    present: (chairs: readonly number[]) => heard.present.push(chairs),
  };
  connection = new Connection(
    "ws://here",
    () => ["token"],
    () => "en",
    listener,
    world,
  );
});

describe("a connection", () => {
  it("says hello first, with its tokens", () => {
    latest().open();
    expect(latest().sent[0]).toEqual({ type: "hello", tokens: ["token"], since: 0, language: "en", explain: true });
    expect(connection.next).toBe(1);
  });

  it("sends commands once it is welcome", () => {
    void connection.send({ type: "start" });
    latest().open();
    expect(said()).toEqual(["hello"]);
    latest().hear(welcome(3));
    expect(said()).toEqual(["hello", "start"]);
  });

  it("repeats an unanswered command under the same id, and an answered one never", async () => {
    latest().open();
    latest().hear(welcome(3));
    const first = connection.send({ type: "play", seq: 4, action: "act", outcome: null });
    void connection.send({ type: "start" });
    const ids = latest()
      .sent.slice(1)
      .map((one) => one.id);
    latest().hear({ type: "done", id: ids[0], seq: 4 });
    expect(await first).toMatchObject({ type: "done" });
    latest().close();
    world.comeBack();
    latest().open();
    latest().hear(welcome(4));
    expect(
      latest()
        .sent.slice(1)
        .map((one) => one.id),
    ).toEqual([ids[1]]);
  });

  it("comes back with what it has seen, and says so", () => {
    latest().open();
    latest().hear(welcome(3));
    latest().hear(update(4));
    latest().close();
    expect(heard.status.at(-1)).toBe("lost");
    world.comeBack();
    latest().open();
    expect(latest().sent[0]).toMatchObject({ since: 4 });
    latest().hear(welcome(7));
    expect(heard.status.at(-1)).toBe("open");
    expect(heard.welcomes).toEqual([true, false]);
  });

  it("ignores what it knows, and asks for what it missed", () => {
    latest().open();
    latest().hear(welcome(3));
    latest().hear(update(3));
    latest().hear(update(4));
    latest().hear(update(6));
    expect(heard.updates).toEqual([4]);
    expect(latest().sent.at(-1)).toMatchObject({ type: "sync", since: 4 });
  });

  it("waits as long as the server said", () => {
    latest().open();
    latest().hear({ type: "goodbye", retry_after: 2 });
    latest().close();
    expect(world.timers.at(-1)?.wait).toBe(2000);
  });

  it("takes a silent line for dead", () => {
    latest().open();
    world.timers.at(-1)?.work();
    expect(heard.status.at(-1)).toBe("lost");
  });

  it("waits neither for a line that does not open nor for the farewell of a dead one", () => {
    latest().close = () => {};
    world.timers.at(-1)?.work();
    expect(heard.status.at(-1)).toBe("lost");
    world.comeBack();
    expect(world.sockets).toHaveLength(2);
    world.sockets[0]?.hear(welcome(9));
    expect(heard.welcomes).toEqual([]);
  });

  it("asks after a silence whether anybody is there", () => {
    latest().open();
    latest().hear(welcome(3));
    world.timers.at(-1)?.work();
    expect(latest().sent.at(-1)).toMatchObject({ type: "ping" });
    expect(heard.status.at(-1)).toBe("open");
    latest().hear({ type: "pong", id: "ping", seq: 3 });
    expect(latest().sent.at(-1)).toMatchObject({ type: "ping" });
    world.timers.at(-1)?.work();
    world.timers.at(-1)?.work();
    expect(heard.status.at(-1)).toBe("lost");
  });

  it("asks at once when the network is said to have gone or come", () => {
    latest().open();
    latest().hear(welcome(3));
    connection.check();
    expect(latest().sent.at(-1)).toMatchObject({ type: "ping" });
    latest().close();
    connection.check();
    expect(world.sockets).toHaveLength(2);
  });

  it("asks for what it has missed when the table is further than it knows", () => {
    latest().open();
    latest().hear(welcome(3));
    latest().hear({ type: "pong", id: "ping", seq: 5 });
    expect(latest().sent.at(-1)).toMatchObject({ type: "sync", since: 3 });
  });

  it("ends for good", () => {
    latest().open();
    const before = world.timers.length;
    connection.end();
    expect(world.timers).toHaveLength(before);
    expect(world.sockets).toHaveLength(1);
  });

  it("reports who is here, at first and as people come and go", () => {
    latest().open();
    latest().hear(welcome(3));
    latest().hear({ type: "present", chairs: [1, 2] });
    expect(heard.present).toEqual([[1], [1, 2]]);
  });

  it("reports refusals", () => {
    latest().open();
    latest().hear(welcome(3));
    latest().hear({ type: "refused", code: "stale", sentence: "The table has moved on.", table: table(5) } as Message);
    expect(heard.refused).toEqual(["The table has moved on."]);
    expect(latest().sent.at(-1)).toMatchObject({ type: "sync", since: 3 });
  });

  it("ends when there is no such table", () => {
    latest().open();
    latest().hear({ type: "refused", code: "table_unknown", sentence: "There is no table here." } as Message);
    expect(heard.unknown).toEqual(["There is no table here."]);
    expect(heard.refused).toEqual([]);
    world.comeBack();
    connection.check();
    expect(world.sockets).toHaveLength(1);
  });

  it("tries again when it was refused for another reason", () => {
    latest().open();
    latest().hear({ type: "refused", code: "too_many_requests", sentence: "Wait a second." } as Message);
    latest().close();
    world.comeBack();
    expect(world.sockets).toHaveLength(2);
  });
});

it("pauses longer and longer, and never all at once", () => {
  expect([0, 1, 2, 10].map((attempt) => pause(attempt, 1))).toEqual([500, 1000, 2000, 8_000]);
  expect(pause(3, 0)).toBe(2000);
});

it("puts an update into the table", () => {
  const position = { offers: [{ action: "act" }] } as unknown as Position;
  expect(after(table(3), { ...update(4), position })).toMatchObject({ seq: 4, position });
  expect(after({ ...table(3), position }, update(4)).position).toBe(position);
  expect(after(table(3), { ...update(4), table: table(9) }).seq).toBe(9);
});
