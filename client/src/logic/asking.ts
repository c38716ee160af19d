// Requests to the server, and what never changes there.

import { untrack } from "svelte";
import { settings } from "./settings.svelte";
import type { About, BoardView, Deck, Replay } from "../wire";
import { t } from "./text";

export class Refused extends Error {}

export async function ask<T>(method: "GET" | "POST", path: string, body?: unknown, token?: string): Promise<T> {
  const plain = typeof body === "string";
  const language = untrack(() => settings.language); // who changes it need not ask everything again
  const headers: Record<string, string> = { "accept-language": language };
  if (body !== undefined) headers["content-type"] = plain ? "text/plain" : "application/json";
  if (token) headers.authorization = `Bearer ${token}`;
  const response = await fetch(path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: plain ? body : JSON.stringify(body) }),
  }).catch(() => {
    throw new Refused(t("no server"));
  });
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  const answer: unknown = isJson ? await response.json() : await response.text();
  if (!response.ok) throw new Refused((answer as { sentence?: string }).sentence ?? `${response.status}`);
  return answer as T;
}

const remembered = new Map<string, Promise<unknown>>();

function once<T>(path: string): Promise<T> {
  const before = remembered.get(path);
  if (before) return before as Promise<T>;
  const asked = ask<T>("GET", path);
  asked.catch(() => remembered.delete(path));
  remembered.set(path, asked);
  return asked;
}

export const about = () => once<About>("/api/about");
export const board = () => once<BoardView>("/api/board");
export const deck = (name: string) => once<Deck>(`/api/decks/${encodeURIComponent(name)}`);
export const rules = (language: string) => once<string>(`/api/rules?language=${language}`);

/** A whole replay; it comes a part at a time. */
export async function replay(part: (query: string) => Promise<Replay>, language: string): Promise<Replay> {
  const whole = await part(`?first=0&language=${language}`);
  const steps = [...whole.steps];
  for (let next = whole.next; next !== null;) {
    const more = await part(`?first=${next}&language=${language}`);
    steps.push(...more.steps);
    next = more.next;
  }
  return { ...whole, steps, next: null };
}
