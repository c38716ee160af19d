// The client's own texts in the language in use. Each language is a separate file, and a browser fetches only one.

import type { en } from "../text/en";
import { settings } from "./settings.svelte";

export type Texts = Record<keyof typeof en, string>;

const sources: Record<typeof settings.language, () => Promise<Texts>> = {
  en: () => import("../text/en").then(({ en }) => en),
  de: () => import("../text/de").then(({ de }) => de),
};

class Catalogue {
  texts = $state.raw<Partial<Texts>>({});

  /** Fetch the texts of the language in use. Until they arrive, those of the previous language stay. */
  async load(): Promise<void> {
    const { language } = settings;
    const texts = await sources[language]();
    if (language === settings.language) this.texts = texts;
  }
}

export const catalogue = new Catalogue();

const stay = () => undefined; // in the previous language
$effect.root(() => {
  $effect(() => void catalogue.load().catch(stay));
});
