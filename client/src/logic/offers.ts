// What the active player may and may not do now, by place on the screen. Only the server decides.

import type { Offer, Reason } from "../wire";

/** An action: offered, or refused for a reason. */
export interface Doable {
  action: string;
  offer: Offer | null;
  refusal: string | null;
}

export interface Upgrade extends Doable {
  rank: number;
  currency: "dollars" | "credits";
}

export interface Choices {
  moves: Map<string, Doable>;
  roles: Map<string, Doable>; // "star 2", "extra 1"
  upgrades: Upgrade[];
  act: Doable | null;
  rehearse: Doable | null;
  end: Doable | null;
}

export const NO_CHOICES: Choices = {
  moves: new Map(),
  roles: new Map(),
  upgrades: [],
  act: null,
  rehearse: null,
  end: null,
};

export function sortOffers(offers: readonly Offer[], reasons: readonly Reason[]): Choices {
  const choices: Choices = { ...NO_CHOICES, moves: new Map(), roles: new Map(), upgrades: [] };
  for (const offer of offers) sortIn(choices, { action: offer.action, offer, refusal: null });
  for (const { actions, sentence } of reasons)
    for (const action of actions) sortIn(choices, { action, offer: null, refusal: sentence });
  return choices;
}

function sortIn(choices: Choices, doable: Doable): void {
  const [verb = "", first = "", second = ""] = doable.action.split(" ");
  if (verb === "move") choices.moves.set(first, doable);
  else if (verb === "take") choices.roles.set(`${first} ${second}`, doable);
  else if (verb === "upgrade")
    choices.upgrades.push({ ...doable, rank: Number(first), currency: second === "credits" ? "credits" : "dollars" });
  else if (verb === "act" || verb === "rehearse" || verb === "end") choices[verb] = doable;
}

/** All actions that are offered. */
export const offered = ({ moves, roles, upgrades, act, rehearse, end }: Choices): Doable[] =>
  [...moves.values(), ...roles.values(), ...upgrades, act, rehearse, end].filter((one): one is Doable => !!one?.offer);

/** What the server says about an action, whether it is offered or refused. */
export function doableOf(choices: Choices, action: string): Doable | undefined {
  const [verb = "", first = "", second = ""] = action.split(" ");
  if (verb === "move") return choices.moves.get(first);
  if (verb === "take") return choices.roles.get(`${first} ${second}`);
  if (verb === "upgrade") return choices.upgrades.find((one) => one.action === action);
  return [choices.act, choices.rehearse, choices.end].find((one) => one?.action === action) ?? undefined;
}

/** The roles on offer, those that pay best first. */
export function rolesByWorth(choices: Choices): [string, Doable][] {
  const value = ([, one]: [string, Doable]) => one.offer?.odds?.expected ?? 0;
  return [...choices.roles].filter(([, one]) => one.offer).sort((one, other) => value(other) - value(one));
}
