// Clicks that were meant for what was there a moment ago.

const SOON = 500; // milliseconds
const NEAR = 30; // pixels

export interface Click {
  detail: number; // how many clicks in a row, as the browser counts those of a mouse
  pointerType?: string;
  clientX: number;
  clientY: number;
  timeStamp: number;
}

/** Recognises the second click of a double click, if the first one changed what is under the pointer. */
export class ClickGuard {
  private last: { click: Click; version: unknown } | null = null;

  /** `version` changes whenever there may be something else to click on. */
  constructor(private readonly version: () => unknown) {}

  isStray(click: Click): boolean {
    const version = this.version();
    if (this.last && this.repeats(click, this.last.click) && this.last.version !== version) return true;
    this.last = { click, version };
    return false;
  }

  private repeats(click: Click, before: Click): boolean {
    if (click.pointerType !== "touch") return click.detail > 1; // 0 for keys
    const away = Math.hypot(click.clientX - before.clientX, click.clientY - before.clientY);
    return click.timeStamp - before.timeStamp < SOON && away < NEAR;
  }
}
