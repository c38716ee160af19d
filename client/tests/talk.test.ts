// Talk as this browser hears it: muting, counting what is unread, and what is not sent while we are offline.

import { beforeEach, describe, expect, it } from "vitest";
import type { Answer, NewCommand } from "../src/logic/connection";
import { Talk, wordsOf, type Place } from "../src/logic/talk.svelte";
import type { TalkLine } from "../src/wire";

const line = (number: number, more: Partial<TalkLine> = {}): TalkLine => ({
  number,
  name: "Bo",
  chair: 2,
  text: `line ${number}`,
  ...more,
});
const spectator = (number: number, more: Partial<TalkLine> = {}): TalkLine => ({
  number,
  name: "Zoe",
  voice: "f00d",
  text: "Nice hat",
  ...more,
});
const refused = (code: string, sentence: string): Answer => ({ type: "refused", code, sentence });
const numbers = (lines: readonly TalkLine[]) => lines.map(({ number }) => number);

let place: { -readonly [name in keyof Place]: Place[name] };
let sent: NewCommand[];
let answer: (command: NewCommand) => Answer;
let timers: (() => void)[];
let talk: Talk;
const newTalk = () => new Talk(place, (work) => timers.push(work));

beforeEach(() => {
  localStorage.clear();
  sent = [];
  timers = [];
  answer = () => ({ type: "heard", id: "", number: 9 });
  const send = (command: NewCommand) => {
    sent.push(command);
    return Promise.resolve(answer(command));
  };
  place = { code: "K7RM4TXC", status: "open", held: [1], activeChair: null, connection: { send } };
  talk = newTalk();
});

describe("what others say", () => {
  it("is unread until it is in sight, and stays read after a reload", () => {
    talk.welcome([line(1), line(2)]);
    talk.said(line(3, { chair: 1 })); // our own
    expect(talk.unread).toBe(2);
    talk.look(true);
    expect(talk.unread).toBe(0);
    talk.said(line(4));
    talk.look(false);
    expect(talk.unread).toBe(0);
    talk = newTalk();
    talk.welcome([line(4), line(5)]);
    expect(talk.unread).toBe(1);
  });

  it("is announced as it comes, and not when we come", () => {
    talk.welcome([line(1)]);
    talk.said(line(2, { text: "", reaction: "hat" }));
    talk.said(line(3, { chair: 1 }));
    expect(talk.news.map(wordsOf)).toEqual(["Hats off!"]);
  });

  it("is gone when the host clears it", () => {
    talk.welcome([line(1), line(2), line(3)]);
    talk.cleared(2);
    expect(numbers(talk.heard)).toEqual([3]);
  });

  it("is bounded", () => {
    for (let number = 1; number <= 150; number += 1) talk.said(line(number));
    expect(talk.lines.length).toBe(100);
  });

  it("of players stays, whatever spectators say", () => {
    talk.said(line(1));
    for (let number = 2; number <= 150; number += 1) talk.said(spectator(number));
    expect(numbers(talk.lines).slice(0, 2)).toEqual([1, 51]);
    expect(talk.lines.length).toBe(101);
  });

  it("shows a reaction of a player for a moment, the latest one", () => {
    talk.said(line(1, { reaction: "hat" }));
    talk.said(line(2, { reaction: "mug" }));
    talk.said(spectator(3, { reaction: "bang" }));
    timers[0]?.();
    expect([...talk.reactions].map(([chair, { reaction }]) => [chair, reaction])).toEqual([[2, "mug"]]);
    timers[1]?.();
    expect(talk.reactions.size).toBe(0);
  });
});

describe("muting", () => {
  it("silences one person at this table, in this browser", () => {
    talk.welcome([line(1), spectator(2), line(3, { chair: 3, name: "Cy" })]);
    talk.mute(line(1));
    talk.said(line(4, { name: "Bo by another name", reaction: "hat" }));
    expect(numbers(talk.heard)).toEqual([2, 3]);
    expect([talk.unread, talk.news.length, talk.reactions.size]).toEqual([2, 0, 0]);
    talk = newTalk();
    talk.welcome([line(1), spectator(2)]);
    expect(numbers(talk.heard)).toEqual([2]);
    expect(talk.muted).toEqual({ "chair 2": "Bo" });
    talk.unmute("chair 2");
    expect(numbers(talk.heard)).toEqual([1, 2]);
    expect(new Talk({ ...place, code: "OTHER" }).muted).toEqual({});
  });

  it("lets players silence all spectators", () => {
    talk.welcome([line(1), spectator(2)]);
    talk.hush(true);
    expect(numbers(talk.heard)).toEqual([1]);
    place.held = [];
    expect(numbers(talk.heard)).toEqual([1, 2]);
  });

  it("is remembered for a few tables only", () => {
    for (let number = 0; number < 40; number += 1) new Talk({ ...place, code: `T${number}` }).hush(true);
    expect(Object.keys(JSON.parse(localStorage.getItem("deadwood talk") ?? "{}")).length).toBe(24);
    expect(new Talk({ ...place, code: "T39" }).quiet).toBe(true);
  });
});

describe("what we say", () => {
  it("leaves the field once it was heard", async () => {
    talk.draft = " Howdy ";
    await talk.say();
    expect(sent).toEqual([{ type: "say", text: "Howdy", chair: 1 }]);
    expect(talk.draft).toBe("");
  });

  it("stays in the field while we are offline, and when it is refused", async () => {
    talk.draft = "Howdy";
    place.status = "lost";
    await talk.say();
    expect([sent.length, talk.draft]).toEqual([0, "Howdy"]);
    expect(talk.problem).toContain("offline");
    place.status = "open";
    answer = () => refused("talk_too_fast", "Not so fast!");
    await talk.say();
    expect([talk.draft, talk.problem, talk.nameless]).toEqual(["Howdy", "Not so fast!", false]);
    answer = () => ({ type: "heard", id: "", number: 1 });
    await talk.say();
    expect([talk.draft, talk.problem]).toEqual(["", ""]);
  });

  it("stays if something else was typed meanwhile", async () => {
    talk.draft = "Howdy";
    answer = () => {
      talk.draft = "Howdy, all";
      return { type: "heard", id: "", number: 1 };
    };
    await talk.say();
    expect(talk.draft).toBe("Howdy, all");
  });

  it("does not wait for a reaction that is still on its way", async () => {
    const send = place.connection.send;
    place.connection = {
      send: (command) => (command.type === "react" ? new Promise<Answer>(() => {}) : send(command)),
    };
    void talk.react("mug");
    talk.draft = "Howdy";
    place.status = "lost";
    await talk.say();
    expect(talk.problem).toContain("offline");
    place.status = "open";
    await talk.say();
    expect([talk.draft, talk.problem]).toEqual(["", ""]);
  });

  it("is said by whoever is up at a shared screen, or was chosen", async () => {
    place.held = [1, 2];
    place.activeChair = { id: 2 };
    await talk.react("mug");
    talk.speaker = 1;
    await talk.react("mug");
    expect(sent.map((one) => "chair" in one && one.chair)).toEqual([2, 1]);
  });

  it("needs a name from a spectator, and knows the spectator's own lines afterwards", async () => {
    place.held = [];
    talk.draft = "Nice hat";
    await talk.say();
    expect([sent.length, talk.nameless]).toEqual([0, true]);
    talk.name = "Zoe";
    answer = () => {
      talk.said(spectator(9));
      return { type: "heard", id: "", number: 9 };
    };
    await talk.say();
    expect(sent[0]).toMatchObject({ name: "Zoe", voice: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(talk.isOurs(spectator(9))).toBe(true);
    answer = () => refused("name_taken", "Taken.");
    await talk.react("hat");
    expect(talk.nameless).toBe(true);
  });
});
