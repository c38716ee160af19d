// A table that we look at or play at: what the server says, and what of it is shown already.

import type {
  BoardView,
  Card,
  Hints,
  Offer,
  Options,
  Pending,
  Problem,
  Role,
  SeatView,
  Snapshot,
  TableView,
  Update,
  Welcome,
} from "../wire";
import {
  after,
  browser,
  Connection,
  randomHex,
  type Answer,
  type Status,
  type Surroundings,
  type Wish,
} from "./connection";
import { makePlan, type Plan } from "./geometry";
import { Latest } from "./latest";
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

/** Why some actions are refused, as the server explained it for one moment of the table. */
interface Explained {
  seq: number;
  choices: readonly Offer[];
  undo: string | null;
}

const MOST_TOLD = 400;
const UNEXPLAINED: Explained = { seq: -1, choices: [], undo: null };
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
  private advice = $state.raw<Hints | null>(null);
  private thinkingAbout = $state(-1); // the number of the table's entry
  waiting = $state.raw<readonly Step[]>([]);
  private explained = $state.raw<Explained>(UNEXPLAINED);
  private changes = $state.raw<readonly Partial<Options>[]>([]); // of options, on their way to the server
  private sending = $state(false);
  private readonly commands = new Latest();
  private readonly underWay = new Set<string>();
  private mayReportOptions = () => false;
  private catchingUp: { seq: number; done: () => void }[] = [];
  private shownTokens: readonly string[] = []; // when we last said hello
  private deck = "";
  private running = false;
  private timer = 0;
  private wake: (() => void) | null = null;
  readonly connection: Connection;

  private layout = $derived(this.view?.options.layout); // the board is drawn anew when it changes, not with every move
  plan: Plan | null = $derived.by(() => (this.layout === undefined ? null : makePlan(this.board, this.layout)));
  busy = $derived(this.waiting.length > 0 || this.step !== null);
  activeSeat: SeatView | null = $derived(this.seatOf(this.view?.state?.active ?? null));
  myTurn = $derived(this.activeSeat !== null && this.held.includes(this.activeSeat.seat));
  /** The seats that somebody holds just now; null while we are away ourselves and cannot know. */
  here: readonly number[] | null = $derived(this.status === "open" ? this.connected : null);
  isHost = $derived(this.view?.host != null && this.held.includes(this.view.host));
  private reasons: Explained = $derived(this.explained.seq === this.view?.seq ? this.explained : UNEXPLAINED);
  whyNoUndo = $derived(this.reasons.undo);
  hints: Hints | null = $derived(this.advice?.seq === this.view?.seq ? this.advice : null);
  thinking = $derived(this.thinkingAbout === this.view?.seq);
  /** As they will be when the server agrees to all changes that are on their way. */
  options: Options | null = $derived(this.view && Object.assign({}, this.view.options, ...this.changes));
  saving = $derived(this.changes.length > 0);
  choices: Choices = $derived(
    this.status === "open" && this.myTurn && !this.busy && !this.sending && this.view
      ? sortOffers(this.view.offers, this.reasons.choices)
      : NO_CHOICES,
  );

  constructor(
    readonly code: string,
    board: BoardView,
    private readonly cardsOf: (deck: string) => Promise<ReadonlyMap<number, Card>>,
    world: Surroundings = browser,
  ) {
    this.board = board;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const address = `${scheme}://${location.host}/api/tables/${code}/socket`;
    this.connection = new Connection(
      address,
      () => [...(this.shownTokens = tokens.of(code))],
      () => settings.language,
      this,
      world,
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
    this.report(message.sentence);
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
    if (!message.id) this.forget(message.unknown);
    this.adopt(message.table);
    const sameGame = before?.game === message.table.game && before.status === "running";
    const steps = message.missed.flatMap((update) => stepsOf(update, null));
    if (first || !sameGame) {
      this.skip();
      for (const one of steps) this.tell(one);
    } else if (steps.length)
      this.enqueue([...steps.slice(0, -1), { ...(steps.at(-1) as Step), state: message.table.state }]);
    else if (before.seq !== message.table.seq) this.skip();
  }

  private forget(unknown: readonly number[]): void {
    tokens.drop(
      this.code,
      unknown.flatMap((number) => this.shownTokens[number] ?? []),
    );
  }

  update(message: Update): void {
    const before = this.view;
    if (!before) return;
    this.adopt(after(before, message));
    this.held = this.held.filter((seat) => this.view?.seats.some((one) => one.seat === seat));
    this.enqueue(stepsOf(message, this.view?.state ?? null));
    if (message.kind === "undone" || message.kind === "opened") this.skip();
  }

  private adopt(view: TableView): void {
    this.view = view;
    void this.deal(view.options.deck);
    for (const one of this.catchingUp) if (one.seq <= view.seq) one.done();
    this.catchingUp = this.catchingUp.filter((one) => one.seq > view.seq);
    if (view.status === "running") void this.askWhyNot(view);
  }

  private async deal(deck: string): Promise<void> {
    if (deck === this.deck) return;
    const cards = await this.cardsOf(deck).catch(() => null);
    if (!cards || deck !== this.view?.options.deck) return;
    this.cards = cards;
    this.deck = deck;
  }

  private async askWhyNot(view: TableView): Promise<void> {
    if (!this.myTurn || this.explained.seq === view.seq) return;
    const answer = await this.connection.wish({ type: "choices" });
    if (answer.type === "choices" && answer.seq >= this.explained.seq) this.explained = answer;
  }

  /** When we see what a command has done. */
  private caughtUp(seq: number): Promise<void> {
    if ((this.view?.seq ?? 0) >= seq) return Promise.resolve();
    return new Promise((done) => this.catchingUp.push({ seq, done }));
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

  /** Show a problem, or none, in the name of the latest command; what is returned says whether it still is that. */
  private report(problem: string): () => boolean {
    this.problem = problem;
    return this.commands.begin();
  }

  private async send(wish: Wish, mayReport: () => boolean): Promise<Answer> {
    const answer = await this.connection.wish(wish);
    if (answer.type === "refused" && answer.code !== "stale" && mayReport()) this.problem = answer.sentence;
    if (answer.type === "done") await this.caughtUp(answer.seq);
    return answer;
  }

  /** Send a command. Whatever went wrong with earlier ones is not shown any more. */
  wish(wish: Wish): Promise<Answer> {
    return this.send(wish, this.report(""));
  }

  /** Send a command that makes sense once, however often it is clicked while it is on its way. */
  async once(wish: Wish): Promise<void> {
    const words = JSON.stringify(wish);
    if (this.underWay.has(words)) return;
    this.underWay.add(words);
    await this.wish(wish);
    this.underWay.delete(words);
  }

  /** Why an action is refused, where the server said so already. */
  whyNot = (action: string) => this.reasons.choices.find((one) => one.action === action)?.refusal;

  async play(action: string, outcome: string | null = null): Promise<void> {
    if (this.sending) return;
    const refusal = this.whyNot(action);
    if (refusal) {
      this.report(refusal);
      return;
    }
    this.sending = true;
    await this.wish({ type: "move", seq: this.connection.next, action, outcome });
    this.sending = false;
  }

  undo(): void {
    if (this.whyNoUndo) this.report(this.whyNoUndo);
    else void this.wish({ type: "undo", seq: this.connection.next });
  }

  async hint(): Promise<void> {
    if (this.thinking || !this.view) return;
    const { seq } = this.view;
    this.thinkingAbout = seq;
    const answer = await this.wish({ type: "hint" });
    if (answer.type === "hints" && answer.seq >= (this.advice?.seq ?? 0)) this.advice = answer;
    if (this.thinkingAbout === seq) this.thinkingAbout = -1;
  }

  /** Change options, one change after the other: each is put onto what the server confirmed last. */
  async choose(change: Partial<Options>): Promise<void> {
    this.mayReportOptions = this.report("");
    this.changes = [...this.changes, change];
    if (this.changes.length > 1) return; // it is sent after those that are on their way
    for (let next = this.changes[0]; next && this.view; next = this.changes[0]) {
      await this.send({ type: "choose", options: { ...this.view.options, ...next } }, () => this.mayReportOptions());
      this.changes = this.changes.slice(1);
    }
  }

  async sit(name: string, colour: string | null): Promise<boolean> {
    const token = randomHex();
    tokens.keep(this.code, token);
    const answer = await this.wish({ type: "sit", name, token, colour });
    if (answer.type !== "done" || answer.seat == null) {
      tokens.drop(this.code, [token]);
      return false;
    }
    tokens.keep(this.code, token); // it was dropped if we came back before the server heard of it
    myName.keep(name);
    if (!this.held.includes(answer.seat)) this.held = [...this.held, answer.seat];
    return true;
  }

  ready = (seat: number, ready: boolean) => this.wish({ type: "ready", seat, salt: ready ? randomHex() : null });

  /** Come back in the language that is chosen now. */
  speak(): void {
    this.explained = UNEXPLAINED;
    this.advice = null;
    this.connection.again();
  }
}
