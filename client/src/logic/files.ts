// Decks and boards of a table: what the server says about them, and files that the host brings.

import type { BoardLabel, BoardView, Deck, DeckLabel, Done, FloorPlan, OptionList } from "../wire";
import { board, chosenLanguage, deck, floorPlan, once, request, RequestFailed } from "./http";
import { tokens } from "./memory";
import { t } from "./text";

export type Kind = "deck" | "board";

const FORBIDDEN = 403;
const at = (code: string, what: string) => `/api/tables/${encodeURIComponent(code)}/${what}`;

/** The cards, areas and floor plan of a table; custom ones are kept as long as their key stays the same. */
export const filesOf = (code: string) => ({
  deck: ({ name, key }: DeckLabel, language = chosenLanguage()) =>
    key ? once<Deck>(at(code, `deck?key=${key}&language=${language}`)) : deck(name, language),
  board: ({ key }: BoardLabel, language = chosenLanguage()) =>
    key ? once<BoardView>(at(code, `board?key=${key}&language=${language}`)) : board(language),
  floorPlan: (layout: string, { key }: BoardLabel) =>
    key ? once<FloorPlan>(at(code, `floor-plan?layout=${encodeURIComponent(layout)}&key=${key}`)) : floorPlan(layout),
  options: ({ key }: BoardLabel, language: string) =>
    once<OptionList>(at(code, `options?language=${language}&of=${key ?? ""}`)),
});

/** The text of a file; throws an Error if it cannot be read, like a folder, or has another encoding. */
export async function readText(file: File): Promise<string> {
  const bytes = await file.arrayBuffer().catch(() => {
    throw new Error(t("file not readable"));
  });
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Error(t("file not utf8"));
  }
}

/** What a file holds: only a board has sections. */
export const kindOf = (text: string): Kind => (/^\s*(\[\[\s*sections\b|sections\s*=)/m.test(text) ? "board" : "deck");

/** Bring a deck or a board to a table, or remove it; returns the problem, or "". */
export async function swap(code: string, kind: Kind, text: string | null): Promise<string> {
  let problem = "";
  for (const token of tokens.of(code)) {
    try {
      await request<Done>(text === null ? "DELETE" : "PUT", at(code, kind), text ?? undefined, token);
      return "";
    } catch (error) {
      problem = (error as Error).message;
      if (!(error instanceof RequestFailed) || error.status !== FORBIDDEN) break; // otherwise another chair may be the host's
    }
  }
  return problem;
}
