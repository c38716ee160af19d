// The games that this browser remembers, and how they stand.

import type { MyTable, MyTables } from "../wire";
import { request } from "./http";
import { tokens, visits, type Result, type Visit } from "./memory";

export interface Remembered {
  visit: Visit;
  table: MyTable | null; // null until the server has answered
}

const MOST_ASKED = 64; // as many as the server looks up at once

/** Ask for all of them at once. Nothing is forgotten, whatever the answer, or without one. */
export async function lookUp(): Promise<Remembered[]> {
  const kept = visits.all();
  if (!kept.length) return [];
  const worthAsking = [...kept].sort((one, other) => Number(isOver(one)) - Number(isOver(other))).slice(0, MOST_ASKED);
  const asked = worthAsking.map(({ code }) => ({ code, tokens: tokens.shown(code) }));
  const { tables } = await request<MyTables>("POST", "/api/my-tables", { tables: asked });
  const found = new Map(worthAsking.map(({ code }, number) => [code, tables[number] ?? null]));
  return inOrder(kept.map((visit) => withResult({ visit, table: found.get(visit.code) ?? null })));
}

/** Whether its game was over when we were last there. */
const isOver = ({ at, result }: Visit): boolean => result !== undefined && result.at >= at;

export const unknownYet = (): Remembered[] => inOrder(visits.all().map((visit) => ({ visit, table: null })));

/** How many games wait for us. */
export const turnsIn = (all: readonly Remembered[]): number => all.filter(({ table }) => table?.mine).length;

export type Group = "turn now" | "now running" | "not started" | "now finished" | "no longer there";
export const GROUPS: readonly Group[] = ["turn now", "now running", "not started", "now finished", "no longer there"];

/** The group of a game; null if it is unknown. */
export function groupOf({ visit, table }: Remembered): Group | null {
  if (!table) return visit.result ? "now finished" : null;
  if (table.status === "running") return table.mine ? "turn now" : "now running";
  if (table.status === "waiting") return "not started";
  return table.status === "finished" ? "now finished" : "no longer there";
}

/** Games that wait for us come first, then running ones, then the others; within a group, the latest first. */
function inOrder(all: Remembered[]): Remembered[] {
  const rank = (one: Remembered) => {
    const group = groupOf(one);
    return group ? GROUPS.indexOf(group) : GROUPS.length;
  };
  const latest = ({ visit, table }: Remembered) => (table?.finished ? table.finished * 1000 : visit.at);
  return all.sort((a, b) => rank(a) - rank(b) || latest(b) - latest(a));
}

/** How the last game there ended, as the server says now or said before. */
export const resultOf = (one: Remembered): Result | null =>
  one.table?.status === "finished" ? summary(one.visit, one.table) : (one.visit.result ?? null);

function summary({ names = [] }: Visit, { game = 0, chairs = [], standings = [], finished }: MyTable): Result {
  const winners = standings.filter(({ place }) => place === 1).map(({ name }) => name);
  const places = standings.filter(({ name }) => names.includes(name)).map(({ place }) => place);
  const place = Math.min(...places);
  const ours = places.length && { place, shared: standings.filter((one) => one.place === place).length > 1 };
  const players = chairs.map(({ name }) => name);
  return { game, at: Math.round((finished ?? 0) * 1000), players, winners, ...ours };
}

/** Remember how a game ended: the server may forget it, or disappear. */
function withResult(one: Remembered): Remembered {
  const { visit, table } = one;
  if (table?.status !== "finished") return one;
  const result = summary(visit, table);
  if (JSON.stringify(result) !== JSON.stringify(visit.result)) visits.finish(visit.code, result);
  return { table, visit: { ...visit, result } };
}
