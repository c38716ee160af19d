// The log: turns, days, and what was taken back.

import { describe, expect, it } from "vitest";
import { askedAgain, chapters, newest, written, type LogLine } from "../src/logic/log";
import type { Happened } from "../src/logic/show";

/** Entries of a log, each with its events as `type player`. */
const logOf = (...entries: string[][]): LogLine[] =>
  entries.reduce<LogLine[]>(
    (log, events, seq) =>
      events.reduce((so_far, one) => {
        const [kind, player] = one.split(" ");
        const event = { type: kind, player } as unknown as Happened;
        return written(so_far, { seq, text: one, colour: null, kind: event.type, event });
      }, log),
    [],
  );
const undone = (log: LogLine[]) => log.filter((line) => line.undone).map((line) => line.text);
const shape = (log: LogLine[]) => chapters(log).map(({ kind, lines }) => [kind, ...lines.map(({ text }) => text)]);

describe("a log", () => {
  it("counts its lines, so that each stays what it is", () => {
    const log = logOf(["Moved Ada"], ["RoleTaken Ada", "TurnEnded Ada"], ["ActionUndone Ada"]);
    expect(log.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
  });

  it("has a chapter for every turn and day, and leaves out that turns end", () => {
    const log = logOf(
      ["ChairTaken Ada"],
      ["GameStarted", "DayStarted Ada"],
      ["Moved Ada", "CardTurned Ada"],
      ["RoleTaken Ada", "TurnEnded Ada"],
      ["Acted Bo", "SceneWrapped Bo", "BonusPaid Ada", "DayEnded", "TurnEnded Bo", "DayStarted Cy"],
    );
    expect(shape(log)).toEqual([
      ["table", "ChairTaken Ada", "GameStarted"],
      ["day", "DayStarted Ada"],
      ["turn", "Moved Ada", "CardTurned Ada", "RoleTaken Ada"],
      ["turn", "Acted Bo", "SceneWrapped Bo", "BonusPaid Ada"],
      ["day", "DayEnded"],
      ["day", "DayStarted Cy"],
    ]);
  });

  it("keeps what people do about the table apart from whose turn it is", () => {
    const log = logOf(
      ["ChairTaken Ada"],
      ["InvitationMade"],
      ["HouseRulesSet"],
      ["GameStarted", "DayStarted Ada"],
      ["Moved Ada", "TurnEnded Ada"],
      ["HandoverOpened Ada"],
      ["PlayersVoted"],
      ["Moved Bo"],
    );
    expect(shape(log).map(([kind]) => kind)).toEqual(["table", "day", "turn", "turn"]);
    expect(chapters(log).at(-1)?.player).toBe("Bo");
  });

  it("says why those who were ready are asked again, until they are", () => {
    const log = logOf(["PlayerReady Bo"], ["OptionsChosen"], ["ChairTaken Cy"]);
    const ready = log.map((line) => ({ ...line, event: { ...line.event, ready: true } as Happened }));
    expect(askedAgain(ready, ["Bo"])).toBe("OptionsChosen");
    expect(askedAgain(ready, ["Cy"])).toBe("");
    expect(askedAgain(ready.slice(1), ["Bo"])).toBe("");
    expect(askedAgain([...ready, ...ready.slice(0, 1)], ["Bo"])).toBe("");
  });

  it("says that somebody only passed", () => {
    expect(shape(logOf(["DayStarted Ada"], ["TurnEnded Ada"], ["Moved Bo"]))).toEqual([
      ["day", "DayStarted Ada"],
      ["turn", "TurnEnded Ada"],
      ["turn", "Moved Bo"],
    ]);
  });

  it("marks what is taken back, action by action", () => {
    const played = [["Moved Ada"], ["RoleTaken Ada", "TurnEnded Ada"]];
    expect(undone(logOf(...played, ["ActionUndone Ada"]))).toEqual(["RoleTaken Ada", "TurnEnded Ada"]);
    expect(undone(logOf(...played, ["ActionUndone Ada"], ["ActionUndone Ada"]))).toHaveLength(3);
    expect(undone(logOf(...played, ["ActionUndone Ada"], ["RoleTaken Ada"], ["ActionUndone Ada"]))).toEqual([
      "RoleTaken Ada",
      "TurnEnded Ada",
      "RoleTaken Ada",
    ]);
  });

  it("goes on with a turn whose end was taken back", () => {
    expect(shape(logOf(["RoleTaken Ada", "TurnEnded Ada"], ["ActionUndone Ada"], ["Moved Ada"]))).toEqual([
      ["turn", "RoleTaken Ada", "TurnEnded Ada", "ActionUndone Ada", "Moved Ada"],
    ]);
  });

  it("marks what is corrected, and not the correction", () => {
    const log = logOf(["Acted Ada", "TurnEnded Ada"], ["OutcomeCorrected Ada", "Acted Ada", "TurnEnded Ada"]);
    expect(log.map((line) => line.undone)).toEqual([true, true, false, false, false]);
  });

  it("has a newest part that ends with a correction until somebody acts, without what it corrects", () => {
    const log = [
      ["CardTurned Ada"],
      ["Moved Ada", "CardTurned Ada"],
      ["OutcomeCorrected Ada", "Moved Ada", "CardTurned Bo"],
    ];
    const texts = (...entries: string[][]) => newest(logOf(...entries), 4).map(({ text }) => text);
    expect(texts(...log)).toEqual(["CardTurned Ada", "Moved Ada", "CardTurned Bo", "OutcomeCorrected Ada"]);
    expect(texts(...log, ["RoleTaken Ada", "TurnEnded Ada"])).toEqual([
      "OutcomeCorrected Ada",
      "Moved Ada",
      "CardTurned Bo",
      "RoleTaken Ada",
    ]);
    expect(newest([], 4)).toEqual([]);
  });

  it("has nothing to mark when the beginning is not known", () => {
    expect(undone(logOf(["ActionUndone Ada"], ["Moved Ada"]))).toEqual([]);
  });
});
