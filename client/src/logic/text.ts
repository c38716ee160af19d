// The client's own texts, in the chosen language. Sentences about the game come from the server.

import { catalogue, type Texts } from "./catalogue.svelte";
import { settings } from "./settings.svelte";

export type Key = keyof Texts;

export const t = (key: Key, values: Record<string, string | number> = {}): string =>
  filled(catalogue.texts[key] ?? key, values);

export const quoted = (text: string): string => t("quoted", { text });
export const cardCount = (n: number): string => (n === 1 ? t("one card") : t("n cards", { n }));
export const dayCount = (n: number): string => (n === 1 ? t("one day") : t("n days", { n }));
/** A sentence with its values filled in. */
export const filled = (sentence: string, values: Record<string, string | number>): string =>
  sentence.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));

/** Names in a row, as in "Ada, Bo and Cy". */
export const listed = (names: readonly string[]): string =>
  new Intl.ListFormat(settings.language === "en" ? "en-GB" : settings.language).format(names); // without a serial comma

/** The text of a composed key, as in `bot star`; the second word itself if there is no such key. */
export function term(kind: string, word: string): string {
  const key = `${kind} ${word}`;
  return key in catalogue.texts ? t(key as Key) : word;
}
