// Small synthesised sounds, off by default.

import { dealing, ROLL, WRAP } from "./drama";
import { settings } from "./settings.svelte";
import type { Happened } from "./show";

let context: AudioContext | null = null;

interface Note {
  at: number;
  pitch: number;
  length: number;
  shape: OscillatorType;
  loud: number;
}

const note = (at: number, pitch: number, length = 0.12, shape: OscillatorType = "triangle", loud = 0.12): Note => ({
  at,
  pitch,
  length,
  shape,
  loud,
});
const steps = [0, 0.16, 0.32].map((at) => note(at, 120, 0.05, "square", 0.05));
const rattle = (from: number, to: number) =>
  Array.from({ length: 9 }, (_, k) =>
    note(from + ((to - from) * k) / 9 + (k % 3) * 0.012, 500 + ((k * 137) % 300), 0.03, "square", 0.04),
  );
const clap = (at: number) => note(at, 1900, 0.03, "square", 0.08);
const thump = (at: number) => note(at, 80, 0.16, "sine", 0.2);
const tick = (at: number) => note(at, 620, 0.03, "square", 0.05);
const later = (by: number, notes: Note[]) => notes.map((one) => ({ ...one, at: one.at + by }));
const banjo = (...pitches: number[]) => pitches.map((pitch, k) => note(k * 0.11, pitch, 0.22, "sawtooth", 0.06));

/** The notes of an event that is shown for this many seconds. */
function notesOf(event: Happened, seconds: number): Note[] {
  switch (event.type) {
    case "Moved":
      return steps;
    case "CardTurned":
      return [note(0, 700, 0.06, "sine"), note(0.08, 900, 0.09, "sine")];
    case "RoleTaken":
    case "Upgraded":
      return banjo(392, 494, 587);
    case "Acted":
      return [
        ...rattle(0, ROLL.landed * seconds),
        ...later(
          ROLL.verdict * seconds,
          event.success ? [clap(0), note(0, 523), note(0.12, 784, 0.25)] : [note(0, 220, 0.2), note(0.18, 165, 0.35)],
        ),
      ];
    case "Rehearsed":
      return [note(0, 330, 0.1, "sine"), note(0.12, 330, 0.1, "sine")];
    case "SceneWrapped":
      return [
        clap(0),
        thump(WRAP.stamp * seconds),
        ...(event.dice.length ? rattle(WRAP.roll * seconds, WRAP.deal * seconds) : []),
        ...dealing(event).map(({ at }) => tick(at * seconds)),
        ...later(WRAP.paid * seconds, banjo(392, 494, 587, 784, 587, 784)),
      ];
    case "BonusPaid":
      return [note(0, 1200, 0.05, "sine"), note(0.07, 1500, 0.12, "sine")];
    case "DayEnded":
      return banjo(587, 494, 392, 294);
    default:
      return [];
  }
}

export const play = (event: Happened, milliseconds: number): void => perform(notesOf(event, milliseconds / 1000));

/** The end of a game. */
export const fanfare = (): void => perform(banjo(392, 392, 494, 587, 784, 587, 784, 988));

function perform(notes: readonly Note[]): void {
  // browsers allow no sound before the first click or key
  if (!settings.sound || !navigator.userActivation.hasBeenActive) return;
  context ??= new AudioContext();
  for (const one of notes) sound(context, one);
}

function sound(to: AudioContext, { at, pitch, length, shape, loud }: Note): void {
  const start = to.currentTime + at;
  const voice = to.createOscillator();
  const volume = to.createGain();
  voice.type = shape;
  voice.frequency.value = pitch;
  volume.gain.setValueAtTime(loud, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + length);
  voice.connect(volume).connect(to.destination);
  voice.start(start);
  voice.stop(start + length);
}
