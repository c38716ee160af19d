// How many games wait for us: in the title of the page, and on the icon of an installed app.

interface Badges {
  setAppBadge?: (count: number) => Promise<void>;
  clearAppBadge?: () => Promise<void>;
}

let count = $state(0);
const ignored = () => undefined; // the icon is an extra

export const turns = {
  /** What a title begins with. */
  get prefix(): string {
    return count ? `(${count}) ` : "";
  },
  show(waiting: number): void {
    if (waiting === count) return;
    count = waiting;
    const badges = navigator as Badges;
    if (count) badges.setAppBadge?.(count).catch(ignored);
    else badges.clearAppBadge?.().catch(ignored);
  },
};

const LEAST = 1_000; // milliseconds between two checks, however often somebody comes back
const SHORTEST = 15_000;
const LONGEST = 180_000;

/** Checks again after a while; the longer nothing changes, the later. Hidden pages do not check. */
export class Watch {
  private pause = SHORTEST;
  private looked = -Infinity;
  private timer = 0;
  private looking = false;
  private again = false;

  constructor(private readonly look: () => Promise<boolean>) {} // whether something has changed

  /** Somebody came, or came back. */
  now = (): void => {
    if (document.hidden) return;
    this.pause = SHORTEST;
    if (this.looking) this.again = true;
    else this.later(LEAST - (performance.now() - this.looked));
  };

  end(): void {
    clearTimeout(this.timer);
    this.pause = 0;
  }

  private later(milliseconds: number): void {
    clearTimeout(this.timer);
    if (milliseconds <= 0) void this.lookAgain();
    else this.timer = window.setTimeout(() => void this.lookAgain(), milliseconds);
  }

  private async lookAgain(): Promise<void> {
    this.looked = performance.now();
    this.looking = true;
    const changed = !document.hidden && (await this.look());
    this.looking = false;
    if (!this.pause) return; // it has ended
    this.pause = changed ? SHORTEST : Math.min(LONGEST, this.pause * 1.5);
    this.later(this.again ? LEAST : this.pause);
    this.again = false;
  }
}
