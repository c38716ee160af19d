// What people say at a table: whom this browser mutes, how much was read, and what we say ourselves.

import type { TalkLine } from "../wire";
import { randomHex, type Answer, type NewCommand, type Status } from "./connection";
import { kept, myName } from "./memory";
import { t } from "./text";

export type Reaction = NonNullable<TalkLine["reaction"]>;
export const REACTIONS: readonly Reaction[] = [
  "hat",
  "badge",
  "horseshoe",
  "mug",
  "bang",
  "cactus",
  "tumbleweed",
  "skull",
];

/** The table as far as talk needs it. */
export interface Place {
  readonly code: string;
  readonly status: Status;
  readonly held: readonly number[];
  readonly activeChair: { id: number } | null;
  readonly connection: { send(command: NewCommand): Promise<Answer> };
}

interface Remembered {
  muted: Record<string, string>; // names by speaker
  quiet: boolean; // people who watch are muted
  read: number; // the number of the last line that was read
  voice: string; // ours, as the others see it
}

const KEY = "talk";
const MOST_TABLES = 24;
const MOST_LINES = 100; // of players, and of those who watch: as many as the server remembers
const MOST_NEWS = 3;
const MOMENT = 4_000; // how long a reaction is seen at somebody's die
const NOTHING: Remembered = { muted: {}, quiet: false, read: 0, voice: "" };

const remembered = () => kept.read<Record<string, Partial<Remembered>> | null>(KEY, null) ?? {};

/** The secret that identifies a spectator in this browser; no other client ever sees it. */
function voice(): string {
  const known = kept.read("voice", "");
  if (known) return known;
  const made = randomHex();
  kept.write("voice", made);
  return made;
}

/** An id of the speaker, stable for as long as the table exists. */
export const speakerOf = ({ chair, voice }: TalkLine): string => (chair == null ? `voice ${voice}` : `chair ${chair}`);
export const isSpectator = (line: TalkLine): boolean => line.chair == null;
/** What was said, in words. */
export const wordsOf = ({ text, reaction }: TalkLine): string => (reaction ? t(`reaction ${reaction}`) : (text ?? ""));
export const timeOf = ({ number }: TalkLine): Date => new Date(number / 1000);

export class Talk {
  lines = $state.raw<readonly TalkLine[]>([]);
  news = $state.raw<readonly TalkLine[]>([]); // said by others since we came, for screen readers
  reactions = $state.raw<ReadonlyMap<number, TalkLine>>(new Map()); // by chair, for a moment
  draft = $state("");
  name = $state(myName.get()); // of somebody who watches
  problem = $state("");
  nameless = $state(false); // whether the name is the problem
  sending = $state(false); // what was typed
  speaker = $state<number | null>(null); // the chair, if several people share this screen
  private own = $state.raw<Remembered>(NOTHING);
  private inSight = $state(false);
  private reacting = false;

  constructor(
    private readonly place: Place,
    private readonly later: (work: () => void, milliseconds: number) => unknown = (work, wait) =>
      setTimeout(work, wait),
  ) {
    this.own = { ...NOTHING, ...remembered()[place.code] };
  }

  get muted(): Readonly<Record<string, string>> {
    return this.own.muted;
  }

  get quiet(): boolean {
    return this.own.quiet;
  }

  isMuted = (line: TalkLine): boolean =>
    speakerOf(line) in this.own.muted || (this.own.quiet && isSpectator(line) && this.place.held.length > 0);

  isOurs = (line: TalkLine): boolean =>
    line.chair == null ? line.voice === this.own.voice : this.place.held.includes(line.chair);

  get heard(): readonly TalkLine[] {
    return this.lines.filter((line) => !this.isMuted(line));
  }

  get unread(): number {
    if (this.inSight) return 0;
    return this.heard.filter((line) => line.number > this.own.read && !this.isOurs(line)).length;
  }

  /** Who speaks if nobody was chosen: the active player, if they sit here. */
  get chair(): number | null {
    const { held, activeChair } = this.place;
    if (this.speaker !== null && held.includes(this.speaker)) return this.speaker;
    return activeChair && held.includes(activeChair.id) ? activeChair.id : (held[0] ?? null);
  }

  // --- what the server says

  welcome(lines: readonly TalkLine[]): void {
    this.lines = lines;
    this.noteRead();
  }

  said(line: TalkLine): void {
    const watches = (one: TalkLine) => one.chair == null;
    const alike = this.lines.filter((one) => watches(one) === watches(line));
    const old = alike.length < MOST_LINES ? null : alike[0];
    this.lines = [...this.lines.filter((one) => one !== old), line];
    this.noteRead();
    if (this.isMuted(line)) return;
    if (!this.isOurs(line)) this.news = [...this.news, line].slice(-MOST_NEWS);
    if (line.reaction && line.chair != null) this.flash(line, line.chair);
  }

  cleared(number: number): void {
    this.lines = this.lines.filter((line) => line.number > number);
    this.news = [];
  }

  private flash(line: TalkLine, chair: number): void {
    this.reactions = new Map(this.reactions).set(chair, line);
    this.later(() => {
      if (this.reactions.get(chair) === line)
        this.reactions = new Map([...this.reactions].filter(([one]) => one !== chair));
    }, MOMENT);
  }

  // --- what we read and mute

  /** Note whether the lines are in sight. */
  look(inSight: boolean): void {
    this.inSight = inSight;
    this.noteRead();
  }

  private noteRead(): void {
    const newest = this.lines.at(-1)?.number ?? 0;
    if (this.inSight && newest > this.own.read) this.remember({ read: newest });
  }

  mute(line: TalkLine): void {
    this.remember({ muted: { ...this.own.muted, [speakerOf(line)]: line.name } });
  }

  unmute(speaker: string): void {
    this.remember({ muted: Object.fromEntries(Object.entries(this.own.muted).filter(([one]) => one !== speaker)) });
  }

  /** Mute everybody who watches, or nobody. */
  hush(quiet: boolean): void {
    this.remember({ quiet });
  }

  private remember(changed: Partial<Remembered>): void {
    this.own = { ...this.own, ...changed };
    const others = Object.entries(remembered()).filter(([code]) => code !== this.place.code);
    kept.write(KEY, Object.fromEntries([...others.slice(1 - MOST_TABLES), [this.place.code, this.own]]));
  }

  // --- what we say

  /** Say what was typed. It stays in the field until the server has heard it. */
  async say(): Promise<void> {
    const text = this.draft.trim();
    if (!text || this.sending) return;
    this.sending = true;
    const isHeard = await this.speak({ type: "say", text });
    this.sending = false;
    if (isHeard && this.draft.trim() === text) this.draft = "";
  }

  /** React, unless the last reaction is still on its way. It does not hold up what is typed, and is not held up by it. */
  async react(reaction: Reaction): Promise<void> {
    if (this.reacting) return;
    this.reacting = true;
    await this.speak({ type: "react", reaction });
    this.reacting = false;
  }

  clear = (): Promise<boolean> => this.deliver({ type: "clear_talk" });

  private async speak(said: { type: "say"; text: string } | { type: "react"; reaction: Reaction }): Promise<boolean> {
    const { chair } = this;
    if (chair !== null) return this.deliver({ ...said, chair });
    const name = this.name.trim();
    if (!name) return this.refuse(t("talk name first"), true);
    if (!(await this.deliver({ ...said, name, voice: voice() }))) return false;
    myName.keep(name);
    return true;
  }

  private async deliver(command: NewCommand): Promise<boolean> {
    if (this.place.status !== "open") return this.refuse(t("talk offline"));
    this.problem = "";
    const answer = await this.place.connection.send(command);
    if (answer.type === "refused") return this.refuse(answer.sentence, answer.code.startsWith("name_"));
    this.nameless = false;
    if (answer.type === "heard") this.recognise(answer.number);
    return true;
  }

  private refuse(sentence: string, nameless = false): false {
    this.problem = sentence;
    this.nameless = nameless;
    return false;
  }

  /** Learn our own voice, as others see it, from a line that we have said. */
  private recognise(number: number): void {
    const line = this.lines.find((one) => one.number === number);
    if (line?.voice && line.voice !== this.own.voice) this.remember({ voice: line.voice });
  }
}
