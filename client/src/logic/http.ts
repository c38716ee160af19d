// Requests to the server, and its data that never changes.

import { untrack } from "svelte";
import { settings } from "./settings.svelte";
import type { About, BoardView, CheckedDeck, Deck, FloorPlan, KitFiles, KitView, Replay } from "../wire";
import { t } from "./text";

export class RequestFailed extends Error {
  constructor(
    sentence: string,
    readonly status = 0, // of the answer; 0 if there was none
  ) {
    super(sentence);
  }
}

/** The language of the settings; changing it does not repeat any request. */
export const chosenLanguage = (): string => untrack(() => settings.language);

type Method = "GET" | "POST" | "PUT" | "DELETE";

export async function request<T>(method: Method, path: string, body?: unknown, token?: string): Promise<T> {
  const isText = typeof body === "string";
  const headers: Record<string, string> = { "accept-language": chosenLanguage() };
  if (token) headers.authorization = `Bearer ${token}`;
  if (body !== undefined) headers["content-type"] = isText ? "text/plain" : "application/json";
  const response = await fetch(path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
  }).catch(() => {
    throw new RequestFailed(t("no server"));
  });
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  const answer: unknown = isJson ? await response.json() : await response.text();
  if (!response.ok)
    throw new RequestFailed((answer as { sentence?: string }).sentence ?? `${response.status}`, response.status);
  return answer as T;
}

const remembered = new Map<string, Promise<unknown>>();

export function once<T>(path: string): Promise<T> {
  const before = remembered.get(path);
  if (before) return before as Promise<T>;
  const requested = request<T>("GET", path);
  requested.catch(() => remembered.delete(path));
  remembered.set(path, requested);
  return requested;
}

export const about = (language: string) => once<About>(`/api/about?language=${language}`);
export const board = (language = chosenLanguage()) => once<BoardView>(`/api/board?language=${language}`);
export const floorPlan = (layout: string) => once<FloorPlan>(`/api/floor-plan?layout=${encodeURIComponent(layout)}`);
export const standardFloorPlan = () => once<FloorPlan>("/api/floor-plan");
export const deck = (name: string, language = chosenLanguage()) =>
  once<Deck>(`/api/decks/${encodeURIComponent(name)}?language=${language}`);
export function kit(deck: string, language: string, files: KitFiles = {}): Promise<KitView> {
  const path = `/api/kit?${new URLSearchParams({ ...(deck ? { deck } : {}), language })}`;
  return files.deck || files.board ? request<KitView>("POST", path, files) : once<KitView>(path);
}
export const rules = (language: string) => once<string>(`/api/rules?language=${language}`);

/** A deck from the text of a file. */
export const checkedDeck = (toml: string) => request<CheckedDeck>("POST", "/api/decks/check", toml);

/** A whole replay, which arrives in parts. */
export async function replay(part: (query: string) => Promise<Replay>, language: string): Promise<Replay> {
  const first = await part(`?first=0&language=${language}`);
  const steps = [...first.steps];
  let last = first;
  while (last.next !== null) {
    last = await part(`?first=${last.next}&language=${language}`);
    steps.push(...last.steps);
  }
  return { ...first, steps, next: null, finale: last.finale };
}
