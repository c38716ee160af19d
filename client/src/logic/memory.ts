// What this browser remembers: names, tokens, settings. The client works without it, too.

function read<T>(key: string, otherwise: T): T {
  try {
    const kept = localStorage.getItem(`deadwood ${key}`);
    return kept === null ? otherwise : (JSON.parse(kept) as T);
  } catch {
    return otherwise;
  }
}

/** Whether it is kept: storage may be full or forbidden, and people play on without it. */
function write(key: string, value: unknown): boolean {
  try {
    localStorage.setItem(`deadwood ${key}`, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

export interface Visit {
  code: string;
  at: number;
  names?: string[]; // of those who sit there at this browser
}

const MOST_TOKENS = 8; // in one hello
const MOST_VISITS = 24; // as many as the server looks up at once

const tokensKey = (code: string) => `seats ${code}`; // browsers have kept tokens under this name from the first release

export const tokens = {
  of: (code: string): string[] => read(tokensKey(code), []),
  keep: (code: string, token: string) => write(tokensKey(code), [...without(code, [token]), token].slice(-MOST_TOKENS)),
  drop: (code: string, dropped: readonly string[]) => write(tokensKey(code), without(code, dropped)),
};
const without = (code: string, dropped: readonly string[]) => tokens.of(code).filter((one) => !dropped.includes(one));

export const visits = {
  all: (): Visit[] => read<Visit[]>("visits", []),
  add: (code: string, names?: readonly string[]) => {
    const before = visits.all().find((one) => one.code === code);
    const own = names?.length ? [...names] : before?.names;
    const visit: Visit = { code, at: Date.now(), ...(own && { names: own }) };
    return write("visits", [visit, ...visits.all().filter((one) => one.code !== code)].slice(0, MOST_VISITS));
  },
  remove: (code: string) =>
    write(
      "visits",
      visits.all().filter((one) => one.code !== code),
    ),
};

/** Whether this browser has asked for notices from a table. */
export const hasNotices = (code: string): boolean => read<unknown[]>(`notices ${code}`, []).length > 0;

export const myName = { get: (): string => read("name", ""), keep: (name: string) => write("name", name) };
export const kept = { read, write };
