// A table that we watch or play at: what the server sent, and how much of it has been shown.

import type {
  AreaView,
  BoardLabel,
  BoardView,
  Card,
  CardsFound,
  ChairView,
  Choose,
  ClockView,
  CorrectionView,
  Deck,
  DeckLabel,
  FloorPlan,
  Handover,
  Hints,
  Options,
  OutcomeNeed,
  PendingOutcome,
  Position,
  Problem,
  Role,
  TableView,
  TalkLine,
  Update,
  Welcome,
} from "../wire";
import { heardNow, secretIn, type Countdown } from "./absence";
import {
  after,
  browser,
  Connection,
  randomHex,
  type Answer,
  type Channel,
  type NewCommand,
  type Status,
  type Surroundings,
} from "./connection";
import { planBoard, type BoardPlan } from "./geometry";
import { Latest } from "./latest";
import { written, type LogLine } from "./log";
import { arrivals, myName, tokens } from "./memory";
import { NO_CHOICES, sortOffers, type Choices } from "./offers";
import { atTable, cardIn, type Player } from "./players";
import { settings } from "./settings.svelte";
import { duration, stepsOf, type Picture, type Step } from "./show";
import { Showing } from "./showing.svelte";
import { notifyTurn } from "./notices";
import { Talk } from "./talk.svelte";
import { inWords, type Named } from "./wording";

/** What a table needs from elsewhere on the server. */
export interface Sources {
  board: (label: BoardLabel, language: string) => Promise<BoardView>;
  deck: (label: DeckLabel, language: string) => Promise<Deck>;
  floorPlan: (layout: string, label: BoardLabel) => Promise<FloorPlan>;
}

type Change = Choose["options"];

const SHOWN_AT_ONCE = new Set(["undone", "corrected", "opened"]); // these do not follow from what was shown before
const NO_BOARD: BoardView = { areas: [], prices: [] };
const MOST_LINES = 400;
/** What identifies a deck or a board with its texts. */
const idOf = ({ name, key }: DeckLabel | BoardLabel): string => `${settings.language} ${key ?? name}`;
const NEWS_OF_THE_NETWORK = ["online", "offline", "visibilitychange"] as const;

export class Table extends Showing {
  status = $state<Status>("connecting");
  view = $state.raw<TableView | null>(null);
  held = $state.raw<readonly number[]>([]);
  private connected = $state.raw<readonly number[]>([]);
  log = $state.raw<readonly LogLine[]>([]);
  wrapsLeft = $state(0); // today
  problem = $state("");
  awaited = $state.raw<Countdown | null>(null); // how long we wait for an absent player
  gone = $state(""); // why the table cannot be shown
  takenAway = $state.raw<readonly string[]>([]); // the names at our seats that another device holds now
  board = $state.raw(NO_BOARD);
  cards = $state.raw<ReadonlyMap<number, Card>>(new Map());
  private floorPlan = $state.raw<FloorPlan | null>(null);
  private advice = $state.raw<Hints | null>(null);
  private thinkingAbout = $state(-1); // the number of the table's entry
  private changes = $state.raw<readonly Change[]>([]); // to options, not yet accepted by the server
  private sending = $state(false);
  private readonly commands = new Latest();
  private readonly underWay = new Set<string>();
  private mayReportOptions = () => false;
  private catchingUp: { seq: number; done: () => void }[] = [];
  private shownTokens: readonly string[] = []; // in our last hello
  private shownLive: readonly string[] = []; // those of them that held a chair, as far as we knew
  private taking = false; // whether we are taking over a seat with a link
  private readonly deaf: () => void;
  private deck = "";
  private shownBoard = ""; // which one, and in which language
  private layout: string | null | undefined;
  readonly talk: Talk;
  readonly connection: Channel;

  hasBoard = $derived(this.board !== NO_BOARD);
  plan: BoardPlan | null = $derived(this.hasBoard && this.floorPlan ? planBoard(this.board, this.floorPlan) : null);
  position: Position | null = $derived(this.view?.position ?? null);
  players: Player[] = $derived(atTable(this.view?.chairs ?? []));
  names: string[] = $derived(this.players.map(({ name }) => name));
  activeChair: ChairView | null = $derived(this.chairAt(this.position?.state.active ?? null));
  /** Whether it is our turn; no longer once a stand-in plays the rest of it. */
  myTurn = $derived(this.activeChair !== null && this.held.includes(this.activeChair.id) && !this.position?.stand_in);
  /** The chairs that a connection holds now; null while our own is lost and we cannot know. */
  here: readonly number[] | null = $derived(this.status === "open" ? this.connected : null);
  isHost = $derived(this.view?.host != null && this.held.includes(this.view.host));
  /** Why we cannot undo; null if we can. */
  whyNoUndo: string | null = $derived.by(() => {
    const undo = this.position?.undo;
    return !undo || (undo.chair !== null && this.held.includes(undo.chair)) ? null : undo.sentence;
  });
  /** What came up last, if we may correct it. */
  correction: CorrectionView | null = $derived.by(() => {
    const last = this.status === "open" && !this.busy ? this.position?.correction : null;
    return last?.chairs.some((chair) => this.held.includes(chair)) ? last : null;
  });
  hints: Hints | null = $derived(this.advice?.seq === this.view?.seq ? this.advice : null);
  thinking = $derived(this.thinkingAbout === this.view?.seq);
  /** Changes whenever there may be something else to click on. */
  version = $derived(`${this.view?.seq} ${this.busy} ${this.sending}`);
  /** The options once the server has accepted all pending changes. */
  options: Options | null = $derived(this.view && Object.assign({}, this.view.options, ...this.changes));
  saving = $derived(this.changes.length > 0);
  choices: Choices = $derived(
    this.status === "open" && this.myTurn && !this.busy && !this.sending && this.position && !this.position.paused
      ? sortOffers(this.position.offers, this.position.reasons)
      : NO_CHOICES,
  );

  constructor(
    readonly code: string,
    private readonly sources: Sources,
    world: Surroundings = browser,
    private readonly ourTokens: () => string[] = () => tokens.shown(code),
    connect: (table: Table) => Channel = (table) => table.overSocket(world),
  ) {
    super();
    this.talk = new Talk(this);
    const connection = connect(this);
    this.connection = connection;
    for (const name of NEWS_OF_THE_NETWORK) addEventListener(name, this.check);
    this.deaf = arrivals.add((codes) => codes.includes(this.code) && this.hasOtherTokens && connection.startOver());
  }

  private overSocket(world: Surroundings): Channel {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const address = `${scheme}://${location.host}/api/tables/${encodeURIComponent(this.code)}/socket`;
    return new Connection(
      address,
      () => {
        this.shownLive = tokens.of(this.code);
        return [...(this.shownTokens = this.ourTokens())];
      },
      () => settings.language,
      this,
      world,
    );
  }

  private check = () => this.connection.check();

  end(): void {
    for (const name of NEWS_OF_THE_NETWORK) removeEventListener(name, this.check);
    this.deaf();
    this.connection.end();
    this.halt();
  }

  /** The chair of the player with this seat. */
  chairAt(seat: number | null): ChairView | null {
    return seat === null ? null : (this.view?.chairs[seat] ?? null);
  }

  /** What the active player's actions are about, by name. */
  get named(): Named {
    return {
      area: (id) => this.board.areas.find((area) => area.id === id)?.name ?? id,
      role: (key) => {
        const role = this.roleHere(key);
        return role ? `${role.name} (${role.rank})` : key;
      },
      price: (rank, currency) => this.board.prices.find((price) => price.rank === rank)?.[currency],
    };
  }

  /** An action as a person would say it. */
  inWords = (action: string): string => inWords(action, this.named);

  /** Who works on a role of a place, counted from 0. */
  workerOn(area: AreaView, star: boolean, number: number): string | undefined {
    const role = star ? number : area.first_extra + number;
    return this.names[this.shown?.players.findIndex((one) => one.area === area.id && one.role === role) ?? -1];
  }

  /** A role where the active player stands, as `star 2` or `extra 1`. */
  roleHere(key: string): Role | undefined {
    const [kind, number] = key.split(" ");
    const player = this.shown?.players[this.shown.active ?? -1];
    const area = this.board.areas.find((one) => one.id === player?.area);
    const roles = kind === "extra" ? area?.extras : area && cardIn(area.id, this.shown, this.cards)?.roles;
    return roles?.[Number(number) - 1];
  }

  // --- what the server says

  statusChanged(status: Status): void {
    this.status = status;
  }

  refused(message: Problem): void {
    this.report(message.sentence);
  }

  unknown(message: Problem): void {
    this.gone = message.sentence;
  }

  pending(pending: PendingOutcome): void {
    if (this.view) this.view = { ...this.view, pending };
  }

  present(chairs: readonly number[]): void {
    this.connected = chairs;
  }

  awaiting(clock: ClockView | null): void {
    this.awaited = heardNow(clock);
  }

  said(line: TalkLine): void {
    this.talk.said(line);
  }

  talkCleared(number: number): void {
    this.talk.cleared(number);
  }

  welcome(message: Welcome, first: boolean): void {
    const before = this.view;
    this.held = message.held;
    if (!message.id) this.talk.welcome(message.talk ?? []);
    if (!message.id) this.learn(message);
    this.adopt(message.table);
    const sameGame = before?.game === message.table.game && before.status === "running";
    const steps = message.missed.flatMap((update) => stepsOf(update, null));
    if (first) [this.waiting, this.step, this.log] = [[], null, []];
    if (first || !sameGame) {
      this.skip();
      for (const one of steps) this.write(one);
    } else if (steps.length)
      this.enqueue([...steps.slice(0, -1), { ...(steps.at(-1) as Step), after: message.table.position }]);
    else if (before.seq !== message.table.seq) this.skip();
  }

  /** Learn which tokens of ours hold a chair. Keep and show the others again: a server may be wrong, or restored. */
  private learn({ unknown, taken = [], table }: Welcome): void {
    const resting = unknown.flatMap((number) => this.shownTokens[number] ?? []);
    const live = tokens.of(this.code);
    tokens.rest(
      this.code,
      resting.filter((token) => live.includes(token)),
    );
    for (const token of this.shownTokens)
      if (!resting.includes(token) && !live.includes(token)) tokens.keep(this.code, token);
    const gone = taken.filter((one) => this.shownLive.includes(this.shownTokens[one.number] ?? ""));
    const chairs = gone.map((one) => one.chair).filter((chair) => !this.held.includes(chair));
    const names = table.chairs.filter(({ id }) => chairs.includes(id)).map(({ name }) => name);
    this.takenAway = [...new Set([...this.takenAway, ...names])]; // several are taken one after the other
  }

  /** Whether we know of tokens that we have not shown at this table. */
  private get hasOtherTokens(): boolean {
    return this.ourTokens().some((token) => !this.shownTokens.includes(token));
  }

  update(message: Update): void {
    const before = this.view;
    if (!before) return;
    this.adopt(after(before, message));
    this.held = this.held.filter((chair) => this.view?.chairs.some((one) => one.id === chair && !one.left));
    if (message.kind === "taken_over" && this.isOurs(message.chair)) this.connection.startOver();
    this.enqueue(stepsOf(message, this.position));
    if (SHOWN_AT_ONCE.has(message.kind)) this.skip();
  }

  /** Whether a seat that was taken over was ours, or became ours through another page of this browser. */
  private isOurs = (chair: number | null = null): boolean =>
    (chair !== null && this.held.includes(chair)) || (!this.taking && this.hasOtherTokens);

  private adopt(view: TableView): void {
    this.view = view;
    void this.loadCards(view.deck);
    void this.loadBoard(view);
    for (const one of this.catchingUp) if (one.seq <= view.seq) one.done();
    this.catchingUp = this.catchingUp.filter((one) => one.seq > view.seq);
  }

  private async loadCards(label: DeckLabel): Promise<void> {
    const wanted = idOf(label);
    if (wanted === this.deck) return;
    const deck = await this.sources.deck(label, settings.language).catch(() => null);
    if (!deck || !this.view || wanted !== idOf(this.view.deck)) return;
    this.cards = new Map(deck.cards.map((card) => [card.number, card]));
    this.deck = wanted;
  }

  /** A board and its floor plan, which change together. */
  private async loadBoard({ board: label, layout }: TableView): Promise<void> {
    const wanted = idOf(label);
    if (layout === this.layout && wanted === this.shownBoard) return;
    const plan = layout === null ? null : this.sources.floorPlan(layout, label).catch(() => undefined);
    const board =
      wanted === this.shownBoard ? this.board : await this.sources.board(label, settings.language).catch(this.missing);
    if (!board) return;
    if (!this.hasBoard) this.board = board; // the players need not wait for the picture
    const laid = await plan;
    if (laid === undefined || !this.view || wanted !== idOf(this.view.board) || layout !== this.view.layout) return;
    this.board = board;
    this.shownBoard = wanted;
    this.floorPlan = laid;
    this.layout = layout;
  }

  private missing = (error: Error): null => {
    if (!this.hasBoard) this.gone = error.message;
    return null;
  };

  /** Wait until we see the effect of a command. */
  private caughtUp(seq: number): Promise<void> {
    if ((this.view?.seq ?? 0) >= seq) return Promise.resolve();
    return new Promise((done) => this.catchingUp.push({ seq, done }));
  }

  // --- what is shown

  protected time(step: Step): number {
    const byBot = this.view?.chairs.find((chair) => chair.id === step.chair)?.bot != null;
    return duration(step.event, settings.speed, this.waiting.length, !byBot);
  }

  protected override rested(): void {
    if (this.myTurn) notifyTurn();
  }

  protected override paint(picture: Picture | null): void {
    super.paint(picture);
    this.wrapsLeft = picture?.wraps_left ?? 0;
  }

  /** Write a step into the log. */
  protected write(step: Step): void {
    if (!step.sentence) return;
    const colour = this.view?.chairs.find((chair) => chair.id === step.chair)?.colour ?? null;
    const { seq, sentence: text, event } = step;
    this.log = written(this.log, { seq, text, colour, kind: event.type, event }).slice(-MOST_LINES);
  }

  // --- what we send

  /** Show a problem, or none, for the latest command; the returned function says whether it still is the latest. */
  private report(problem: string): () => boolean {
    this.problem = problem;
    return this.commands.begin();
  }

  private async deliver(command: NewCommand, mayReport: () => boolean): Promise<Answer> {
    const answer = await this.connection.send(command);
    if (answer.type === "refused" && answer.code !== "stale" && mayReport()) this.problem = answer.sentence;
    if (answer.type === "done") await this.caughtUp(answer.seq);
    return answer;
  }

  /** Send a command. Problems of earlier ones are no longer shown. */
  send(command: NewCommand): Promise<Answer> {
    return this.deliver(command, this.report(""));
  }

  /** Send a command once, however often people click before it is answered. */
  once(command: NewCommand): Promise<void> {
    return this.unlessUnderWay(JSON.stringify(command), () => this.send(command));
  }

  private async unlessUnderWay(what: string, work: () => Promise<unknown>): Promise<void> {
    if (this.underWay.has(what)) return;
    this.underWay.add(what);
    await work();
    this.underWay.delete(what);
  }

  /** Send commands at once, in this order, without waiting for each answer; whether all were carried out. */
  private async sendAll(commands: readonly NewCommand[]): Promise<boolean> {
    const mayReport = this.report("");
    const answers = await Promise.all(commands.map((command) => this.deliver(command, mayReport)));
    return answers.every(({ type }) => type === "done");
  }

  /** Why an action is refused, if it is. */
  whyNot = (action: string): string | undefined =>
    this.position?.reasons.find(({ actions }) => actions.includes(action))?.sentence;

  /** What people must roll or turn for an action, if anything. */
  needsOf = (action: string): OutcomeNeed | null =>
    this.position?.offers.find((offer) => offer.action === action)?.needs ?? null;

  async play(action: string, outcome: string | null = null): Promise<void> {
    if (this.sending) return;
    const refusal = this.whyNot(action);
    if (refusal) {
      this.report(refusal);
      return;
    }
    this.sending = true;
    await this.send({ type: "play", seq: this.connection.next, action, outcome });
    this.sending = false;
  }

  /** Enter what came up, for an action or to correct the last one; a refusal is for the dialog that asked. */
  async enter(action: string, outcome: string, correcting: boolean): Promise<Problem | null> {
    const seq = this.connection.next;
    const command: NewCommand = correcting ? { type: "correct", seq, outcome } : { type: "play", seq, action, outcome };
    const answer = await this.deliver(command, () => false);
    return answer.type === "refused" ? answer : null;
  }

  /** The cards that a text may mean; null if the server does not say. */
  async findCards(text: string, correcting: boolean): Promise<CardsFound | null> {
    const answer = await this.connection.send({ type: "find_cards", text, correcting });
    return answer.type === "cards" ? answer : null;
  }

  undo(): void {
    if (this.whyNoUndo) this.report(this.whyNoUndo);
    else void this.send({ type: "undo", seq: this.connection.next });
  }

  async hint(): Promise<void> {
    if (this.thinking || !this.view) return;
    const { seq } = this.view;
    this.thinkingAbout = seq;
    const answer = await this.send({ type: "hint" });
    if (answer.type === "hints" && answer.seq >= (this.advice?.seq ?? 0)) this.advice = answer;
    if (this.thinkingAbout === seq) this.thinkingAbout = -1;
  }

  /** Change options, and say whether the server accepted it. A refusal is shown even if later changes are accepted. */
  async choose(change: Change): Promise<boolean> {
    this.mayReportOptions = this.report("");
    this.changes = [...this.changes, change];
    const answer = await this.deliver({ type: "choose", options: change }, () => this.mayReportOptions());
    this.changes = this.changes.filter((one) => one !== change);
    return answer.type === "done";
  }

  async sit(name: string, colour: string | null): Promise<boolean> {
    const token = randomHex();
    tokens.keep(this.code, token);
    const invitation = secretIn(location.hash, "invitation");
    const answer = await this.send({ type: "sit", name, token, colour, invitation });
    if (answer.type !== "done" || answer.chair == null) {
      tokens.rest(this.code, [token]);
      return false;
    }
    tokens.keep(this.code, token); // a reconnect may have marked it as unused before the server got our command
    myName.keep(name);
    if (!this.held.includes(answer.chair)) this.held = [...this.held, answer.chair];
    return true;
  }

  /** Hand over our chairs, or an absent person's, to anybody with this secret; returns whether that worked. */
  handOver(chairs: readonly number[], secret: string): Promise<boolean> {
    return this.sendAll(chairs.map((chair) => ({ type: "hand_over", chair, secret })));
  }

  /** Which chairs a secret hands over, or a sentence that says why none. */
  async findHandover(secret: string): Promise<Handover | string> {
    const answer = await this.connection.send({ type: "find_handover", secret });
    if (answer.type === "handover") return answer;
    return answer.type === "refused" ? answer.sentence : "";
  }

  /** Take over `count` seats with the secret from a link, one after the other; whether all are ours now. */
  async takeOver(secret: string, count: number): Promise<boolean> {
    this.taking = true;
    let taken = 0;
    while (taken < count && (await this.takeOne(secret))) taken += 1;
    this.taking = false;
    return taken === count;
  }

  /** Take over one seat. The token is kept first, because an answer can be lost. */
  private async takeOne(secret: string): Promise<boolean> {
    const token = randomHex();
    tokens.keep(this.code, token);
    const answer = await this.send({ type: "take_over", secret, token });
    if (answer.type !== "done" || answer.chair == null) {
      tokens.rest(this.code, [token]);
      return false;
    }
    tokens.keep(this.code, token);
    if (!this.held.includes(answer.chair)) this.held = [...this.held, answer.chair];
    return true;
  }

  ready = (chair: number, ready: boolean) => this.send({ type: "ready", chair, salt: ready ? randomHex() : null });

  /** Say for everybody at this screen that they want another game, or that they do not after all. */
  agree(wanted: boolean): Promise<void> {
    return this.unlessUnderWay("agree", () =>
      this.sendAll(this.held.map((chair) => ({ type: "agree", chair, salt: wanted ? randomHex() : null }))),
    );
  }

  /** Show everything, the log too, in the language that is chosen now. */
  changeLanguage(): void {
    this.advice = null;
    this.problem = "";
    this.connection.startOver();
  }
}
