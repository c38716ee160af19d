// Moving and enlarging the board: by mouse, wheel, fingers or keys.

import type { Point } from "./geometry";

const MOST = 4;
const LEAST = 0.01; // of the scale, while nothing has a size yet
const FRAME = 9; // the wooden frame around the board
const SLOP = 6; // pixels the pointer may move during a click

export class PanZoom {
  private readonly size: () => Point;
  width = $state(1);
  height = $state(1);
  zoom = $state(1);
  private x = $state(0.5); // the point of the board in the middle, as a fraction
  private y = $state(0.5);
  dragged = false;
  private readonly fingers = new Map<number, Point>();

  constructor(size: () => Point) {
    this.size = size;
  }

  /** The scale at which the whole board fits into so much room. */
  fitting = (width: number, height: number) =>
    Math.max(LEAST, Math.min((width - 2 * FRAME) / this.size()[0], (height - 2 * FRAME) / this.size()[1]));
  fit = $derived.by(() => this.fitting(this.width, this.height));
  scale = $derived(this.fit * this.zoom);
  left = $derived.by(() => this.edge(this.width, this.size()[0] * this.scale, this.x));
  top = $derived.by(() => this.edge(this.height, this.size()[1] * this.scale, this.y));

  private edge(room: number, needed: number, share: number): number {
    if (needed <= room) return (room - needed) / 2;
    return Math.min(0, Math.max(room - needed, room / 2 - needed * share));
  }

  private settle(): void {
    const [width, height] = this.size();
    this.x = (this.width / 2 - this.left) / (width * this.scale);
    this.y = (this.height / 2 - this.top) / (height * this.scale);
  }

  /** Centre a point of the board at this scale, within the zoom limits. */
  look([x, y]: Point, scale: number): void {
    const [width, height] = this.size();
    this.zoom = Math.min(MOST, Math.max(1, scale / this.fit));
    this.x = x / width;
    this.y = y / height;
    this.settle();
  }

  enlarge(by: number, [px, py]: Point = [this.width / 2, this.height / 2]): void {
    const [width, height] = this.size();
    const at: Point = [(px - this.left) / this.scale, (py - this.top) / this.scale];
    this.zoom = Math.min(MOST, Math.max(1, this.zoom * by));
    this.x = (at[0] + (this.width / 2 - px) / this.scale) / width;
    this.y = (at[1] + (this.height / 2 - py) / this.scale) / height;
    this.settle();
  }

  whole(): void {
    this.zoom = 1;
    this.x = this.y = 0.5;
  }

  private drag(dx: number, dy: number): void {
    const [width, height] = this.size();
    this.x -= dx / (width * this.scale);
    this.y -= dy / (height * this.scale);
    this.settle();
  }

  attach = (element: HTMLElement) => {
    const at = (event: MouseEvent): Point => {
      const box = element.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    const down = (event: PointerEvent) => {
      if (!this.fingers.size) this.dragged = false;
      this.fingers.set(event.pointerId, at(event));
    };
    const move = (event: PointerEvent) => {
      const was = this.fingers.get(event.pointerId);
      if (!was) return;
      const now = at(event);
      const [dx, dy] = [now[0] - was[0], now[1] - was[1]];
      if (!this.dragged && Math.hypot(dx, dy) < SLOP) return;
      if (!this.dragged) element.setPointerCapture(event.pointerId);
      this.dragged = true;
      this.fingers.set(event.pointerId, now);
      const other = [...this.fingers].find(([id]) => id !== event.pointerId)?.[1];
      if (other) this.pinch(was, now, other);
      else this.drag(dx, dy);
    };
    const up = (event: PointerEvent) => this.fingers.delete(event.pointerId);
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      this.enlarge(Math.exp(-event.deltaY / 500), at(event));
    };
    const click = (event: MouseEvent) => {
      if (!this.dragged) return;
      event.stopPropagation();
      event.preventDefault();
      this.dragged = false;
    };
    element.addEventListener("pointerdown", down);
    element.addEventListener("pointermove", move);
    element.addEventListener("pointerup", up);
    element.addEventListener("pointercancel", up);
    element.addEventListener("wheel", wheel, { passive: false });
    element.addEventListener("click", click, { capture: true });
  };

  private pinch(was: Point, now: Point, other: Point): void {
    const before = Math.hypot(was[0] - other[0], was[1] - other[1]);
    const after = Math.hypot(now[0] - other[0], now[1] - other[1]);
    const middle: Point = [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2];
    if (before > 1) this.enlarge(after / before, middle);
    this.drag((now[0] - was[0]) / 2, (now[1] - was[1]) / 2);
  }
}
