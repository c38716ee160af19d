// A big picture is drawn part by part, so that the page stays responsive, and the first parts are seen early.

const PATIENCE = 200; // milliseconds that a part waits for an idle moment

/** Do something in a separate task, after all that are already queued; the returned function cancels it. */
function next(work: () => void): () => void {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    work();
  };
  port2.postMessage(null);
  return () => port1.close();
}

/** Do something when the browser is idle; the returned function cancels it. */
function whenIdle(work: () => void): () => void {
  if (!("requestIdleCallback" in window)) return next(work); // Safari
  const asked = requestIdleCallback(work, { timeout: PATIENCE });
  return () => cancelIdleCallback(asked);
}

/** How many of these parts may be drawn by now. The first `urgent` parts, by default all, do not wait for idle time. */
export function piecemeal(count: () => number, urgent: () => number = count): () => number {
  let drawn = $state(0);
  $effect(() => {
    if (drawn >= count()) return;
    return (drawn < urgent() ? next : whenIdle)(() => (drawn += 1));
  });
  return () => drawn;
}
