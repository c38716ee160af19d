// The options of a game in a few words.

import type { Options, OptionView } from "../wire";

type Values = Readonly<Partial<Record<keyof Options, OptionView["default"]>>>;

export const valueOf = (option: OptionView, values: Values): OptionView["default"] =>
  values[option.name as keyof Options] ?? option.default;

/** What people call the value of an option. */
export function labelOf(option: OptionView, values: Values): string {
  const value = valueOf(option, values);
  return option.values.find((one) => one.value === value)?.label ?? String(value ?? "");
}

/** The options that are not as usual. */
export const changed = (options: readonly OptionView[], values: Values): OptionView[] =>
  options.filter((option) => valueOf(option, values) !== option.default);
