import { on } from "svelte/events";

const FAR_ENOUGH = 24; // pixels

/** An edge that a finger pulls up or pushes down. */
export function pulling(onpull: (up: boolean) => void): (edge: HTMLElement) => () => void {
  return (edge) => {
    let from = 0;
    const drop = (event: PointerEvent) => {
      if (from && Math.abs(event.clientY - from) >= FAR_ENOUGH) onpull(event.clientY < from);
      from = 0;
    };
    const letGo = [on(edge, "pointerdown", (event) => (from = event.clientY)), on(window, "pointerup", drop)];
    return () => letGo.forEach((one) => one());
  };
}
