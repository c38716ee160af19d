// A replay in progress: jumping around in it, and playing it with everything that is shown at a table.

import type { Replay } from "../wire";
import { calm } from "./settings.svelte";
import { duration, stepsOf, type Picture, type Step } from "./show";
import { Showing } from "./showing.svelte";

export const PACES = [0.5, 1, 2, 4] as const;

export class Playback extends Showing {
  replay = $state.raw<Replay | null>(null);
  at = $state(0); // the step that is shown, or being shown
  playing = $state(false);
  pace = $state<number>(1);
  sentences = $state.raw<readonly string[]>([]); // of the step so far
  last = $derived((this.replay?.steps.length ?? 1) - 1);
  names: readonly string[] = $derived(this.replay?.names ?? []);
  now = $derived(this.replay?.steps[this.at] ?? null);
  position: Picture | null = $derived(this.now);

  /** `finished` is called when a replay has played to its end. */
  constructor(private readonly finished: () => void = () => {}) {
    super();
  }

  open(replay: Replay, at: number): void {
    this.replay = replay;
    this.go(at);
  }

  /** Show a step at once. */
  go(to: number): void {
    this.at = Math.max(0, this.replay ? Math.min(this.last, to) : to);
    this.sentences = this.now?.sentences ?? [];
    this.jump();
  }

  /** Play the next step as it happened; the present one ends at once. */
  advance(): void {
    if (this.at >= this.last) this.playing = false;
    else if (calm() && !this.playing) this.go(this.at + 1);
    else this.perform();
  }

  private perform(): void {
    if (this.busy) this.go(this.at);
    this.at += 1;
    this.sentences = [];
    if (!this.now) return;
    const { number, player, events, sentences } = this.now;
    this.enqueue(stepsOf({ seq: number, chair: this.names.indexOf(player ?? ""), events, sentences }, this.now));
  }

  /** Play or pause; at the end, play it all again. */
  toggle(): void {
    this.playing = !this.playing;
    if (this.playing && this.at >= this.last) this.go(0);
    if (this.playing && !this.busy) this.advance();
  }

  /** Stop for good: the page is left. */
  end(): void {
    this.playing = false;
    this.halt();
  }

  protected time({ event, chair }: Step): number {
    const byBot = this.replay?.seats[chair ?? -1]?.bot != null;
    return duration(event, "normal", 0, !byBot) / this.pace;
  }

  protected write({ sentence }: Step): void {
    if (sentence) this.sentences = [...this.sentences, sentence];
  }

  protected override rested(): void {
    if (!this.playing) return;
    this.advance();
    if (!this.playing) this.finished();
  }
}
