// A connection to a table. It reconnects by itself, and retries a command with the same id until it is answered.

import type {
  ClockView,
  Command,
  Message,
  PendingOutcome,
  Problem,
  TableView,
  TalkLine,
  Update,
  Welcome,
} from "../wire";

export type Status = "connecting" | "open" | "lost";
export type Answer = Exclude<Message, Update>;
type WithoutId<T> = T extends { id: string } ? Omit<T, "id"> : never;
export type NewCommand = WithoutId<Command>;

export interface Surroundings {
  open: (address: string) => WebSocket;
  later: (work: () => void, milliseconds: number) => number;
  cancel: (timer: number) => void;
  random: () => number;
  newId: () => string;
}

export interface Listener {
  statusChanged(status: Status): void;
  welcome(message: Welcome, first: boolean): void;
  update(message: Update): void;
  refused(message: Problem): void;
  unknown(message: Problem): void; // the table does not exist, or no longer does
  pending(outcome: PendingOutcome): void;
  present(chairs: readonly number[]): void;
  awaiting?(clock: ClockView | null): void; // for an absent player, until a stand-in plays
  said?(line: TalkLine): void;
  talkCleared?(number: number): void; // up to this line
}

/** How a table talks to the side that knows the rules: a server, or a lesson. */
export interface Channel {
  readonly next: number; // the number that the next entry of the log will have
  send(command: NewCommand): Promise<Answer>;
  startOver(): void; // in the language that is chosen now
  check(): void;
  end(): void;
}

const SHORTEST = 500;
const LONGEST = 8_000;
const PATIENCE = 12_000; // without an answer, the connection counts as dead
const QUIET = 20_000; // after this much silence we ping: a connection can die without notice
const SHORT_PATIENCE = 4_000; // for the pong
const TABLE_UNKNOWN = "table_unknown";

/** How long to wait before the next attempt: doubling, with jitter. */
export function pause(attempt: number, random: number): number {
  return Math.min(LONGEST, SHORTEST * 2 ** attempt) * (0.5 + random / 2);
}

export class Connection implements Channel {
  private socket: WebSocket | null = null;
  private seq = 0;
  private known = false;
  private attempt = 0;
  private timer = 0;
  private watch = 0;
  private ended = false;
  private greeted = false;
  private afresh = false; // whether the next welcome has everything from the beginning
  private hinted: number | null = null;
  private readonly waiting = new Map<string, { message: object; done: (answer: Answer) => void }>();

  constructor(
    private readonly address: string,
    private readonly tokens: () => string[],
    private readonly language: () => string,
    private readonly listener: Listener,
    private readonly world: Surroundings,
  ) {
    this.connect();
  }

  /** The number that the next entry of the log will have. */
  get next(): number {
    return this.seq + 1;
  }

  /** Send a command until it is answered: the server never carries out the same id twice. */
  send(command: NewCommand): Promise<Answer> {
    const message = { ...command, id: this.world.newId() };
    return new Promise((done) => {
      this.waiting.set(message.id, { message, done });
      if (this.greeted) this.write(message);
    });
  }

  /** Reconnect, and hear everything from the beginning, for instance in another language. */
  startOver(): void {
    this.afresh = true;
    this.drop();
  }

  /** Check the connection at once, for instance when the device goes offline or online. */
  check(): void {
    if (this.ended) return;
    if (this.greeted) this.ping();
    else if (!this.socket) {
      this.world.cancel(this.timer);
      this.connect();
    }
  }

  end(): void {
    this.ended = true;
    this.world.cancel(this.timer);
    this.drop();
  }

  private connect(): void {
    this.listener.statusChanged(this.known ? "lost" : "connecting");
    const socket = this.world.open(this.address);
    this.socket = socket;
    socket.onopen = () => this.write(this.hello());
    socket.onmessage = (event: MessageEvent<string>) => {
      if (socket === this.socket) this.receive(JSON.parse(event.data) as Message);
    };
    socket.onclose = () => this.closed(socket);
    socket.onerror = () => socket.close();
    this.waitFor(PATIENCE, () => this.drop());
  }

  private hello(): object {
    const since = this.afresh ? 0 : this.seq;
    return { type: "hello", tokens: this.tokens(), since, language: this.language(), explain: true };
  }

  private write(message: object, patience = PATIENCE): void {
    if (this.socket?.readyState !== 1) return;
    this.socket.send(JSON.stringify(message));
    this.waitFor(patience, () => this.drop());
  }

  private sync(): void {
    this.write({ type: "sync", id: "sync", since: this.seq });
  }

  private ping(): void {
    this.write({ type: "ping", id: "ping" }, SHORT_PATIENCE);
  }

  private waitFor(milliseconds: number, work: () => void): void {
    this.world.cancel(this.watch);
    this.watch = this.world.later(work, milliseconds);
  }

  /** Drop the socket at once: browsers report a dead one only after a minute. */
  private drop(): void {
    const socket = this.socket;
    if (!socket) return;
    this.closed(socket);
    socket.close();
  }

  private closed(socket: WebSocket): void {
    if (socket !== this.socket) return;
    this.socket = null;
    this.greeted = false;
    this.world.cancel(this.watch);
    if (this.ended) return;
    this.listener.statusChanged("lost");
    const wait = this.hinted ?? pause(this.attempt++, this.world.random());
    this.hinted = null;
    this.timer = this.world.later(() => this.connect(), wait);
  }

  private receive(message: Message): void {
    this.waitFor(QUIET, () => this.ping());
    if (message.type === "welcome") this.welcomed(message);
    else if (message.type === "update") this.updated(message);
    else if (message.type === "goodbye") this.hinted = message.retry_after * 1000;
    else if (message.type === "pending") this.listener.pending(message.pending);
    else if (message.type === "present") this.listener.present(message.chairs);
    else if (message.type === "waiting") this.listener.awaiting?.(message.waiting);
    else if (message.type === "said") this.listener.said?.(message.line);
    else if (message.type === "talk_cleared") this.listener.talkCleared?.(message.number);
    else if (message.type === "refused") this.refused(message);
    else if (message.type === "pong" && message.seq > this.seq) this.sync();
    if (message.type !== "update" && "id" in message && message.id) this.answered(message.id, message);
  }

  private answered(id: string, message: Answer): void {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    waiting?.done(message);
  }

  private welcomed(message: Welcome): void {
    if (message.id && message.table.seq < this.seq) return; // newer updates have arrived since we asked
    const first = !this.known || (this.afresh && !message.id);
    const missed = message.missed.filter(({ seq }) => first || seq > this.seq);
    this.known = true;
    if (first) this.afresh = false;
    this.attempt = 0;
    this.seq = message.table.seq;
    this.listener.welcome({ ...message, missed }, first);
    this.listener.present(message.present);
    this.listener.awaiting?.(message.waiting);
    if (message.id) return;
    this.greeted = true;
    this.listener.statusChanged("open");
    for (const { message } of this.waiting.values()) this.write(message);
  }

  private updated(message: Update): void {
    if (message.seq <= this.seq) return;
    if (message.seq > this.seq + 1) {
      this.sync();
      return;
    }
    this.seq = message.seq;
    this.listener.update(message);
  }

  private refused(message: Problem): void {
    if (message.table && message.table.seq > this.seq) this.sync();
    if (message.id) return;
    if (message.code !== TABLE_UNKNOWN) return this.listener.refused(message);
    this.end();
    this.listener.unknown(message);
  }
}

/** The table after an update. */
export function after(table: TableView, update: Update): TableView {
  if (update.table) return update.table;
  return { ...table, seq: update.seq, position: update.position ?? table.position, pending: null };
}

export const browser: Surroundings = {
  open: (address) => new WebSocket(address),
  later: (work, milliseconds) => window.setTimeout(work, milliseconds),
  cancel: (timer) => window.clearTimeout(timer),
  random: Math.random,
  newId: () => randomHex().slice(0, 24),
};

/** 256 random bits as 64 hexadecimal digits: a token, or a salt for the dice. */
export function randomHex(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
