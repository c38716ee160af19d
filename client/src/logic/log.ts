// The log of a table: what happened, what was taken back, and which turn it belongs to.

import type { Happened } from "./show";

export interface LogLine {
  id: number; // counts the lines
  seq: number;
  text: string;
  colour: string | null;
  kind: Happened["type"];
  event: Happened;
  undone: boolean; // taken back, or corrected
}

/** A turn, a day's beginning or end, or what people did at the table before the game. */
export interface Chapter {
  kind: "turn" | "day" | "table";
  player: string;
  lines: LogLine[];
}

type Kinds = ReadonlySet<Happened["type"]>;
const ACTIONS: Kinds = new Set(["Moved", "RoleTaken", "Acted", "Rehearsed", "Upgraded", "TurnEnded"]);
const REPLACING: Kinds = new Set(["ActionUndone", "OutcomeCorrected"]);
const DAYS: Kinds = new Set(["DayStarted", "DayEnded", "GameEnded"]);
const TABLE: Kinds = new Set([
  "TableOpened",
  "ChairTaken",
  "ChairLeft",
  "OptionsChosen",
  "DeckChosen",
  "BoardChosen",
  "PlayerReady",
  "GameStarted",
]);

/** The log with one more line; what it takes back or corrects is marked. */
export function written(log: readonly LogLine[], line: Omit<LogLine, "id" | "undone">): LogLine[] {
  const id = (log.at(-1)?.id ?? 0) + 1;
  return [...(REPLACING.has(line.kind) ? withoutLast(log, line.seq) : log), { ...line, id, undone: false }];
}

/** The log with the last action before an entry marked as undone. */
function withoutLast(log: readonly LogLine[], before: number): readonly LogLine[] {
  const last = log.findLast(({ seq, kind, undone }) => seq < before && !undone && ACTIONS.has(kind));
  return last ? log.map((line) => (line.seq === last.seq ? { ...line, undone: true } : line)) : log;
}

const kindOf = ({ kind }: LogLine): Chapter["kind"] => (DAYS.has(kind) ? "day" : TABLE.has(kind) ? "table" : "turn");

/** The lines of a log in chapters: one for every turn, and for every day between them. */
export function chapters(log: readonly LogLine[]): Chapter[] {
  const found: Chapter[] = [];
  let open = null as Chapter | null;
  for (const line of log) {
    const kind = kindOf(line);
    if (line.kind === "TurnEnded" && open?.kind === "day" && open.lines.at(-1)?.seq === line.seq) continue; // the evening
    if (open?.kind !== kind || kind === "day") {
      open = { kind, player: "player" in line.event ? line.event.player : "", lines: [] };
      found.push(open);
    }
    open.lines.push(line);
    if (line.kind === "TurnEnded" && !line.undone) open = null;
  }
  return found.map((one) => ({ ...one, lines: shown(one.lines) }));
}

/** The end of a turn goes without saying, unless it was all that happened, or was taken back. */
function shown(lines: readonly LogLine[]): LogLine[] {
  const rest = lines.filter(({ kind, undone }) => kind !== "TurnEnded" || undone);
  return rest.length ? rest : [...lines];
}
