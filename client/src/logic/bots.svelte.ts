// What the server says about its bots, in the language of the settings.

import type { BotView } from "../wire";
import { about } from "./http";
import { settings } from "./settings.svelte";

const known = $state<Record<string, readonly BotView[]>>({}); // by language
const asked = new Set<string>();

async function ask(language: string): Promise<void> {
  asked.add(language);
  try {
    known[language] = (await about(language)).bots;
  } catch {
    asked.delete(language); // the next call asks again
  }
}

/** A bot by its id; undefined until the server has answered, or if it has no such bot. */
export function botOf(id: string): BotView | undefined {
  const { language } = settings;
  if (!asked.has(language)) void ask(language);
  return known[language]?.find(({ name }) => name === id);
}

/** What a bot is, in a word. */
export const labelOf = (id: string): string => botOf(id)?.label ?? id;

/** What a bot is, in a word, and how it plays. */
export function describeBot(id: string): string {
  const bot = botOf(id);
  return bot ? [bot.label, bot.style].filter(Boolean).join(": ") : id;
}
