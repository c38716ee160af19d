// Who is away, whose clock is running, and links that work once. All of it comes from the server.

import type { About, ChairView, ClockView, HouseRules, TableView } from "../wire";
import { canBeAway } from "./players";
import { settings } from "./settings.svelte";
import { t } from "./text";

/** A countdown, with the moment at which we heard of it. */
export interface Countdown extends ClockView {
  at: number;
}

export const heardNow = (clock: ClockView | null | undefined): Countdown | null =>
  clock ? { ...clock, at: performance.now() } : null;

/** The seconds left now. */
export const secondsLeft = ({ seconds, runs, at }: Countdown, now: number): number =>
  Math.max(0, runs ? seconds - (now - at) / 1000 : seconds);

const [MINUTE, HOUR, DAY] = [60, 3600, 86_400]; // in seconds

/** A time as people say it: `1:20`, `2 h 5 min`, or `1 d 3 h`. */
export function clockText(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [days, hours, minutes] = [DAY, HOUR, MINUTE].map((unit) => Math.floor(whole / unit)) as [
    number,
    number,
    number,
  ];
  if (days) return t("days and hours", { days, hours: hours % 24 });
  if (hours) return t("hours and minutes", { hours, minutes: minutes % 60 });
  return `${minutes}:${String(whole % MINUTE).padStart(2, "0")}`;
}

/** How long a link works, in words: `10 minutes`, `24 hours`. */
export function spanText(seconds: number): string {
  const [one, unit] = seconds < 2 * HOUR ? [MINUTE, "minute"] : [HOUR, "hour"];
  const format = new Intl.NumberFormat(settings.language, { style: "unit", unit, unitDisplay: "long" });
  return format.format(Math.round(seconds / one));
}

export type Errand = "seat" | "invitation";

/** The part of an address after `#` is never sent to a server. */
export const linkFor = (link: string, errand: Errand, secret: string): string => `${link}#${errand}=${secret}`;

/** Whether a link was meant for this, even if it was damaged on its way. */
export const hasErrand = (hash: string, errand: Errand): boolean => hash.startsWith(`#${errand}=`);

/** Whether an address hands over seats, or asks to. */
export const isAboutSeats = (hash: string): boolean => hash === "#handover" || hasErrand(hash, "seat");

export function secretIn(hash: string, errand: Errand): string | null {
  const found = new URLSearchParams(hash.replace("#", "")).get(errand) ?? "";
  return /^[0-9a-f]{64}$/.test(found) ? found : null;
}

/** Why somebody with this address cannot sit down, or null; whether an invitation is good shows when it is used. */
export const whyNotSit = ({ sit_refusal, kept }: TableView, hash: string): string | null =>
  secretIn(hash, "invitation") === null || !kept ? sit_refusal : null;

/** Those who are not connected, but have not left. */
export const absent = (chairs: readonly ChairView[], here: readonly number[] | null): readonly ChairView[] =>
  here ? chairs.filter((chair) => canBeAway(chair) && !chair.left && !here.includes(chair.id)) : [];

/** The house rules that differ from the default, in words. */
export const unusualRules = (rules: About["house"], chosen: HouseRules): readonly string[] =>
  rules.flatMap(({ name, label, values, default: usual }) => {
    const value = chosen[name as keyof HouseRules];
    const called = values.find((one) => one.value === value)?.label ?? String(value);
    return value === usual ? [] : [t("option is", { option: label, value: called })];
  });
