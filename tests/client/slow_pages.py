"""Pages on a slow computer and a slow network: what they draw, ask and hear comes late, but in order.

`make stress PART=slow` runs the client's tests with such pages. A test that fails there looked at a page, or did
something to it, before the page was ready, which happens on busy machines. Or the page itself confuses two answers.
"""

import os

VARIABLE = "DEADWOOD_SLOW_PAGES"

SLOW = """(() => {
  const [DRAWING, NETWORK] = [120, 250]; // milliseconds
  const later = window.setTimeout.bind(window); // also when a test stops the clock
  const late = (time) => new Promise((done) => later(done, time));
  const post = MessagePort.prototype.postMessage;
  MessagePort.prototype.postMessage = function (...given) { later(() => post.apply(this, given), DRAWING); };
  window.requestIdleCallback = (work) => later(() => work({ didTimeout: true, timeRemaining: () => 0 }), DRAWING);
  window.cancelIdleCallback = window.clearTimeout.bind(window);
  const ask = window.fetch;
  window.fetch = async (...given) => {
    await late(NETWORK);
    return ask(...given).finally(() => late(NETWORK));
  };
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (text) {
    later(() => this.readyState === WebSocket.OPEN && send.call(this, text), NETWORK);
  };
  for (const name of ["onmessage", "onclose"]) {
    const { set } = Object.getOwnPropertyDescriptor(WebSocket.prototype, name);
    Object.defineProperty(WebSocket.prototype, name, { configurable: true, set(hear) {
      set.call(this, (event) => later(() => hear(event), NETWORK));
    } });
  }
})();"""


def scripts():
    """The scripts that make pages slow, if that is wanted."""
    return [SLOW] if os.environ.get(VARIABLE) else []
