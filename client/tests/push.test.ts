// What a browser can do about notices, and when the server has to hear of it again.

import { beforeEach, expect, test, vi } from "vitest";
import { hasNotices, tokens } from "../src/logic/memory";
import { isStale, keyBytes, markOf, obstacle, remember, renew, seatAt, type Surroundings } from "../src/logic/push";

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
  expect(hasNotices("CODE")).toBe(true);
  expect(hasNotices("OTHER")).toBe(false);
  remember("CODE", "a", "key", "");
  expect(hasNotices("CODE")).toBe(true);
  remember("CODE", "b", "key", "");
  expect(hasNotices("CODE")).toBe(false);
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

test("a seat is found by its token, among others", async () => {
  const chairs: Record<string, number> = { a: 1, b: 2 };
  const asked = vi.fn((_path: string, { headers }: { headers: Record<string, string> }) => {
    const chair = chairs[headers.authorization?.replace("Bearer ", "") ?? ""];
    const body = JSON.stringify(chair ? { chair } : { sentence: "no chair" });
    const json = { "content-type": "application/json" };
    return Promise.resolve(new Response(body, { status: chair ? 200 : 403, headers: json }));
  });
  vi.stubGlobal("fetch", asked);
  for (const token of ["a", "b", "given up"]) tokens.keep("CODE", token);
  expect(await seatAt("CODE", 1)).toEqual({ token: "a", view: { chair: 1 } });
  expect(asked.mock.calls.map(([path]) => path)).toEqual(Array(3).fill("/api/tables/CODE/notices"));
  tokens.rest("CODE", ["a", "b"]);
  await expect(seatAt("CODE", 1)).rejects.toThrow("no chair");
});
