// The client's own texts in the language in use. Each language is a file of its own, and a browser fetches only one.

import type { en } from "../text/en";
import { settings } from "./settings.svelte";

export type Texts = Record<keyof typeof en, string>;

const sources: Record<typeof settings.language, () => Promise<Texts>> = {
  en: () => import("../text/en").then(({ en }) => en),
  de: () => import("../text/de").then(({ de }) => de),
};

class Catalogue {
  texts = $state.raw<Partial<Texts>>({});

  /** Fetch the texts of the language in use. Until they are here, those of the language before stay. */
  async load(): Promise<void> {
    const { language } = settings;
    const texts = await sources[language]();
    if (language === settings.language) this.texts = texts;
  }
}

export const catalogue = new Catalogue();

const stay = () => undefined; // in the language before
$effect.root(() => {
  $effect(() => void catalogue.load().catch(stay));
});
