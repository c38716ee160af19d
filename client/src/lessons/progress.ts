// How far somebody has come in the lessons, kept in this browser.

import { kept } from "../logic/memory";

export interface Progress {
  step: number; // where to resume
  done: boolean; // at least once
}

const KEY = "lessons";
const NONE: Progress = { step: 0, done: false };

const all = () => kept.read<Record<string, Partial<Progress>> | null>(KEY, null) ?? {};

/** How far somebody has come in a lesson; the step may not exist any more. */
export function progressOf(lesson: string): Progress {
  const { step, done } = all()[lesson] ?? NONE;
  return { step: Number.isInteger(step) && Number(step) > 0 ? Number(step) : 0, done: done === true };
}

/** Remember a step. At the end, the lesson counts as done, and begins again next time. */
export function reach(lesson: string, step: number, steps: number): void {
  const done = step >= steps || progressOf(lesson).done;
  kept.write(KEY, { ...all(), [lesson]: { step: step >= steps ? 0 : step, done } });
}

/** Whether somebody has begun or done any lesson. */
export const hasLearned = (): boolean => Object.keys(all()).length > 0;
