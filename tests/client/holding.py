"""Answers that come late or out of order: a page's network as a test wants it.

`visitors(..., scripts=[HOLDING])` makes such a page. Responses and messages of the server that match the pattern of
`hold` wait until `release`; those that come after `pass_on` overtake them.
"""

HOLDING = """(() => {
  let pattern = null;
  const waiting = [];
  window.hold = (wanted) => { pattern = wanted && new RegExp(wanted); };
  window.release = () => { pattern = null; for (const go of waiting.splice(0)) go(); };
  window.countHeld = () => waiting.length;
  const wait = (go) => waiting.push(go);
  const ask = window.fetch;
  window.fetch = async (address, how) => {
    const held = pattern?.test(address);
    const answer = await ask(address, how).catch((error) => error);
    if (held) await new Promise(wait);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const { set } = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
  Object.defineProperty(WebSocket.prototype, "onmessage", { set(hear) {
    set.call(this, (event) => pattern?.test(event.data) ? wait(() => hear(event)) : hear(event));
  } });
})();"""


def holding(pattern):
    """A script that holds matching answers back from the start."""
    return f"{HOLDING} hold({pattern!r})"


def hold(page, pattern):
    page.evaluate("hold", pattern)


def pass_on(page):
    """Hold nothing more; what is held already stays held."""
    page.evaluate("hold", None)


def wait_for_held(page):
    page.wait_for_function("() => countHeld() > 0")


def release(page):
    """Release everything that is held, once there is something."""
    wait_for_held(page)
    page.evaluate("release()")
