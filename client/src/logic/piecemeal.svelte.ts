// A big picture is drawn part by part, so that the page answers in between, and the first parts are seen early.

/** Do something in a task of its own, as soon as all that waits already is done; the result calls it off. */
function next(work: () => void): () => void {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    work();
  };
  port2.postMessage(null);
  return () => port1.close();
}

/** How many of these parts may be drawn by now. */
export function piecemeal(count: () => number): () => number {
  let drawn = $state(0);
  $effect(() => (drawn < count() ? next(() => (drawn += 1)) : undefined));
  return () => drawn;
}
