// Talking to the server: requests, and a socket that comes back by itself.

export const randomHex = () => Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, "0")).join("");

export async function ask(method, path, body) {
  const text = typeof body === "string";
  const headers = { "content-type": text ? "text/plain" : "application/json" };
  const sent = body === undefined ? {} : { body: text ? body : JSON.stringify(body), headers };
  const response = await fetch(path, { method, ...sent });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.sentence);
  return answer;
}

// The tokens of the seats that this browser holds, by table.
export const tokens = {
  of: (code) => JSON.parse(localStorage.getItem(`deadwood ${code}`) ?? "[]"),
  keep(code, token) {
    localStorage.setItem(`deadwood ${code}`, JSON.stringify([...this.of(code), token].slice(-8)));
  },
  drop(code, numbers) {
    localStorage.setItem(`deadwood ${code}`, JSON.stringify(this.of(code).filter((_, number) => !numbers.includes(number))));
  },
};

export class Table {
  // A table that we listen to. `changed` is called after every message, `problem` with what was refused.
  constructor(code, changed, problem) {
    Object.assign(this, { code, changed, problem, table: null, held: [], told: [], seq: 0, waiting: new Map(), pause: 1 });
    this.connect();
  }

  connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/api/tables/${this.code}/socket`);
    this.socket.onopen = () => this.say({ type: "hello", tokens: tokens.of(this.code), since: this.seq });
    this.socket.onmessage = (event) => this.heard(JSON.parse(event.data));
    this.socket.onclose = () => setTimeout(() => this.connect(), 1000 * this.pause);
    this.pause = Math.min(this.pause * 2, 30) * (0.5 + Math.random());
  }

  say(message) {
    this.socket.send(JSON.stringify(message));
  }

  // Say something until it is answered: the same id is never done twice.
  wish(type, more = {}) {
    const message = { type, id: randomHex().slice(0, 24), ...more };
    return new Promise((done) => {
      this.waiting.set(message.id, { message, done });
      if (this.socket.readyState === WebSocket.OPEN) this.say(message);
    });
  }

  heard(message) {
    if (message.type === "welcome") this.welcomed(message);
    if (message.type === "update") this.updated(message);
    if (message.type === "goodbye") this.pause = message.retry_after;
    if (message.type === "pending") this.table.pending = message.pending;
    if (message.type === "refused") this.refused(message);
    const waiting = this.waiting.get(message.id);
    if (waiting) {
      this.waiting.delete(message.id);
      waiting.done(message);
    }
    this.changed();
  }

  welcomed(message) {
    this.pause = 1;
    this.table = message.table;
    this.held = message.held;
    if (!message.id) tokens.drop(this.code, message.unknown);
    this.seq = message.table.seq;
    for (const update of message.missed) this.told.push(...update.told);
    for (const { message } of this.waiting.values()) this.say(message);
  }

  updated(message) {
    if (message.seq <= this.seq) return;
    if (message.seq > this.seq + 1) this.say({ type: "sync", id: "sync", since: this.seq });
    this.seq = message.seq;
    this.table = message.table ?? { ...this.table, seq: message.seq, state: message.state, offers: message.offers ?? [], pending: null };
    this.held = this.held.filter((seat) => this.table.seats.some((one) => one.seat === seat));
    this.told.push(...message.told);
  }

  refused(message) {
    if (message.table) Object.assign(this, { table: message.table, seq: message.table.seq });
    this.problem(message.sentence);
  }
}
