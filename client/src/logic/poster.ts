// The winner's movie poster: what is written on it, how it is broken into lines, and its colours.

import type { AreaView, Card, Finale, Part, Role } from "../wire";
import { write } from "./lettering";

/** A saved picture has no fonts of ours; every system has one of these. */
export const SERIF = "Georgia, 'DejaVu Serif', 'Times New Roman', serif";

export interface Palette {
  sky: readonly [string, string, string, string]; // from top to horizon
  sun: string;
  rays: string;
  far: string;
  near: string;
  night: string; // behind the title
}

const PALETTES: readonly Palette[] = [
  {
    sky: ["#2b1b45", "#8a3550", "#e2703a", "#f6c15a"],
    sun: "#ffe08a",
    rays: "#ffd27a",
    far: "#7a2f46",
    near: "#3f1828",
    night: "#190a12",
  },
  {
    sky: ["#14505e", "#3f8f8c", "#e9c77a", "#f7e6b4"],
    sun: "#fff4cf",
    rays: "#fff0b8",
    far: "#b06a3a",
    near: "#5c2f1c",
    night: "#1f0f08",
  },
  {
    sky: ["#6d2113", "#b5482a", "#e59a4c", "#f9dea0"],
    sun: "#fff0c0",
    rays: "#ffe29a",
    far: "#8f3c20",
    near: "#4a1c10",
    night: "#1c0a06",
  },
  {
    sky: ["#0c1029", "#242a63", "#66467f", "#d88a68"],
    sun: "#f7ead2",
    rays: "#d9c3e6",
    far: "#3b2a58",
    near: "#1c1533",
    night: "#0a0818",
  },
  {
    sky: ["#0f3029", "#2f6a56", "#b9a75a", "#f2dea0"],
    sun: "#fff3c4",
    rays: "#f5e6a0",
    far: "#5f5a2c",
    near: "#2c2c18",
    night: "#0f120a",
  },
];

/** A poster's palette; a scene always gets the same one. */
export const paletteOf = (card: number): Palette => PALETTES[card % PALETTES.length] as Palette;

/** The role of a part, with its name and line. */
export function roleOfPart(part: Part, cards: ReadonlyMap<number, Card>, areas: readonly AreaView[]): Role | undefined {
  const { role_number: number } = part;
  const area = areas.find(({ id }) => id === part.area_id);
  if (!area || number < area.first_extra) return cards.get(part.card)?.roles[number];
  return area.extras[number - area.first_extra];
}

/** Everybody in the order of the poster: the winner, those who share the scene, the others by place. */
export function castOf({ poster, billing }: Finale): string[] {
  const others = billing.map(({ player }) => player).filter((name) => name !== poster.player);
  const inScene = new Set(poster.cast.map(({ player }) => player));
  return [poster.player, ...others.filter((name) => inScene.has(name)), ...others.filter((name) => !inScene.has(name))];
}

const WIDE = /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7af\uf900-\ufaff\uff00-\uff60]/u;
const AVERAGE = 0.54;

/** About how wide a text is in a serif font of size 1; a saved poster has no other fonts. */
export const widthOf = (text: string): number =>
  [...text].reduce((sum, char) => sum + (WIDE.test(char) ? 1 : /[MW@—]/.test(char) ? 0.9 : AVERAGE), 0);

/** The size at which a text fits a width. */
export const sizeFor = (text: string, width: number, largest: number): number =>
  Math.min(largest, width / Math.max(1, widthOf(text)));

/** A name of at most this many characters. */
export const shortened = (name: string, most: number): string =>
  [...name].length > most ? `${[...name].slice(0, most - 1).join("")}…` : name;

/** All ways to break words into this many lines. */
function broken(words: readonly string[], lines: number): string[][] {
  if (lines === 1) return [[words.join(" ")]];
  return words
    .slice(0, words.length - lines + 1)
    .flatMap((_, k) => broken(words.slice(k + 1), lines - 1).map((rest) => [words.slice(0, k + 1).join(" "), ...rest]));
}

export interface Lettered {
  lines: string[];
  height: number; // of a line of wood type, as `Lettering` counts it
}

const UNITS = 12; // of a line, with its margins
const WEIGHT = 2.1;
const LEADING = 1.16;

/** The width of a line of wood type of height 1; of plain letters if it has characters that we have not drawn. */
function woodWidth(line: string): number {
  const written = write(line);
  return written ? (written.width + WEIGHT) / UNITS : widthOf(line) * 1.15;
}

/** A title in wood type, as large as a box allows, in at most three lines. */
export function letter(title: string, width: number, height: number, largest: number): Lettered {
  const words = title.split(/\s+/).filter(Boolean);
  const ways = [1, 2, 3].filter((lines) => lines <= words.length).flatMap((lines) => broken(words, lines));
  const sized = ways.map((lines) => ({
    lines,
    height: Math.min(largest, height / (lines.length * LEADING), ...lines.map((line) => width / woodWidth(line))),
  }));
  return sized.reduce((best, one) => (one.height > best.height ? one : best), { lines: [title], height: 0 });
}

/** A text in lines of about equal width, none wider than `most` in a font of size 1. */
export function balance(text: string, most: number): string[] {
  const words = text.split(/\s+/).filter(Boolean);
  const count = Math.max(1, Math.ceil(widthOf(text) / most));
  const aim = widthOf(text) / count;
  const lines: string[] = [];
  let line = "";
  for (const word of words) {
    const longer = line ? `${line} ${word}` : word;
    const full = line && (widthOf(longer) > most || (widthOf(longer) > aim * 1.08 && lines.length < count - 1));
    if (full) lines.push(line);
    line = full ? word : longer;
  }
  return [...lines, line];
}
