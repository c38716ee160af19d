// What this browser remembers: names, tokens, games, settings. The client works without it, too.
// Nothing that a server answers, or fails to answer, makes it forget a seat.

function read<T>(key: string, otherwise: T): T {
  try {
    const kept = localStorage.getItem(`deadwood ${key}`);
    return kept === null ? otherwise : (JSON.parse(kept) as T);
  } catch {
    return otherwise;
  }
}

/** Store a value; returns whether that worked. Storage may be full or forbidden, and people play on without it. */
function write(key: string, value: unknown): boolean {
  try {
    localStorage.setItem(`deadwood ${key}`, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** Listeners, which are called until they are removed. */
class Listeners<T> {
  private readonly all = new Set<(news: T) => void>();

  add(listener: (news: T) => void): () => void {
    this.all.add(listener);
    return () => this.all.delete(listener);
  }

  announce(news: T): void {
    for (const listener of this.all) listener(news);
  }
}

export const changes = new Listeners<void>(); // somebody did something here that is worth carrying elsewhere
export const arrivals = new Listeners<readonly string[]>(); // tables of which another browser knew more

/** How a game ended, for when its server no longer says so. */
export interface Result {
  game: number;
  at: number;
  players: string[];
  winners: string[];
  place?: number; // our best one
  shared?: boolean;
}

export interface Visit {
  code: string;
  at: number;
  names?: string[]; // of those who sit there at this browser
  removed?: number; // when it was taken off the list; a later visit brings it back
  result?: Result; // of the latest game that ended there
}

const MOST_TOKENS = 8; // in one hello
export const MOST_NAMES = 40; // in one list; it bounds what a browser keeps
const MOST_VISITS = 200;

/** By token: the time from which it has held a chair, as far as we know; negative if it holds none now. */
export type Stamps = Record<string, number>;

const tokensKey = (code: string) => `seats ${code}`; // browsers have kept tokens under this name from the first release
const stampsKey = (code: string) => `stamps ${code}`;
const FIRST = 1; // the stamp of tokens from before stamps existed
const byAge = (stamps: Stamps) => Object.entries(stamps).sort(([, one], [, other]) => Math.abs(other) - Math.abs(one));

/** At most as many of either kind as one hello can show; later hellos find out which of the others are valid. */
export function bounded(stamps: Stamps): Stamps {
  const latest = byAge(stamps);
  const live = latest.filter(([, at]) => at > 0);
  const others = [...latest.filter(([, at]) => at <= 0), ...live.slice(MOST_TOKENS).map(([one, at]) => [one, -at])];
  return Object.fromEntries([...live.slice(0, MOST_TOKENS), ...others.slice(0, MOST_TOKENS)]) as Stamps;
}

function writeStamps(code: string, stamps: Stamps): boolean {
  const kept = bounded(stamps);
  const live = byAge(kept).filter(([, at]) => at > 0);
  return (
    write(stampsKey(code), kept) &&
    write(
      tokensKey(code),
      live.map(([token]) => token).reverse(), // the oldest first
    )
  );
}

function stamp(code: string, stamped: readonly string[], sign: 1 | -1): boolean {
  if (!stamped.length) return true;
  const before = tokens.stamps(code);
  const latest = Math.max(Date.now(), ...Object.values(before).map((at) => Math.abs(at) + 1)); // clocks may be set back
  const kept = writeStamps(code, { ...before, ...Object.fromEntries(stamped.map((token) => [token, sign * latest])) });
  changes.announce();
  return kept;
}

export const tokens = {
  /** The tokens that hold a chair, as far as we know; the oldest first. */
  of: (code: string): string[] => read(tokensKey(code), []),
  /** The tokens to show at the table. Those that held nothing last time are retried: the answer may have been wrong. */
  shown: (code: string): string[] => {
    const live = tokens.of(code);
    const others = byAge(tokens.stamps(code)).map(([token]) => token);
    return [...live, ...others.filter((token) => !live.includes(token))].slice(0, MOST_TOKENS);
  },
  keep: (code: string, token: string) => stamp(code, [token], 1),
  /** Mark tokens that hold no chair now. They are not forgotten. */
  rest: (code: string, resting: readonly string[]) => stamp(code, resting, -1),
  stamps: (code: string): Stamps => {
    const live = tokens.of(code);
    const stamps = read<Stamps>(stampsKey(code), {});
    const known = live.map((token) => [token, Math.abs(stamps[token] ?? FIRST)] as const);
    const resting = Object.entries(stamps).filter(([token, at]) => at < 0 && !live.includes(token));
    return Object.fromEntries([...known, ...resting]);
  },
  adopt: writeStamps,
  /** The tables that we have ever had a token for. */
  tables: (): string[] => {
    try {
      return Object.keys(localStorage).flatMap((key) => /^deadwood seats (\w{8})$/.exec(key)?.[1] ?? []);
    } catch {
      return [];
    }
  },
};

const stays = ({ at, removed = 0 }: Visit) => at > removed;
const lastTouched = ({ at, removed = 0 }: Visit) => Math.max(at, removed);

function writeVisits(all: readonly Visit[]): boolean {
  const latest = [...all].sort((one, other) => lastTouched(other) - lastTouched(one));
  return write("visits", latest.slice(0, MOST_VISITS));
}

function changeVisit(code: string, change: (before: Visit) => Visit): boolean {
  const before = visits.kept().find((one) => one.code === code) ?? { code, at: 0 };
  const kept = writeVisits([change(before), ...visits.kept().filter((one) => one.code !== code)]);
  changes.announce();
  return kept;
}

export const visits = {
  /** The visits on the list, the latest first. */
  all: (): Visit[] => visits.kept().filter(stays),
  /** All visits, including those that were taken off the list. */
  kept: (): Visit[] => read<Visit[]>("visits", []),
  add: (code: string, names: readonly string[] = []) =>
    changeVisit(code, (before) => {
      const own = names.length ? allNames(before.names, names) : before.names;
      const at = Math.max(Date.now(), (before.removed ?? 0) + 1);
      return { ...before, at, ...(own && { names: own }) };
    }),
  /** Take a table off the list; our seats there stay ours, and a visit brings it back. */
  remove: (code: string) => changeVisit(code, (before) => ({ ...before, removed: Math.max(Date.now(), before.at) })),
  restore: (code: string) => visits.add(code),
  finish: (code: string, result: Result) => changeVisit(code, (before) => ({ ...before, result })),
  adopt: writeVisits,
};

/** Whether this browser has asked for notices from a table. */
export const hasNotices = (code: string): boolean => read<unknown[]>(`notices ${code}`, []).length > 0;

/** The names of everybody who has sat there with one of our browsers. */
export const allNames = (some: readonly string[] = [], others: readonly string[] = []): string[] =>
  [...new Set([...some, ...others])].sort().slice(0, MOST_NAMES);

export const myName = { get: (): string => read("name", ""), keep: (name: string) => write("name", name) };
export const hasKey = (): boolean => read("key", "") !== ""; // a personal key (see `carrying`)
export const kept = { read, write };
