// Opening tables, with one request each.

import type { HouseRules, Made, NewBot, NewPerson, NewTable, Options } from "../wire";
import { randomHex } from "./connection";
import { swap } from "./files";
import { request, RequestFailed } from "./http";
import { myName, tokens, visits } from "./memory";

export interface Invited {
  name: string;
  bot: string | null; // a bot's name; null for a person
}

/** A table to open; options and house rules that it does not name have their defaults. */
type Opening = Omit<NewTable, "options" | "house"> & { options?: Partial<Options>; house?: Partial<HouseRules> };
const ALONE: Partial<HouseRules> = { talk: false }; // people at one screen need no chat; the host can switch it on

async function open(table: Opening): Promise<string> {
  const { code } = (await request<Made>("POST", "/api/tables", table)).table;
  const people = table.chairs.filter((chair) => chair.type === "person");
  for (const { token } of people) tokens.keep(code, token);
  visits.add(
    code,
    people.map(({ name }) => name),
  );
  return code;
}

const person = (name: string): NewPerson => ({ type: "person", name, token: randomHex() });
const readyPerson = (name: string): NewPerson => ({ ...person(name), salt: randomHex() });
const bot = (bot: string, name = ""): NewBot => ({ type: "bot", bot, ...(name && { name }) });

/** Open a table that waits for friends, and return its code. */
export function openForFriends(name: string, isPublic: boolean): Promise<string> {
  myName.keep(name);
  return open({ chairs: [person(name)], public: isPublic });
}

/** Start a game against bots at once, and return its code. */
export const playBots = (name: string, bots: readonly string[], options: Partial<Options> = {}): Promise<string> =>
  open({ chairs: [readyPerson(name), ...bots.map((one) => bot(one))], options, house: ALONE, start: true });

/** Start a game of people at this screen and bots, in turn order, and return its code. */
export function playHere(invited: readonly Invited[], options: Partial<Options> = {}): Promise<string> {
  const chairs = invited.map((one) => (one.bot ? bot(one.bot, one.name) : readyPerson(one.name)));
  return open({ chairs, options, house: ALONE, start: true });
}

/** Open a table that waits for friends, with your own deck, and return its code. */
export async function openWithDeck(name: string, toml: string): Promise<string> {
  const code = await openForFriends(name, false);
  const problem = await swap(code, "deck", toml);
  if (problem) throw new RequestFailed(problem);
  return code;
}

export const shownCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`;
