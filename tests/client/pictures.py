"""Pictures of the board for the documents, as the client draws it: `make docs` redraws them.

The board is markup and SVG, so a picture is an SVG file that holds both, with their styles and typefaces.
"""

import tempfile

from ..browser import chromium
from ..server.people import PATIENCE, serving
from .playing import drop
from .sources import ROOT

FOLDER = ROOT / "docs" / "pictures"
GOLDEN = ROOT / "tests" / "engine" / "golden"
PICTURES = {  # a record, a moment of it, the theme, and the place to show, if not the whole board
    "board": ("07", 224, "light", None),
    "board-turned-dark": ("24", 200, "dark", None),
    "card": ("24", 200, "light", "place-main-street"),
}

SETTINGS = '{"language": "en", "theme": "%s", "speed": "off"}'
DRAW = """async ([place, theme]) => {
  const FRAME = 12;
  const board = document.querySelector(".board");
  const [width, height] = [board.clientWidth, board.clientHeight];
  const box = place ? document.getElementById(place).getBBox() : { x: 0, y: 0, width, height };
  board.style.transform = "none";
  board.getAnimations({ subtree: true }).forEach((one) => one.cancel());
  board.querySelector(".places").remove();
  if (place) {
    const { left, top } = board.getBoundingClientRect();
    for (const one of board.querySelectorAll(":scope > :not(.backdrop)")) {
      const { x, y } = one.getBoundingClientRect();
      const within = (at, start, length) => at >= start && at < start + length;
      if (!within(x - left, box.x, box.width) || !within(y - top, box.y, box.height)) one.remove();
    }
  }
  const unseen = /^(aria-|role$|tabindex$|title$|type$)/;
  for (const one of board.querySelectorAll("*"))
    for (const { name } of [...one.attributes]) if (unseen.test(name)) one.removeAttribute(name);
  const drawn = (rule) => {
    if (rule.selectorText.includes(":root") || rule.selectorText === "*") return true;
    const alone = rule.selectorText.replace(/::(before|after)/g, "");
    return board.matches(alone) || board.querySelector(alone) !== null;
  };
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  const css = rules.filter((rule) => rule instanceof CSSStyleRule && drawn(rule)).map((rule) => rule.cssText);
  const fetched = new Set(performance.getEntriesByType("resource").map((one) => one.name));
  for (const rule of rules.filter((one) => one instanceof CSSFontFaceRule)) {
    const address = new URL(rule.style.getPropertyValue("src").match(/url\\("?([^")]+)/)[1], location.href).href;
    if (!fetched.has(address)) continue;
    const bytes = new Uint8Array(await (await fetch(address)).arrayBuffer());
    const data = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    css.push(rule.cssText.replace(/url\\([^)]*\\)/, `url(data:font/woff2;base64,${data})`));
  }
  const view = [box.x - FRAME, box.y - FRAME, box.width + 2 * FRAME, box.height + 2 * FRAME].map(Math.round);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${view.join(" ")}" data-theme="${theme}">
<style><![CDATA[
${css.join("\\n")}
button { appearance: none; }
* { animation: none !important; transition: none !important; }
]]></style>
<foreignObject x="-${FRAME}" y="-${FRAME}" width="${width + 2 * FRAME}" height="${height + 2 * FRAME}">
<div xmlns="http://www.w3.org/1999/xhtml" style="position: absolute; left: ${FRAME}px; top: ${FRAME}px">
${new XMLSerializer().serializeToString(board).replace(/<!--.*?-->/g, "").replace(/></g, ">\\n<")}
</div></foreignObject></svg>
`;
}"""


def picture(browser, url, name):
    number, step, theme, place = PICTURES[name]
    (record,) = GOLDEN.glob(f"{number}-*")
    context = browser.new_context(viewport={"width": 1600, "height": 1000})
    context.add_init_script(f"localStorage.setItem('deadwood settings', '{SETTINGS % theme}')")
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE)
    page.goto(f"{url}/replay")
    drop(page, record.read_text("utf-8"))
    page.get_by_role("slider").fill(str(step))
    page.locator(".where").get_by_text(f"step {step} of").wait_for()
    page.locator(".board .piece").first.wait_for()  # the dice come last
    page.evaluate("() => document.fonts.ready.then(() => true)")
    drawn = page.evaluate(DRAW, [place, theme])
    context.close()
    return drawn


def main():
    with tempfile.TemporaryDirectory() as folder, serving(f"sqlite:///{folder}/x.db") as server, chromium() as browser:
        for name in PICTURES:
            (FOLDER / f"{name}.svg").write_text(picture(browser, server.url, name), "utf-8")


if __name__ == "__main__":
    main()
