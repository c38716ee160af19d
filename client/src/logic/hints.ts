// A bot's advice as people read it: values as figures and as bars.

import type { Advised } from "../wire";

const areChances = (advice: readonly Advised[]): boolean => advice.every(({ value }) => value >= 0 && value <= 1);

/** The length of each value's bar: a chance is a part of the whole, other values are parts of the best one. */
export function bars(advice: readonly Advised[]): number[] {
  const most = areChances(advice) ? 1 : Math.max(...advice.map(({ value }) => value));
  return advice.map(({ value }) => (most > 0 ? Math.max(0, value / most) : 0));
}

/** The values in figures; the strongest bot's are chances, shown as percentages. */
export function figures(advice: readonly Advised[], language: string): string[] {
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  const format = new Intl.NumberFormat(language, areChances(advice) ? { style: "percent", ...digits } : digits);
  return advice.map(({ value }) => format.format(value));
}
