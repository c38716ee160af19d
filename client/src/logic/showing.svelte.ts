// Showing steps one after the other: the present one, and the picture so far. Tables and replays share this.

import { advance, changesLate, type Picture, type Shown, type Step } from "./show";
import { play as playSound } from "./sound";

export abstract class Showing {
  shown = $state.raw<Shown | null>(null);
  scores = $state.raw<readonly number[]>([]); // by seat, as shown
  leaders = $state.raw<readonly number[]>([]); // seats
  step = $state.raw<Step | null>(null);
  milliseconds = $state(0); // how long the step is shown
  waiting = $state.raw<readonly Step[]>([]);
  busy = $derived(this.waiting.length > 0 || this.step !== null);
  private running = false;
  private timer = 0;
  private wake: (() => void) | null = null;

  /** Where all steps lead. */
  abstract readonly position: Picture | null;
  /** The players in turn order. */
  abstract readonly names: readonly string[];

  /** How long a step is shown, in milliseconds. */
  protected abstract time(step: Step): number;
  /** Write down what happened in a step. */
  protected abstract write(step: Step): void;
  /** Nothing is left to be shown. */
  protected rested(): void {}

  protected enqueue(steps: readonly Step[]): void {
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
    this.paint(this.position);
    this.rested();
  }

  private async show(step: Step): Promise<void> {
    const wait = this.time(step);
    const late = changesLate(step.event);
    this.milliseconds = wait;
    this.step = step;
    if (wait > 0) playSound(step.event, wait);
    if (!late) this.change(step);
    if (wait > 0) await this.pause(wait);
    if (this.step !== step) return; // skipped
    if (late) this.change(step);
    if (step.after) this.paint(step.after);
  }

  protected paint(picture: Picture | null): void {
    this.shown = picture?.state ?? null;
    this.scores = picture?.scores ?? [];
    this.leaders = picture?.leaders ?? [];
  }

  private change(step: Step): void {
    this.write(step);
    if (this.shown) this.shown = advance(this.shown, step.event, this.names);
  }

  private pause(milliseconds: number): Promise<void> {
    return new Promise((done) => {
      this.wake = done;
      this.timer = window.setTimeout(done, milliseconds);
    });
  }

  /** Stop showing: nobody is looking any more. */
  protected halt(): void {
    this.waiting = [];
    clearTimeout(this.timer);
  }

  /** Show the current position at once. */
  skip(): void {
    const unwritten = this.step && changesLate(this.step.event) ? [this.step, ...this.waiting] : this.waiting;
    for (const one of unwritten) this.write(one);
    this.jump();
  }

  /** Like `skip`, without writing anything down. */
  protected jump(): void {
    this.waiting = [];
    this.step = null;
    this.paint(this.position);
    clearTimeout(this.timer);
    this.wake?.();
  }
}
