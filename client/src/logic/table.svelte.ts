// A table that we look at or play at: what the server says, and what of it is shown already.

import type {
  BoardView,
  Card,
  Hints,
  Offer,
  Pending,
  Problem,
  Role,
  SeatView,
  Snapshot,
  TableView,
  Update,
  Welcome,
} from "../wire";
import { after, browser, Connection, randomHex, type Answer, type Status, type Wish } from "./connection";
import { makePlan, type Plan } from "./geometry";
import { myName, tokens } from "./memory";
import { NO_CHOICES, sortOffers, type Choices } from "./offers";
import { settings } from "./settings.svelte";
import { advance, changesLate, duration, namesOf, stepsOf, type Names, type Step } from "./show";
import { play as playSound } from "./sound";
import { notifyTurn } from "./notices";
import type { Named } from "./wording";

export interface Told {
  seq: number;
  text: string;
  colour: string | null;
  kind: string;
}

const MOST_TOLD = 400;
const NEWS_OF_THE_NETWORK = ["online", "offline", "visibilitychange"] as const;

export class Table {
  readonly board: BoardView;
  status = $state<Status>("connecting");
  view = $state.raw<TableView | null>(null);
  held = $state.raw<readonly number[]>([]);
  private connected = $state.raw<readonly number[]>([]);
  log = $state.raw<readonly Told[]>([]);
  shown = $state.raw<Snapshot | null>(null);
  step = $state.raw<Step | null>(null);
  milliseconds = $state(0); // that the step is shown
  problem = $state("");
  hints = $state.raw<Hints | null>(null);
  thinking = $state(false);
  waiting = $state.raw<readonly Step[]>([]);
  private refusals = $state.raw<{ seq: number; choices: readonly Offer[]; undo: string | null }>({
    seq: -1,
    choices: [],
    undo: null,
  });
  private sending = $state(false);
  private running = false;
  private timer = 0;
  private wake: (() => void) | null = null;
  readonly connection: Connection;

  plan: Plan | null = $derived.by(() => (this.view ? makePlan(this.board, this.view.options.layout) : null));
  busy = $derived(this.waiting.length > 0 || this.step !== null);
  activeSeat: SeatView | null = $derived(this.seatOf(this.view?.state?.active ?? null));
  myTurn = $derived(this.activeSeat !== null && this.held.includes(this.activeSeat.seat));
  /** The seats that somebody holds just now; null while we are away ourselves and cannot know. */
  here: readonly number[] | null = $derived(this.status === "open" ? this.connected : null);
  isHost = $derived(this.view?.host != null && this.held.includes(this.view.host));
  whyNoUndo = $derived(this.refusals.seq === this.view?.seq ? this.refusals.undo : null);
  choices: Choices = $derived(
    this.status === "open" && this.myTurn && !this.busy && !this.sending && this.view
      ? sortOffers(this.view.offers, this.refusals.seq === this.view.seq ? this.refusals.choices : [])
      : NO_CHOICES,
  );

  constructor(
    readonly code: string,
    board: BoardView,
    private readonly cardsOf: (deck: string) => Promise<ReadonlyMap<number, Card>>,
  ) {
    this.board = board;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const address = `${scheme}://${location.host}/api/tables/${code}/socket`;
    this.connection = new Connection(
      address,
      () => tokens.of(code),
      () => settings.language,
      this,
      browser,
    );
    for (const name of NEWS_OF_THE_NETWORK) addEventListener(name, this.check);
  }

  private check = () => this.connection.check();

  end(): void {
    for (const name of NEWS_OF_THE_NETWORK) removeEventListener(name, this.check);
    this.connection.end();
  }

  cards = $state.raw<ReadonlyMap<number, Card>>(new Map());

  seatOf(player: number | null): SeatView | null {
    return player === null ? null : (this.view?.seats[player] ?? null);
  }

  get names(): Names {
    return namesOf(this.view?.seats.map((seat) => seat.name) ?? [], this.board.areas);
  }

  /** What the active player's actions are about, by name. */
  get named(): Named {
    const { areas, board } = this.board;
    return {
      area: (id) => areas.find((area) => area.id === id)?.name ?? id,
      role: (key) => {
        const role = this.roleHere(key);
        return role ? `${role.name} (${role.rank})` : key;
      },
      price: (rank, currency) => board.prices[currency][rank - 2] ?? 0,
    };
  }

  /** A role where the active player stands, as `star 2` or `extra 1`. */
  private roleHere(key: string): Role | undefined {
    const [kind, number] = key.split(" ");
    const player = this.shown?.players[this.shown.active ?? -1];
    const area = this.board.areas.find((one) => one.id === player?.area);
    const scene = area ? this.shown?.sets[area.id]?.scene : null;
    const roles = kind === "extra" ? area?.extras : typeof scene === "number" ? this.cards.get(scene)?.roles : [];
    return roles?.[Number(number) - 1];
  }

  // --- what the server says

  line(status: Status): void {
    this.status = status;
  }

  refused(message: Problem): void {
    if (message.code !== "stale") this.problem = message.sentence;
  }

  asked({ pending }: { pending: Pending }): void {
    if (this.view) this.view = { ...this.view, pending };
  }

  present(seats: readonly number[]): void {
    this.connected = seats;
  }

  welcome(message: Welcome, first: boolean): void {
    const before = this.view;
    this.held = message.held;
    if (!message.id) tokens.drop(this.code, message.unknown);
    this.adopt(message.table);
    const sameGame = before?.game === message.table.game && before.status === "running";
    const steps = message.missed.flatMap((update) => stepsOf(update, null));
    if (first || !sameGame) {
      for (const one of steps) this.tell(one);
      this.jump();
    } else if (steps.length)
      this.enqueue([...steps.slice(0, -1), { ...(steps.at(-1) as Step), state: message.table.state }]);
    else if (before.seq !== message.table.seq) this.jump();
  }

  update(message: Update): void {
    const before = this.view;
    if (!before) return;
    this.adopt(after(before, message));
    this.hints = null;
    this.held = this.held.filter((seat) => this.view?.seats.some((one) => one.seat === seat));
    this.enqueue(stepsOf(message, this.view?.state ?? null));
    if (message.kind === "undone" || message.kind === "opened") this.jump();
  }

  private adopt(view: TableView): void {
    const deck = view.options.deck;
    if (deck !== this.view?.options.deck) void this.cardsOf(deck).then((cards) => (this.cards = cards));
    this.view = view;
    if (view.status === "running") this.askWhyNot();
  }

  private askWhyNot(): void {
    const view = this.view;
    if (!view || !this.myTurn || this.refusals.seq === view.seq) return;
    void this.connection.wish({ type: "choices" }).then((answer) => {
      if (answer.type === "choices") this.refusals = { seq: answer.seq, choices: answer.choices, undo: answer.undo };
    });
  }

  // --- what is shown

  private enqueue(steps: readonly Step[]): void {
    this.waiting = [...this.waiting, ...steps];
    if (!this.running) void this.run();
  }

  private async run(): Promise<void> {
    this.running = true;
    for (let next = this.waiting[0]; next; next = this.waiting[0]) {
      this.waiting = this.waiting.slice(1);
      await this.show(next);
    }
    this.step = null;
    this.running = false;
    this.shown = this.view?.state ?? null;
    if (this.myTurn) notifyTurn();
  }

  private async show(step: Step): Promise<void> {
    const wait = duration(step.event, settings.speed, this.waiting.length);
    const late = changesLate(step.event);
    this.milliseconds = wait;
    this.step = step;
    if (wait > 0) playSound(step.event);
    if (!late) this.change(step);
    if (wait > 0) await this.pause(wait);
    if (this.step !== step) return; // skipped
    if (late) this.change(step);
    if (step.state) this.shown = step.state;
  }

  private change(step: Step): void {
    this.tell(step);
    if (this.shown) this.shown = advance(this.shown, step.event, this.names);
  }

  private pause(milliseconds: number): Promise<void> {
    return new Promise((done) => {
      this.wake = done;
      this.timer = window.setTimeout(done, milliseconds);
    });
  }

  /** Show at once what is so now. */
  skip(): void {
    const untold = this.step && changesLate(this.step.event) ? [this.step, ...this.waiting] : this.waiting;
    for (const one of untold) this.tell(one);
    this.jump();
  }

  private jump(): void {
    this.waiting = [];
    this.step = null;
    this.shown = this.view?.state ?? null;
    clearTimeout(this.timer);
    this.wake?.();
  }

  private tell(step: Step): void {
    if (!step.told) return;
    const colour = this.view?.seats.find((seat) => seat.seat === step.seat)?.colour ?? null;
    this.log = [...this.log, { seq: step.seq, text: step.told, colour, kind: step.event.type }].slice(-MOST_TOLD);
  }

  // --- what we say

  async wish(wish: Wish): Promise<Answer> {
    this.problem = "";
    return this.connection.wish(wish);
  }

  async play(action: string, outcome: string | null = null): Promise<void> {
    if (this.sending) return;
    this.sending = true;
    try {
      await this.wish({ type: "move", seq: this.connection.next, action, outcome });
    } finally {
      this.sending = false;
    }
  }

  undo = () => this.wish({ type: "undo", seq: this.connection.next });

  async hint(): Promise<void> {
    this.thinking = true;
    const answer = await this.wish({ type: "hint" });
    this.thinking = false;
    if (answer.type === "hints" && answer.seq === this.view?.seq) this.hints = answer;
  }

  async sit(name: string, colour: string | null): Promise<boolean> {
    const token = randomHex();
    tokens.keep(this.code, token);
    const answer = await this.wish({ type: "sit", name, token, colour });
    if (answer.type !== "done" || answer.seat == null) {
      tokens.drop(this.code, [tokens.of(this.code).indexOf(token)]);
      return false;
    }
    myName.keep(name);
    this.held = [...this.held, answer.seat];
    return true;
  }

  ready = (seat: number, ready: boolean) => this.wish({ type: "ready", seat, salt: ready ? randomHex() : null });
}
