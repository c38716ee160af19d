// Times and links that people read.

import { afterEach, describe, expect, it } from "vitest";
import { absent, clockText, linkFor, secondsLeft, secretIn, spanText, whyNotSit } from "../src/logic/absence";
import { consent } from "../src/logic/rematch";
import { settings } from "../src/logic/settings.svelte";
import type { TableView } from "../src/wire";

afterEach(() => (settings.language = "en"));

describe("a countdown", () => {
  it("passes only while it runs", () => {
    const countdown = { chair: 1, seconds: 80, runs: true, at: 1_000 };
    expect(secondsLeft(countdown, 21_000)).toBe(60);
    expect(secondsLeft({ ...countdown, runs: false }, 21_000)).toBe(80);
    expect(secondsLeft(countdown, 900_000)).toBe(0);
  });

  it("is read like a clock", () => {
    expect([80, 5, 0, 59.2, 3599, 3600, 86_399, 86_400, 200_000].map(clockText)).toEqual([
      "1:20",
      "0:05",
      "0:00",
      "1:00",
      "59:59",
      "1 h 0 min",
      "23 h 59 min",
      "1 d 0 h",
      "2 d 7 h",
    ]);
  });
});

describe("a link that works once", () => {
  const secret = "0123456789abcdef".repeat(4);

  it("holds its secret where no server sees it", () => {
    const { hash, pathname, search } = new URL(linkFor("http://x/t/K7RM4TXC", "seat", secret));
    expect(pathname + search).toBe("/t/K7RM4TXC");
    expect(secretIn(hash, "seat")).toBe(secret);
    expect(secretIn(hash, "invitation")).toBeNull();
  });

  it("is ignored when it is damaged", () => {
    expect(secretIn("#seat=0123", "seat")).toBeNull();
    expect(secretIn("", "seat")).toBeNull();
  });
});

it("the time that a link works is said in words", () => {
  expect([60, 599.8, 600, 3600, 86_400].map(spanText)).toEqual([
    "1 minute",
    "10 minutes",
    "10 minutes",
    "60 minutes",
    "24 hours",
  ]);
  settings.language = "de";
  expect([600, 86_400].map(spanText)).toEqual(["10 Minuten", "24 Stunden"]);
});

it("the server says why nobody can sit down, unless they bring an invitation", () => {
  const invited = `#invitation=${"0a".repeat(32)}`;
  const view = { sit_refusal: "It is locked.", kept: 1 } as TableView;
  expect(whyNotSit(view, "")).toBe("It is locked.");
  expect(whyNotSit(view, "#invitation=0a")).toBe("It is locked.");
  expect(whyNotSit(view, invited)).toBeNull();
  expect(whyNotSit({ ...view, kept: 0 }, invited)).toBe("It is locked."); // all invitations are used
  expect(whyNotSit({ ...view, sit_refusal: null }, "")).toBeNull();
});

it("nobody is away while our own connection is lost", () => {
  const chair = {
    id: 1,
    name: "Ada",
    colour: "red",
    bot: null,
    ready: true,
    stand_in: null,
    left: false,
    remote: false,
  };
  const chairs = [chair, { ...chair, id: 2, bot: "star" }, { ...chair, id: 3, left: true }, { ...chair, id: 4 }];
  expect(absent(chairs, [4]).map(({ id }) => id)).toEqual([1]);
  expect(absent(chairs, null)).toEqual([]);
});

it("a bot that plays from elsewhere can be away, and is asked for another game", () => {
  const chair = {
    id: 1,
    name: "Ada",
    colour: "red",
    bot: null,
    ready: true,
    stand_in: null,
    left: false,
    remote: false,
  };
  const chairs = [
    chair,
    { ...chair, id: 2, name: "Rex", bot: "star" },
    { ...chair, id: 3, name: "Wanda", bot: "walker", remote: true },
  ];
  expect(absent(chairs, [1]).map(({ id }) => id)).toEqual([3]);
  expect(consent(chairs, [1], [1], [1, 3]).missing).toEqual(["Wanda"]);
});
