// What may be done now, sorted by where it is done; whether it may be, the server alone says.

import type { Offer } from "../wire";

export interface Doable {
  offer: Offer;
  allowed: boolean;
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

/** Offers (all allowed) and, where the server told them, refusals, by place. */
export function sortOffers(offers: readonly Offer[], refusals: readonly Offer[] = []): Choices {
  const choices: Choices = { ...NO_CHOICES, moves: new Map(), roles: new Map(), upgrades: [] };
  for (const offer of offers) sortIn(choices, { offer, allowed: true });
  for (const offer of refusals) if (offer.refusal) sortIn(choices, { offer, allowed: false });
  return choices;
}

function sortIn(choices: Choices, doable: Doable): void {
  const [verb = "", first = "", second = ""] = doable.offer.action.split(" ");
  if (verb === "move") choices.moves.set(first, doable);
  else if (verb === "take") choices.roles.set(`${first} ${second}`, doable);
  else if (verb === "upgrade")
    choices.upgrades.push({ ...doable, rank: Number(first), currency: second === "credits" ? "credits" : "dollars" });
  else if (verb === "act" || verb === "rehearse" || verb === "end") choices[verb] = doable;
}

export const percent = (chance: number): string => `${Math.round(chance * 100)} %`;
