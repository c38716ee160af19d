// What a browser can do about notices, and when the server has to hear of it again.

import { beforeEach, expect, test, vi } from "vitest";
import { tokens } from "../src/logic/memory";
import {
  isOn,
  isStale,
  keyBytes,
  markOf,
  obstacle,
  remember,
  renew,
  seatsOf,
  type Surroundings,
} from "../src/logic/push";

const able: Surroundings = { secure: true, hasPush: true, needsInstalling: false, permission: "default" };

beforeEach(() => {
  localStorage.clear();
  vi.unstubAllGlobals();
});

test("what keeps a browser from getting notices", () => {
  expect(obstacle(able)).toBeNull();
  expect(obstacle({ ...able, permission: "granted" })).toBeNull();
  expect(obstacle({ ...able, permission: "denied" })).toBe("denied");
  expect(obstacle({ ...able, hasPush: false })).toBe("unsupported");
  expect(obstacle({ ...able, hasPush: false, needsInstalling: true })).toBe("install");
  expect(obstacle({ ...able, secure: false, hasPush: false })).toBe("insecure");
});

test("an address is known by its mark, and a key by its bytes", async () => {
  expect(await markOf("abc")).toBe("ba7816bf8f01cfea"); // as SHA-256 of it begins
  expect([...keyBytes("-_8")]).toEqual([251, 255]);
});

test("this browser is remembered seat by seat", () => {
  remember("CODE", "a", "key", "mark");
  remember("CODE", "b", "key", "mark");
  expect(isOn("CODE")).toBe(true);
  expect(isOn("OTHER")).toBe(false);
  remember("CODE", "a", "key", "");
  expect(isOn("CODE")).toBe(true);
  remember("CODE", "b", "key", "");
  expect(isOn("CODE")).toBe(false);
});

test("the server hears of it again after a change, or after a day", () => {
  const one = { token: "a", key: "key", mark: "m", language: "en", at: 0 };
  expect(isStale(one, "m", "en", 1000)).toBe(false);
  expect(isStale(one, "n", "en", 1000)).toBe(true);
  expect(isStale(one, "m", "de", 1000)).toBe(true);
  expect(isStale(one, "m", "en", 86_400_001)).toBe(true);
});

test("a browser that has not asked for notices asks nobody anything", async () => {
  const asked = vi.fn();
  vi.stubGlobal("fetch", asked);
  tokens.keep("CODE", "a");
  await renew("CODE");
  expect(asked).not.toHaveBeenCalled();
});

test("every seat of this browser is looked up with its own token", async () => {
  tokens.keep("CODE", "a");
  tokens.keep("CODE", "b");
  const answer = (token: string) =>
    token === "b"
      ? new Response(JSON.stringify({ chair: 2 }), { headers: { "content-type": "application/json" } })
      : new Response(JSON.stringify({ sentence: "no chair" }), {
          status: 403,
          headers: { "content-type": "application/json" },
        });
  const asked = vi.fn((path: string, { headers }: { headers: Record<string, string> }) =>
    Promise.resolve(answer(headers.authorization?.replace("Bearer ", "") ?? path)),
  );
  vi.stubGlobal("fetch", asked);
  expect(await seatsOf("CODE")).toEqual([{ token: "b", view: { chair: 2 } }]);
  expect(asked.mock.calls.map(([path]) => path)).toEqual(Array(2).fill("/api/tables/CODE/notices"));
  tokens.drop("CODE", ["b"]);
  await expect(seatsOf("CODE")).rejects.toThrow("no chair");
});
