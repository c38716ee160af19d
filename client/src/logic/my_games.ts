// The games that this browser remembers, and how things are there.

import type { MyTable, MyTables } from "../wire";
import { request } from "./http";
import { tokens, visits, type Visit } from "./memory";

export interface Remembered {
  visit: Visit;
  table: MyTable | null; // null while the server has not said how things are
}

/** Ask for all of them at once. Nothing is forgotten because of the answer, or because there is none. */
export async function lookUp(): Promise<Remembered[]> {
  const kept = visits.all();
  if (!kept.length) return [];
  const asked = kept.map(({ code }) => ({ code, tokens: tokens.of(code) }));
  const { tables } = await request<MyTables>("POST", "/api/my-tables", { tables: asked });
  return inOrder(kept.map((visit, number) => ({ visit, table: tables[number] ?? null })));
}

export const unknownYet = (): Remembered[] => visits.all().map((visit) => ({ visit, table: null }));

export type Group = "now running" | "not started" | "now finished" | "no longer there";
export const GROUPS: readonly Group[] = ["now running", "not started", "now finished", "no longer there"];

export function groupOf(table: MyTable): Group {
  if (table.status === "running") return "now running";
  if (table.status === "waiting") return "not started";
  return table.status === "finished" ? "now finished" : "no longer there";
}

/** Those where we are up come first, then running ones, then the others; within a group the latest. */
function inOrder(all: Remembered[]): Remembered[] {
  const urgency = ({ table }: Remembered) => (table ? GROUPS.indexOf(groupOf(table)) - (table.mine ? 1 : 0) : 9);
  const latest = ({ visit, table }: Remembered) => (table?.finished ? table.finished * 1000 : visit.at);
  return all.sort((a, b) => urgency(a) - urgency(b) || latest(b) - latest(a));
}

/** How we did in a finished game: our best place, and whether we shared it; null if nobody here played. */
export function ourPlace({ visit, table }: Remembered): { place: number; shared: boolean } | null {
  const standings = table?.standings ?? [];
  const ours = standings.filter((one) => visit.names?.includes(one.name)).map((one) => one.place);
  if (!ours.length) return null;
  const place = Math.min(...ours);
  return { place, shared: standings.filter((one) => one.place === place).length > 1 };
}
