// A bot's advice as people read it: values as figures and as bars.

import type { Hints } from "../wire";

type Valued = Pick<Hints, "unit" | "advice">;

/** The length of each value's bar: a chance is a part of the whole, other values are parts of the best one. */
export function bars({ unit, advice }: Valued): number[] {
  const most = unit === "chance" ? 1 : Math.max(...advice.map(({ value }) => value));
  return advice.map(({ value }) => (most > 0 ? Math.max(0, value / most) : 0));
}

/** The values in figures; chances as percentages. */
export function figures({ unit, advice }: Valued, language: string): string[] {
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  const format = new Intl.NumberFormat(language, unit === "chance" ? { style: "percent", ...digits } : digits);
  return advice.map(({ value }) => format.format(value));
}
