// Tooltips for elements that are hovered, focused or long-pressed.

import { untrack } from "svelte";
import { on } from "svelte/events";

interface Tip {
  of: Element;
  text: string;
  left: number;
  top: number;
  above: boolean;
}

type Listeners = readonly (readonly [string, (event: Event) => void])[];

let shown = $state.raw<Tip | null>(null);
const LONG = 450;
const WIDEST = 260;
const GAP = 6;

export const tips = {
  get shown() {
    return shown;
  },
};

function show(of: Element, text: string): void {
  const box = of.getBoundingClientRect();
  const above = box.top > 110;
  const left = Math.min(innerWidth - WIDEST / 2, Math.max(WIDEST / 2, box.left + box.width / 2));
  shown = { of, text, left, top: above ? box.top - GAP : box.bottom + GAP, above };
}

function hide(of: Element): void {
  if (shown?.of === of) shown = null;
}

/** The text may appear or change while the tooltip is shown. */
export function tip(text: () => string | undefined | null) {
  return (element: Element) => {
    let wanted = $state(false);
    let timer = 0;
    let pressedLong = false;
    const leave = () => {
      clearTimeout(timer);
      wanted = false;
    };
    const enter = (event: Event) => {
      if ((event as PointerEvent).pointerType === "mouse") wanted = true;
    };
    const down = (event: Event) => {
      pressedLong = false;
      if ((event as PointerEvent).pointerType === "mouse") return;
      timer = window.setTimeout(() => (wanted = pressedLong = true), LONG);
    };
    const click = (event: Event) => {
      if (!pressedLong) return;
      pressedLong = false;
      event.stopImmediatePropagation(); // a long press only asks; it must not also click
    };
    const focus = () => (wanted = element.matches(":focus-visible"));
    const silence: (() => void)[] = [];
    const listen = (listeners: Listeners) => {
      for (const [name, work] of listeners) silence.push(on(element, name, work, { capture: true }));
    };
    let attends = false; // a board has dozens of tips, and most are never used: these listeners come with the first use
    const attending = (work: (event: Event) => void) => (event: Event) => {
      if (!attends) {
        listen([
          ["pointerup", leave],
          ["pointerleave", leave],
          ["pointercancel", leave],
          ["blur", leave],
          ["click", click],
        ]);
      }
      attends = true;
      work(event);
    };
    listen([
      ["pointerenter", attending(enter)],
      ["pointerdown", attending(down)],
      ["focus", attending(focus)],
    ]);
    $effect(() => {
      const words = wanted ? text() : null;
      if (words) show(element, words);
      else untrack(() => hide(element));
    });
    return () => {
      clearTimeout(timer);
      hide(element);
      for (const off of silence) off();
    };
  };
}
