// A word of explanation beside whatever is pointed at, focused, or pressed long.

interface Tip {
  text: string;
  left: number;
  top: number;
  above: boolean;
}

let shown = $state<Tip | null>(null);
const LONG = 450;

export const tips = {
  get shown() {
    return shown;
  },
  hide: () => (shown = null),
};

export function tip(text: string | undefined | null) {
  return (element: Element) => {
    if (!text) return;
    let timer = 0;
    let pressedLong = false;
    const show = () => {
      const box = element.getBoundingClientRect();
      const above = box.top > 110;
      shown = {
        text,
        left: Math.min(innerWidth - 130, Math.max(130, box.left + box.width / 2)),
        top: above ? box.top - 6 : box.bottom + 6,
        above,
      };
    };
    const hide = () => {
      clearTimeout(timer);
      shown = null;
    };
    const enter = (event: Event) => {
      if ((event as PointerEvent).pointerType === "mouse") show();
    };
    const down = (event: Event) => {
      pressedLong = false;
      if ((event as PointerEvent).pointerType === "mouse") return;
      timer = window.setTimeout(() => {
        pressedLong = true;
        show();
      }, LONG);
    };
    const click = (event: Event) => {
      if (!pressedLong) return;
      pressedLong = false;
      event.stopImmediatePropagation(); // who asks what would happen does not do it
    };
    const focus = () => element.matches(":focus-visible") && show();
    const listeners: [string, (event: Event) => void][] = [
      ["pointerenter", enter],
      ["pointerdown", down],
      ["pointerup", hide],
      ["pointerleave", hide],
      ["pointercancel", hide],
      ["focus", focus],
      ["blur", hide],
      ["click", click],
    ];
    for (const [name, work] of listeners) element.addEventListener(name, work, { capture: true });
    return () => {
      hide();
      for (const [name, work] of listeners) element.removeEventListener(name, work, { capture: true });
    };
  };
}
