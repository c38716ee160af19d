// A connection to a server that the test itself is: it hears what is said, and answers when and how it likes.

import type { Surroundings } from "../src/logic/connection";

interface Said {
  type: string;
  id?: string;
  since?: number;
  tokens?: string[];
  [field: string]: unknown;
}

export class Socket {
  readyState = 0;
  sent: Said[] = [];
  onopen = () => {};
  onmessage = (_: { data: string }) => {};
  onclose = () => {};
  onerror = () => {};
  send(text: string) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.onclose();
  }
  open() {
    this.readyState = 1;
    this.onopen();
  }
  hear(message: object) {
    this.onmessage({ data: JSON.stringify(message) });
  }
}

export class World implements Surroundings {
  sockets: Socket[] = [];
  timers: { work: () => void; wait: number }[] = [];
  private ids = 0;

  get latest(): Socket {
    return this.sockets.at(-1) as Socket;
  }
  open = () => {
    this.sockets.push(new Socket());
    return this.latest as unknown as WebSocket;
  };
  later = (work: () => void, wait: number) => this.timers.push({ work, wait });
  cancel = (timer: number) => {
    const found = this.timers[timer - 1];
    if (found) found.work = () => {};
  };
  random = () => 0.5;
  newId = () => `id-${this.ids++}`;
  /** Let the last timer run out: the connection tries again. */
  comeBack = () => this.timers.at(-1)?.work();
}

/** Let everything happen that waits for nothing but its turn. */
export const settle = () => new Promise((done) => setTimeout(done));
