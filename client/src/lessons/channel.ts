// Connects a table to a lesson: actions become requests, answers become updates.

import { untrack } from "svelte";
import type { Answer, Channel, Listener, NewCommand } from "../logic/connection";
import { request, RequestFailed } from "../logic/http";
import { Latest } from "../logic/latest";
import { settings } from "../logic/settings.svelte";
import type { LessonView, NotNow, Problem, Update } from "../wire";

const UNKNOWN = 404;
const INVALID = 400;

const refused = (sentence: string, code = "refused"): Problem => ({ type: "refused", code, sentence });
const address = (name: string) =>
  `/api/lessons/${encodeURIComponent(name)}?language=${untrack(() => settings.language)}`;

export class LessonChannel implements Channel {
  private view: LessonView | null = null;
  private readonly loads = new Latest();

  constructor(
    private readonly name: string,
    private readonly first: number, // the step to begin with
    private readonly listener: Listener,
    private readonly reached: (view: LessonView) => void,
  ) {
    void this.load(first);
  }

  get next(): number {
    return (this.view?.table.seq ?? 0) + 1;
  }

  async send(command: NewCommand): Promise<Answer> {
    if (command.type !== "play" || !this.view || this.view.step >= this.view.steps) return refused("");
    try {
      const choice = { step: this.view.step, action: command.action };
      const answer = await request<LessonView | NotNow>("POST", address(this.name), choice);
      if (answer.type === "not_now") return refused(answer.sentence, answer.type);
      this.goOn(answer);
      return { type: "done", id: "", seq: answer.table.seq };
    } catch (error) {
      return refused((error as Error).message);
    }
  }

  startOver(): void {
    if (this.view) void this.load(this.view.step);
  }

  check(): void {
    if (!this.view) void this.load(this.first);
  }

  end(): void {
    this.loads.begin(); // ignore what arrives from now on
  }

  private async load(step: number): Promise<void> {
    const isLatest = this.loads.begin();
    try {
      const view = await request<LessonView>("GET", `${address(this.name)}&step=${step}`);
      if (isLatest()) this.welcome(view);
    } catch (error) {
      if (isLatest()) this.failed(error as Error, step);
    }
  }

  private failed(error: Error, step: number): void {
    const status = error instanceof RequestFailed ? error.status : 0;
    if (status === INVALID && step)
      void this.load(0); // a step of an earlier version
    else if (status === UNKNOWN) this.listener.unknown(refused(error.message));
    else this.listener.refused(refused(error.message));
  }

  /** Show a step at once. */
  private welcome(view: LessonView): void {
    const held = [view.chair];
    this.take(view);
    this.listener.welcome(
      {
        type: "welcome",
        id: null,
        table: view.table,
        held,
        missed: view.happened,
        unknown: [],
        taken: [],
        present: [],
        waiting: null,
        talk: null,
      },
      true,
    );
    this.listener.statusChanged("open");
  }

  /** Show what happened, one action after the other; the last one says what can be done next. */
  private goOn(view: LessonView): void {
    this.take(view);
    view.happened.forEach((update, number) => this.listener.update(this.completed(update, number, view)));
  }

  private completed = (update: Update, number: number, { happened, table }: LessonView): Update =>
    number === happened.length - 1 ? { ...update, table } : update;

  private take(view: LessonView): void {
    this.view = view;
    this.reached(view);
  }
}
