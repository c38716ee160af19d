// Figures as the language of the settings writes them.

import { settings } from "./settings.svelte";

const written = (value: number, options: Intl.NumberFormatOptions): string =>
  new Intl.NumberFormat(settings.language, options).format(value);

/** A number with exactly `digits` decimals. */
export const decimal = (value: number, digits = 1): string =>
  written(value, { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** A chance from 0 to 1 as a percentage, with at most `digits` decimals. */
export const percent = (chance: number, digits = 0): string =>
  written(chance, { style: "percent", maximumFractionDigits: digits });

/** A point in time as date and time. */
export const moment = (at: number): string =>
  new Intl.DateTimeFormat(settings.language, { dateStyle: "medium", timeStyle: "short" }).format(at);
