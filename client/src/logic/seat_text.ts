// Texts for seats that pass to other browsers, and for personal keys, in the chosen language.

import { seatTexts } from "../text/seats";
import { settings } from "./settings.svelte";
import { filled } from "./text";

export type SeatKey = keyof typeof seatTexts.en;

export const say = (key: SeatKey, values: Record<string, string | number> = {}): string =>
  filled(seatTexts[settings.language][key], values);
