// What a director points at: parts of the table glow while a lesson asks for a decision.

import { getContext, setContext } from "svelte";

const KEY = Symbol("lit");

/** Everything inside this component may be lit: `area ranch`, `role ranch star 1`, `odds`, `log`, `prices`, … */
export const light = (highlights: () => readonly string[]) => setContext(KEY, highlights);

/** Whether something is lit now; outside of lessons nothing is. */
export function lit(): (what: string) => boolean {
  const highlights = getContext<(() => readonly string[]) | undefined>(KEY);
  return (what) => highlights?.().includes(what) ?? false;
}

/** The first area that is lit. */
export function litArea(): () => string | null {
  const highlights = getContext<(() => readonly string[]) | undefined>(KEY);
  return () => {
    const found = highlights?.().find((one) => /^(area|role) /.test(one));
    return found?.split(" ")[1] ?? null;
  };
}
