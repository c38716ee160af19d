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
/** What people do at the table, even during a game. It belongs to nobody's turn. */
const ASIDE: Kinds = new Set([
  "HouseRulesSet",
  "InvitationMade",
  "HostChanged",
  "HandoverOpened",
  "ChairTakenOver",
  "StandInCame",
  "PlayersReturned",
  "PlayerWentHome",
  "PlayersVoted",
  "GamePaused",
  "GameResumed",
  "NamesReplaced",
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

function kindOf({ kind }: LogLine, open: Chapter | null): Chapter["kind"] {
  if (DAYS.has(kind)) return "day";
  return TABLE.has(kind) || (open?.kind === "table" && ASIDE.has(kind)) ? "table" : "turn";
}

const ASKING: Kinds = new Set(["OptionsChosen", "DeckChosen", "BoardChosen"]);
const asksAgain = ({ kind, event }: LogLine): boolean =>
  ASKING.has(kind) || ("asks_again" in event && event.asks_again);

/** The sentence that asks people to confirm again that they are ready; empty if they need not. */
export function askedAgain(log: readonly LogLine[], names: readonly string[]): string {
  const last = log.findLastIndex(({ event }) => event.type === "PlayerReady" && names.includes(event.player));
  const said = log[last]?.event;
  if (said?.type !== "PlayerReady" || !said.ready) return "";
  return log.slice(last).findLast(asksAgain)?.text ?? "";
}

/** The newest valid lines, without ends of turns. A correction comes last, where it stays until somebody acts. */
export function newest(log: readonly LogLine[], count: number): LogLine[] {
  const lines = log.filter(({ kind, undone }) => kind !== "TurnEnded" && !undone);
  const isCorrection = ({ kind, seq }: LogLine) => kind === "OutcomeCorrected" && seq === log.at(-1)?.seq;
  return [...lines.filter((line) => !isCorrection(line)), ...lines.filter(isCorrection)].slice(-count);
}

/** The lines of a log in chapters: one for every turn, and for every day between them. */
export function chapters(log: readonly LogLine[]): Chapter[] {
  const found: Chapter[] = [];
  let open = null as Chapter | null;
  for (const line of log) {
    const kind = kindOf(line, open);
    if (line.kind === "TurnEnded" && open?.kind === "day" && open.lines.at(-1)?.seq === line.seq) continue; // the evening
    if (open?.kind !== kind || kind === "day") {
      open = { kind, player: "", lines: [] };
      found.push(open);
    }
    if ("player" in line.event && !ASIDE.has(line.kind)) open.player ||= line.event.player;
    open.lines.push(line);
    if (line.kind === "TurnEnded" && !line.undone) open = null;
  }
  return found.map((one) => ({ ...one, lines: shown(one.lines) }));
}

/** The lines without the end of the turn, unless that was all that happened, or it was taken back. */
function shown(lines: readonly LogLine[]): LogLine[] {
  const rest = lines.filter(({ kind, undone }) => kind !== "TurnEnded" || undone);
  return rest.length ? rest : [...lines];
}
