// Figures as the language of the settings writes them.

import { settings } from "./settings.svelte";

const written = (value: number, options: Intl.NumberFormatOptions): string =>
  new Intl.NumberFormat(settings.language, options).format(value);

/** A number with exactly so many digits after the decimal sign. */
export const decimal = (value: number, digits = 1): string =>
  written(value, { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** A chance from 0 to 1, with so many digits at most. */
export const percent = (chance: number, digits = 0): string =>
  written(chance, { style: "percent", maximumFractionDigits: digits });

/** A moment as date and time. */
export const moment = (at: number): string =>
  new Intl.DateTimeFormat(settings.language, { dateStyle: "medium", timeStyle: "short" }).format(at);
