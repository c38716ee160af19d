// What a personal key or a file carries between browsers: all seats and the history. Two of them merge without loss, in
// any order: times and names only grow, and for a token the latest information counts.

import { allNames, bounded, MOST_NAMES, tokens, visits, type Result, type Stamps, type Visit } from "./memory";

export interface CarriedTable extends Omit<Visit, "code"> {
  tokens: Stamps;
}

/** By the codes of tables. */
export type Carried = Record<string, CarriedTable>;

export const FORMAT = 1;
const MOST_LETTERS = 200; // of a name in a file from elsewhere

// --- merging

export function merge(one: Carried, other: Carried): Carried {
  const codes = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort();
  return Object.fromEntries(codes.map((code) => [code, mergeTables(one[code], other[code])]));
}

const NOTHING: CarriedTable = { at: 0, tokens: {} };

function mergeTables(one = NOTHING, other = NOTHING): CarriedTable {
  const names = allNames(one.names, other.names);
  const removed = Math.max(one.removed ?? 0, other.removed ?? 0);
  const result = laterResult(one.result, other.result);
  return {
    at: Math.max(one.at, other.at),
    ...(names.length && { names }),
    ...(removed && { removed }),
    ...(result && { result }),
    tokens: mergeStamps(one.tokens, other.tokens),
  };
}

function laterResult(one?: Result, other?: Result): Result | undefined {
  if (!one || !other) return one ?? other;
  const order = other.at - one.at || other.game - one.game || (asText(other) > asText(one) ? 1 : -1);
  return order > 0 ? other : one;
}

function mergeStamps(one: Stamps, other: Stamps): Stamps {
  const all = { ...one };
  for (const [token, at] of Object.entries(other)) all[token] = laterStamp(all[token] ?? 0, at);
  return sorted(bounded(all));
}

/** The later stamp; of two at the same moment, the one that says that the token holds a chair. */
function laterStamp(one: number, other: number): number {
  if (Math.abs(one) === Math.abs(other)) return Math.max(one, other);
  return Math.abs(one) > Math.abs(other) ? one : other;
}

const sorted = <T>(record: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)));

/** The same text for the same content. */
export const asText = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    inner && typeof inner === "object" && !Array.isArray(inner) ? sorted(inner as Record<string, unknown>) : inner,
  );

// --- how much fits

const bytes = (text: string): number => new TextEncoder().encode(text).length;
const isHeld = ({ tokens }: CarriedTable): boolean => Object.values(tokens).some((at) => at > 0);

/** As many tables as fit into this many bytes: those with a seat first, and the latest. */
export function fitting(all: Carried, most: number): Carried {
  const order = Object.entries(all).sort(
    ([code, one], [other, two]) =>
      Number(isHeld(two)) - Number(isHeld(one)) || two.at - one.at || (code < other ? -1 : 1),
  );
  let left = most - bytes(wrapped({}));
  const fits = order.findIndex(([code, table]) => (left -= bytes(asText({ [code]: table }))) < 0);
  return sorted(Object.fromEntries(fits < 0 ? order : order.slice(0, fits)));
}

// --- as text

/** What a file holds, and what is encrypted. */
export const wrapped = (tables: Carried): string => asText({ deadwood: "seats", format: FORMAT, tables });

/** What such a text holds; null if it is not one of ours. Invalid or unknown parts are left out. */
export function unwrapped(text: string): Carried | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isRecord(parsed) || parsed.deadwood !== "seats" || parsed.format !== FORMAT || !isRecord(parsed.tables))
    return null;
  const tables = Object.entries(parsed.tables).flatMap(([code, one]) => {
    const table = /^[A-Z0-9]{8}$/.test(code) ? readTable(one) : null;
    return table ? [[code, table] as const] : [];
  });
  return merge(Object.fromEntries(tables), {});
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isTime = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isName = (value: unknown): value is string => typeof value === "string" && value.length <= MOST_LETTERS;
const namesIn = (value: unknown): string[] => (Array.isArray(value) ? value.filter(isName).slice(0, MOST_NAMES) : []);

function readTable(value: unknown): CarriedTable | null {
  if (!isRecord(value) || !isTime(value.at)) return null;
  const stamps = isRecord(value.tokens) ? Object.entries(value.tokens) : [];
  const result = readResult(value.result);
  return {
    at: value.at,
    names: namesIn(value.names),
    ...(isTime(value.removed) && { removed: value.removed }),
    ...(result && { result }),
    tokens: Object.fromEntries(stamps.filter(([token, at]) => isToken(token) && isStamp(at))) as Stamps,
  };
}

const isToken = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);
const isStamp = (value: unknown): boolean => Number.isSafeInteger(value) && value !== 0;

function readResult(value: unknown): Result | null {
  if (!isRecord(value) || !isTime(value.game) || !isTime(value.at)) return null;
  const place = isTime(value.place) ? { place: value.place, shared: value.shared === true } : {};
  return {
    game: value.game,
    at: value.at,
    players: namesIn(value.players),
    winners: namesIn(value.winners),
    ...place,
  };
}

// --- this browser

/** What this browser has to carry. */
export function gather(): Carried {
  const visited = Object.fromEntries(visits.kept().map(({ code, ...visit }) => [code, visit]));
  const codes = [...new Set([...Object.keys(visited), ...tokens.tables()])];
  const tables = codes.map((code) => [code, { at: 0, ...visited[code], tokens: tokens.stamps(code) }]);
  return merge(Object.fromEntries(tables) as Carried, {});
}

/** Take over what others know, and say at which tables we know more than before. */
export function adopt(carried: Carried): string[] {
  const before = gather();
  const after = merge(before, carried);
  const news = Object.keys(after).filter((code) => asText(after[code]) !== asText(before[code]));
  if (!news.length) return [];
  for (const code of news)
    if (Object.keys(after[code]?.tokens ?? {}).length) tokens.adopt(code, after[code]?.tokens ?? {});
  visits.adopt(
    Object.entries(after)
      .filter(([, { at, removed }]) => at || removed)
      .map(([code, { tokens: _, ...visit }]) => ({ code, ...visit })),
  );
  return news;
}
