// The words of a personal key: making them, and reading what somebody typed.

import { WORDS } from "./words";

const COUNT = 9; // of 512 words each: 81 bits
const TELLING = 4; // letters that tell a word from all others

export function newPhrase(): string {
  const random = crypto.getRandomValues(new Uint16Array(COUNT));
  return Array.from(random, (one) => WORDS[one % WORDS.length]).join(" "); // 512 divides 65,536: no word is likelier
}

export type Typed =
  | { phrase: string }
  | { wrong: string; meant: string | null } // a word that is not one of ours
  | { missing: number } // how many words; negative if there are too many
  | { empty: true };

/** What somebody typed, in any case and with anything between the words; four letters of a word are enough. */
export function readPhrase(typed: string): Typed {
  const words =
    typed
      .normalize("NFKC")
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  if (!words.length) return { empty: true };
  const found = words.map(wordOf);
  const wrong = found.indexOf(null);
  if (wrong >= 0) return { wrong: words[wrong] ?? "", meant: nearest(words[wrong] ?? "") };
  return found.length === COUNT ? { phrase: found.join(" ") } : { missing: COUNT - found.length };
}

const wordOf = (typed: string): string | null =>
  WORDS.find((word) => word === typed || (typed.length >= TELLING && word.startsWith(typed))) ?? null;

/** The word that was meant, if it is clear: it begins in the same way, or one letter is wrong. */
const nearest = (typed: string): string | null =>
  WORDS.find((word) => isNear(word, typed)) ??
  WORDS.find((word) => typed.length >= TELLING && word.slice(0, TELLING) === typed.slice(0, TELLING)) ??
  null;

/** Whether one letter is wrong, missing or extra, or two are swapped. */
export function isNear(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (long.length - short.length > 1) return false;
  let same = 0;
  while (same < short.length && short[same] === long[same]) same += 1;
  if (short.length < long.length) return short.slice(same) === long.slice(same + 1);
  const swapped = short[same] === long[same + 1] && short[same + 1] === long[same];
  return short.slice(same + 1) === long.slice(same + 1) || (swapped && short.slice(same + 2) === long.slice(same + 2));
}
