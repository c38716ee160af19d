// A personal key in this browser: it brings here what other browsers know, and carries what happens here to them.

import type { Bundle, NewBundle } from "../wire";
import { adopt, asText, fitting, gather, merge, unwrapped, wrapped, type Carried } from "./carried";
import { request } from "./http";
import { arrivals, changes, kept } from "./memory";
import { canSeal, derive, roomIn, seal, unseal, type Derived } from "./sealing";

const KEY = "key"; // where this browser keeps the words
const LONGEST = 64 * 1024; // characters that a server accepts
const ATTEMPTS = 6; // if other browsers are faster again and again
const CALM = 1_500; // milliseconds without a change, after which all changes are carried together
const PAUSE = 5_000; // between two checks

/** Where a server keeps what a key carries. */
export interface Keeper {
  read: () => Promise<Bundle>;
  swap: (bundle: NewBundle) => Promise<Bundle>;
}

const keeperFor = ({ id }: Derived): Keeper => ({
  read: () => request<Bundle>("GET", "/api/bundle", undefined, id),
  swap: (bundle) => request<Bundle>("PUT", "/api/bundle", bundle, id),
});

export class Unreadable extends Error {}

/** Merge what a browser and a server know, so that both know everything. */
export async function reconcile(
  keeper: Keeper,
  secret: CryptoKey,
  own: () => Carried,
  learn: (carried: Carried) => void,
): Promise<void> {
  let found = await keeper.read();
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const there = await opened(secret, found.sealed);
    learn(there);
    const all = fitting(merge(own(), there), roomIn(LONGEST));
    if (found.sealed && asText(all) === asText(there)) return;
    const { version } = found;
    found = await keeper.swap({ version, sealed: await seal(secret, wrapped(all)) });
    if (found.stored) return;
  }
}

async function opened(secret: CryptoKey, sealed: string | null | undefined): Promise<Carried> {
  if (!sealed) return {};
  const carried = unwrapped((await unseal(secret, sealed)) ?? "");
  if (!carried) throw new Unreadable();
  return carried;
}

export type CarryingState = "off" | "working" | "done" | "failed" | "unreadable";

class Carrying {
  phrase = $state(kept.read(KEY, ""));
  state = $state<CarryingState>("off");
  at = $state(0); // when both sides were last in sync
  private derived: { phrase: string; done: Promise<Derived> } | null = null;
  private timer = 0;
  private again = false;
  private started = false;

  /** From now on, carry what happens here, and check the server when somebody comes back to this page. */
  start(): void {
    if (this.started || !this.phrase || !canSeal()) return;
    this.started = true;
    changes.add(() => this.soon(CALM));
    document.addEventListener("visibilitychange", () => this.cameBack());
    addEventListener("online", () => this.cameBack());
    void this.now();
  }

  /** Whether a server knows these words. */
  async isKnown(phrase: string): Promise<boolean> {
    return (await keeperFor(await this.deriveFrom(phrase)).read()).version > 0;
  }

  async use(phrase: string): Promise<void> {
    this.phrase = phrase;
    kept.write(KEY, phrase);
    if (this.started) await this.now();
    else this.start();
  }

  /** This browser no longer uses the key. It keeps all that it knows. */
  forget(): void {
    this.phrase = "";
    this.state = "off";
    kept.write(KEY, "");
  }

  /** The server no longer keeps anything for the key. */
  async erase(): Promise<void> {
    const { id } = await this.deriveFrom(this.phrase);
    await request<Bundle>("DELETE", "/api/bundle", undefined, id);
    this.forget();
  }

  async now(): Promise<void> {
    clearTimeout(this.timer);
    if (!this.phrase) return;
    if (this.state === "working") {
      this.again = true;
      return;
    }
    this.state = "working";
    const { phrase } = this;
    const state = await this.tried(phrase);
    if (phrase === this.phrase) this.state = state;
    if (this.again || phrase !== this.phrase) this.soon(PAUSE);
    this.again = false;
  }

  private async tried(phrase: string): Promise<CarryingState> {
    try {
      const derived = await this.deriveFrom(phrase);
      await reconcile(keeperFor(derived), derived.secret, gather, (carried) => {
        const news = adopt(carried);
        if (news.length) arrivals.announce(news);
      });
      this.at = Date.now();
      return "done";
    } catch (error) {
      return error instanceof Unreadable ? "unreadable" : "failed"; // the next change or check tries again
    }
  }

  private soon(milliseconds: number): void {
    if (!this.phrase) return;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.now(), milliseconds);
  }

  private cameBack(): void {
    if (!document.hidden && Date.now() - this.at > PAUSE) void this.now();
  }

  private deriveFrom(phrase: string): Promise<Derived> {
    if (this.derived?.phrase !== phrase) this.derived = { phrase, done: derive(phrase) };
    return this.derived.done;
  }
}

export const carrying = new Carrying();
