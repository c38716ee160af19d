// Decks that somebody writes in this browser: kept here, checked by the server.

import { request } from "./http";
import { Latest } from "./latest";
import { kept } from "./memory";
import { t } from "./text";
import type { Card, Deck, DraftView, Role, RoleBalance, Trial, TrialView } from "../wire";

export interface OwnDeck {
  id: string;
  name: string;
  cards: Card[];
}

const MOST_DECKS = 20;
const PAUSE = 300; // milliseconds without a change, after which the server is asked
const TRIAL_GAMES = 2000;
const BATCH = 100; // games in one request: a busy server answers in time
const FIRST_BATCH = 10; // so that there is something to see at once

const stored = (): OwnDeck[] => kept.read<OwnDeck[]>("decks", []);
const newId = (): string => crypto.getRandomValues(new Uint32Array(2)).join("");

export const ownDecks = {
  all: stored,
  of: (id: string): OwnDeck | undefined => stored().find((deck) => deck.id === id),
  /** Keep a deck; false if this browser has no room for it. */
  keep(deck: OwnDeck): boolean {
    const decks = [deck, ...stored().filter(({ id }) => id !== deck.id)];
    return decks.length <= MOST_DECKS && kept.write("decks", decks);
  },
  drop: (id: string) =>
    kept.write(
      "decks",
      stored().filter((deck) => deck.id !== id),
    ),
  /** A new deck with these cards, kept at once; throws an Error if there is no room for it. */
  add(name: string, cards: readonly Card[]): OwnDeck {
    const deck = { id: newId(), name, cards: structuredClone(cards) as Card[] };
    if (!ownDecks.keep(deck)) throw new Error(t("no room for a deck"));
    return deck;
  },
};

/** The file of a deck that this browser keeps; throws an Error that says what is missing or wrong. */
export async function fileOf(id: string): Promise<{ name: string; text: string }> {
  const deck = ownDecks.of(id);
  if (!deck) throw new Error(t("no such deck"));
  const { toml, problems } = await request<DraftView>("POST", "/api/decks/draft", {
    name: deck.name,
    cards: deck.cards,
  });
  if (!toml) throw new Error(`${deck.name}: ${problems[0]?.text}`);
  return { name: deck.name, text: toml };
}

const rankOf = ({ rank }: Role): number => rank;
const freeNumber = (cards: readonly Card[]): number => Math.max(0, ...cards.map((card) => card.number || 0)) + 1;

/** One deck in the editor: every change is kept in this browser and checked a moment later. */
export class Draft {
  deck: OwnDeck = $state({ id: "", name: "", cards: [] });
  chosen = $state(0);
  view = $state.raw<DraftView | null>(null);
  problem = $state("");
  isChecking = $state(false);
  isKept = $state(true);
  checked = $state.raw<readonly Card[]>([]); // the cards that the view is about
  removed = $state.raw<{ card: Card; at: number } | null>(null);
  private latest = new Latest();
  private asked: Promise<void> = Promise.resolve();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(deck: OwnDeck) {
    this.deck = structuredClone(deck);
    addEventListener("online", this.recheck);
    void this.check();
  }

  /** Stop asking the server. */
  end(): void {
    clearTimeout(this.timer);
    removeEventListener("online", this.recheck);
  }

  private recheck = () => void this.check();

  get card(): Card | undefined {
    return this.deck.cards[this.chosen];
  }

  /** What is wrong with a card, unless it was added since. */
  problemsOf(card: Card | null): string[] {
    const at = card && this.checked.findIndex(({ number }) => number === card.number);
    return this.view?.problems.filter((problem) => problem.card === at).map((problem) => problem.text) ?? [];
  }

  /** What the roles of a card are worth; nothing while the server has not seen the card as it is now. */
  balanceOf(card: Card): readonly RoleBalance[] {
    const order = this.checked.map((one) => one.number).sort((a, b) => a - b);
    const seen = this.checked.find(({ number }) => number === card.number);
    const isSame = seen?.budget === card.budget && String(seen.roles.map(rankOf)) === String(card.roles.map(rankOf));
    return (isSame && this.view?.balance?.cards[order.indexOf(card.number)]) || [];
  }

  changed(): void {
    this.isKept = ownDecks.keep($state.snapshot(this.deck) as OwnDeck);
    this.isChecking = true;
    this.latest.begin(); // an answer on its way is about an older version
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.check(), PAUSE);
  }

  /** Ask the server, one question at a time: it allows few at once. What changes meanwhile is asked about next. */
  async check(): Promise<void> {
    const isLatest = this.latest.begin();
    this.isChecking = true;
    await this.asked;
    if (!isLatest()) return;
    this.asked = this.ask();
    await this.asked;
    if (isLatest()) this.isChecking = false;
  }

  private async ask(): Promise<void> {
    try {
      const deck = this.sent();
      this.view = await request<DraftView>("POST", "/api/decks/draft", deck);
      this.checked = deck.cards;
      this.problem = "";
    } catch (error) {
      this.problem = (error as Error).message;
      this.view = this.view && { ...this.view, toml: null, balance: null }; // not checked yet
    }
  }

  sent(): Deck {
    return { name: this.deck.name, cards: $state.snapshot(this.deck.cards) as Card[] };
  }

  addCard(): void {
    const budget = this.view?.limits.budgets[0] ?? 0;
    const card = {
      number: freeNumber(this.deck.cards),
      title: "",
      scene: 1,
      description: "",
      budget,
      roles: [this.newRole()],
    };
    this.insert(this.deck.cards.length, card);
  }

  duplicate(): void {
    if (!this.card) return;
    const copy = structuredClone($state.snapshot(this.card)) as Card;
    this.insert(this.chosen + 1, { ...copy, number: freeNumber(this.deck.cards) });
  }

  remove(): void {
    const card = this.card;
    if (!card) return;
    this.removed = { card: $state.snapshot(card) as Card, at: this.chosen };
    this.deck.cards.splice(this.chosen, 1);
    this.chosen = Math.max(0, Math.min(this.chosen, this.deck.cards.length - 1));
    this.changed();
  }

  restore(): void {
    if (this.removed) this.insert(this.removed.at, this.removed.card);
    this.removed = null;
  }

  addRole(): void {
    if (this.card) this.setRoles([...this.card.roles, this.newRole()]);
  }

  removeRole(at: number): void {
    if (this.card) this.setRoles(this.card.roles.filter((_, place) => place !== at));
  }

  private setRoles(roles: Role[]): void {
    this.deck.cards[this.chosen] = { ...this.card!, roles };
    this.changed();
  }

  private newRole(): Role {
    const ranks = this.view?.limits.ranks ?? [];
    return { rank: this.card?.roles.at(-1)?.rank ?? ranks[0] ?? 0, name: "", line: "" };
  }

  private insert(at: number, card: Card): void {
    this.deck.cards.splice(at, 0, card);
    this.chosen = at;
    this.changed();
  }
}

/** Sums of all batches so far, field by field. */
function added(one: Trial, other: Trial): Trial {
  const cards = Object.fromEntries(
    Object.entries(one.cards).map(([number, card]) => {
      const more = other.cards[number] ?? card;
      return [
        number,
        { taken: card.taken + more.taken, wrapped: card.wrapped + more.wrapped, bonus: card.bonus + more.bonus },
      ];
    }),
  );
  const sums = { ...one, cards };
  for (const field of [
    "games",
    "turns",
    "acts",
    "successes",
    "wraps",
    "bonus",
    "points",
    "winner_points",
    "ranks",
  ] as const)
    sums[field] = one[field] + other[field];
  return sums;
}

/** Many games with a deck and with the classic one, a batch at a time, until there are enough or somebody stops. */
export class Trials {
  result = $state.raw<TrialView | null>(null);
  deck = $state.raw<Deck | null>(null); // the one being tried
  problem = $state("");
  isRunning = $state(false);
  readonly games = TRIAL_GAMES;
  private latest = new Latest();

  async run(deck: Deck): Promise<void> {
    const isLatest = this.latest.begin();
    [this.deck, this.result, this.problem, this.isRunning] = [deck, null, "", true];
    try {
      for (let first = 0, games = FIRST_BATCH; first < TRIAL_GAMES && isLatest(); first += games) {
        games = first ? Math.min(BATCH, TRIAL_GAMES - first) : FIRST_BATCH;
        const path = `/api/decks/trial?first=${first}&games=${games}`;
        const batch = await request<TrialView>("POST", path, deck);
        if (!isLatest()) return;
        this.result = this.result
          ? { ...batch, own: added(this.result.own, batch.own), classic: added(this.result.classic, batch.classic) }
          : batch;
      }
    } catch (error) {
      if (isLatest()) this.problem = (error as Error).message;
    }
    if (isLatest()) this.isRunning = false;
  }

  stop(): void {
    this.latest.begin();
    this.isRunning = false;
  }
}
