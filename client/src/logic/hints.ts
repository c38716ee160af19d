// A bot's advice as people read it: values as figures and as bars.

import type { Advised } from "../wire";

const LEAST_BAR = 0.04;

/** The length of each value's bar, from the worst action, which has almost none, to the best. */
export function bars(advice: readonly Advised[]): number[] {
  const values = advice.map((one) => one.value);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return values.map((value) => (most > least ? Math.max(LEAST_BAR, (value - least) / (most - least)) : 1));
}

/** The values in figures; the strongest bot's are chances, shown as percentages. */
export function figures(advice: readonly Advised[], language: string): string[] {
  const areChances = advice.every(({ value }) => value >= 0 && value <= 1);
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  const format = new Intl.NumberFormat(language, areChances ? { style: "percent", ...digits } : digits);
  return advice.map(({ value }) => format.format(value));
}
