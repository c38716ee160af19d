// Making tables, and starting games at once.

import type { Made, NewTable, Options } from "../wire";
import { ask } from "./asking";
import { randomHex, type Wish } from "./connection";
import { myName, tokens, visits } from "./memory";

export interface Person {
  name: string;
  bot: string | null; // the level of a bot; a person where null
}

// the server knows the usual value of what is left out
type Chosen = Omit<NewTable, "host" | "options"> & { options?: Partial<Options> };

async function make(name: string, more: Chosen): Promise<{ made: Made; token: string }> {
  const token = randomHex();
  const made = await ask<Made>("POST", "/api/tables", { host: { name, token }, ...more });
  tokens.keep(made.table.code, token);
  visits.add(made.table.code);
  return { made, token };
}

const command = <T>(code: string, wish: Wish, token?: string) =>
  ask<T>("POST", `/api/tables/${code}/commands`, { ...wish, id: randomHex().slice(0, 24) }, token);

/** A table that waits for friends; its code. */
export async function invite(name: string, open: boolean): Promise<string> {
  myName.keep(name);
  return (await make(name, { public: open })).made.table.code;
}

/** A game against bots that runs at once; its code. */
export async function playBots(name: string, levels: readonly string[], days: number | null): Promise<string> {
  const { made, token } = await make(name, { bots: levels.map((level) => ({ level })), options: { days } });
  const { code } = made.table;
  await command(code, { type: "ready", seat: made.seat ?? 1, salt: randomHex() }, token);
  await command(code, { type: "start" }, token);
  return code;
}

/** Several people at this screen, and bots, in the order of their seats; its code. */
export async function playHere(people: readonly Person[]): Promise<string> {
  const [host, ...others] = people;
  if (!host) throw new Error("nobody plays");
  const { made, token } = await make(host.name, {});
  const { code } = made.table;
  const seats = [{ seat: made.seat ?? 1, token }];
  for (const one of others) {
    if (one.bot) {
      await command(code, { type: "add_bot", level: one.bot, name: one.name || null }, token);
      continue;
    }
    const own = randomHex();
    const { seat } = await command<{ seat: number }>(code, { type: "sit", name: one.name, token: own });
    tokens.keep(code, own);
    seats.push({ seat, token: own });
  }
  for (const { seat, token: own } of seats) await command(code, { type: "ready", seat, salt: randomHex() }, own);
  await command(code, { type: "start" }, token);
  return code;
}

export const shownCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`;
