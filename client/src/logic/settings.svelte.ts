// The settings of this browser, kept as they change.

import { kept } from "./memory";
import type { Speed } from "./show";

export type Theme = "auto" | "light" | "dark";

export interface Settings {
  language: "en" | "de";
  theme: Theme;
  speed: Speed;
  sound: boolean;
  notify: boolean;
}

const ownLanguage = (): Settings["language"] => (navigator.language.toLowerCase().startsWith("de") ? "de" : "en");
const USUAL: Settings = { language: ownLanguage(), theme: "auto", speed: "normal", sound: false, notify: false };

export const settings = $state<Settings>({ ...USUAL, ...kept.read<Partial<Settings>>("settings", {}) });

let borrowed: { shown: Settings["language"]; own: Settings["language"] } | null = null;

/** Show this visit in a language that an address asks for. It is not stored, unless it is chosen later. */
export function borrowLanguage(language: Settings["language"]): void {
  borrowed = { shown: language, own: borrowed?.own ?? settings.language };
  settings.language = language;
}

function keep(chosen: Settings): void {
  if (chosen.language !== borrowed?.shown) borrowed = null;
  kept.write("settings", { ...chosen, language: borrowed?.own ?? chosen.language });
}

const darkness = matchMedia("(prefers-color-scheme: dark)");
const stillness = matchMedia("(prefers-reduced-motion: reduce)");
let isDark = $state(darkness.matches);
darkness.addEventListener("change", () => (isDark = darkness.matches));

export const calm = () => stillness.matches || settings.speed === "off";

$effect.root(() => {
  $effect(() => keep($state.snapshot(settings)));
  $effect(() => {
    const dark = settings.theme === "dark" || (settings.theme === "auto" && isDark);
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    document.documentElement.lang = settings.language;
    document.documentElement.dataset.calm = String(calm());
  });
});
