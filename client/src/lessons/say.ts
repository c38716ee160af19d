// Texts of the lessons' pages in the chosen language; they are loaded with those pages.

import { settings } from "../logic/settings.svelte";
import { filled } from "../logic/text";
import { lessonTexts } from "../text/lessons";

export const say = (key: keyof typeof lessonTexts.en, values: Record<string, string | number> = {}): string =>
  filled(lessonTexts[settings.language][key], values);
