// The options of a game: described in a few words, and chosen.

import type { About, Options, OptionView } from "../wire";

type Values = Readonly<Partial<Record<keyof Options, OptionView["default"]>>>;

export const valueOf = (option: OptionView, values: Values): OptionView["default"] =>
  values[option.name as keyof Options] ?? option.default;

/** What people call the value of an option. */
export function labelOf(option: OptionView, values: Values): string {
  const value = valueOf(option, values);
  return option.values.find((one) => one.value === value)?.label ?? String(value ?? "");
}

/** The options that differ from the default. */
export const changed = (options: readonly OptionView[], values: Values): OptionView[] =>
  options.filter((option) => valueOf(option, values) !== option.default);

/** Options for a game with these players: the first player may have another name by now. */
export function played(about: About | null, options: Partial<Options>, names: readonly string[]): Partial<Options> {
  const { first, ...others } = options;
  const isOffered = about?.options.find(({ name }) => name === "first")?.values.some(({ value }) => value === first);
  return first !== undefined && (isOffered || names.includes(first)) ? { ...others, first } : others;
}

/** Keeps what is chosen until the game starts; then the server validates it. */
export const chosen = (options: Partial<Options>) => (option: keyof Options, value: OptionView["default"]) => {
  Object.assign(options, { [option]: value });
  return Promise.resolve(true);
};
