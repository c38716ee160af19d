// Actions in words.

import { t } from "./text";

export interface Named {
  area: (id: string) => string;
  role: (key: string) => string; // "star 2", "extra 1"
  price: (rank: number, currency: "dollars" | "credits") => number | undefined;
}

/** An action of the notation as a person would say it. */
export function inWords(action: string, named: Named): string {
  const [verb = "", first = "", second = ""] = action.split(" ");
  if (verb === "move") return t("move to", { place: named.area(first) });
  if (verb === "take") return t("take role", { role: named.role(`${first} ${second}`) });
  if (verb === "act" || verb === "rehearse") return t(verb);
  if (verb === "end") return t("end turn");
  const currency = second === "credits" ? "credits" : "dollars";
  return t(`rank for ${currency}`, { rank: first, price: named.price(Number(first), currency) ?? "?" });
}

/** What came up, as a person would say it: a card by its number. */
export const came = (outcome: string): string => outcome.replace(/^card (\d+)$/, (_, n) => t("card n", { n }));
