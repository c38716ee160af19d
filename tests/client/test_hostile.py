"""Hostile names, files and clicks: shown as text, refused with a sentence, and nothing else happens."""

import re

import pytest
from playwright.sync_api import expect

from .playing import CHOICES, resize, running_game

MARKUP = "<img src=x onerror=alert(1)>"
WIDE = "W" * 40
NAMES = (MARKUP, WIDE, "{name} ${name} 🤠🎲👩‍👩‍👧‍👦", "عادة إلى الوراء")
SIZES = ((360, 740), (740, 360), (1280, 800))
FITS = "document.documentElement.scrollWidth <= innerWidth"
STICKING_OUT = """() => {
  // what scrolls sideways on a phone may be longer than the screen
  const UNSEEN = "[role=tabpanel], .visually-hidden, .name > *, svg, .strip > *, .tray *, [role=tablist] *";
  return [...document.querySelectorAll(".side *, .lobby *, .ranking *")]
  .filter((one) => one.getClientRects().length && !one.closest(UNSEEN))
  .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
  .map((one) => one.outerHTML.slice(0, 120));
}"""

NO_DOORWAY = re.compile("There is no doorway")
CLICK_ALL = """(selector) => {
  for (const one of document.querySelectorAll(selector)) one.dispatchEvent(new MouseEvent("click", { bubbles: true }));
}"""
SPY_ON_COMMANDS = """
  window.commands = [];
  WebSocket.prototype.send = new Proxy(WebSocket.prototype.send, {
    apply(send, socket, [text]) {
      const { type, id } = JSON.parse(text);
      if (id) commands.push(type);
      return send.call(socket, text);
    },
  });
"""


def test_names_are_text_and_break_no_layout(visitors, server):
    code, tokens = running_game(server, *NAMES, first=NAMES[0], days=1)
    page = visitors(server.url, path=f"/t/{code}", seats={code: tokens})
    page.on("dialog", lambda dialog: pytest.fail(f"a name was run: {dialog.message}"))
    page.locator(".game.mine").wait_for()
    for name in NAMES:
        expect(page.get_by_label("Players").get_by_text(name)).to_be_attached()
    expect(page.locator(".turn")).to_contain_text(MARKUP)
    assert page.locator("img").count() == 0
    everything_fits_at_any_size(page)
    page.locator(".actions [data-action=end]").click()
    expect(page.locator(".turn")).to_contain_text(WIDE)
    everything_fits_at_any_size(page)


def everything_fits_at_any_size(page):
    for width, height in SIZES:
        resize(page, width, height)
        assert page.evaluate(FITS), width
        assert page.evaluate(STICKING_OUT) == [], width


def test_names_on_a_big_screen_are_text_and_break_no_layout(visitors, server):
    code, _ = running_game(server, *NAMES, first=NAMES[1], days=1)
    page = visitors(server.url, path=f"/t/{code}/screen", viewport={"width": 1024, "height": 768})
    page.on("dialog", lambda dialog: pytest.fail(f"a name was run: {dialog.message}"))
    expect(page.locator("h1")).to_contain_text(WIDE)
    assert page.locator("img").count() == 0
    assert page.evaluate(FITS)
    assert page.evaluate(STICKING_OUT.replace(".side *", ".screen aside > *, .screen li > *")) == []


def test_a_name_that_turns_the_text_around_is_refused(visitors, server):
    page = visitors(server.url, forgiven=("Failed to load resource",))
    page.get_by_label("Your name").fill("\u202eedoc eht")
    page.get_by_role("button", name="Create table").click()
    expect(page.get_by_role("alert")).to_be_visible()


def test_the_policy_holds(visitors, server):
    page = visitors(server.url, forgiven=("policy", "Policy", "picture.png"))
    page.evaluate(
        """() => {
          window.violations = [];
          addEventListener("securitypolicyviolation", (event) => violations.push(event.effectiveDirective));
          document.body.insertAdjacentHTML("beforeend", "<p style='color: red' onclick='window.run = 1' id=bad>x</p>");
          document.getElementById("bad").click();
          const script = document.createElement("script");
          script.textContent = "window.run = 1";
          document.body.append(script);
          const picture = document.createElement("img");
          picture.src = "http://127.0.0.1:9/picture.png";
          document.body.append(picture);
        }"""
    )
    page.wait_for_function("() => new Set(violations).size >= 4")
    assert set(page.evaluate("violations")) == {"style-src-attr", "script-src-attr", "script-src-elem", "img-src"}
    assert page.evaluate("window.run") is None


def test_clicks_that_are_not_allowed_change_nothing(visitors, server):
    code, tokens = running_game(server, "Ada", "Bo", first="Ada")
    page = visitors(server.url, path=f"/t/{code}", seats={code: tokens[:1]}, scripts=[SPY_ON_COMMANDS])
    expect(page.locator("#place-bank")).to_have_accessible_name(NO_DOORWAY)
    page.evaluate(CLICK_ALL, ".place:not(.allowed), .prices button")
    page.locator("#place-bank").dispatch_event("click")
    expect(page.get_by_role("tabpanel")).to_contain_text(NO_DOORWAY)
    page.locator(".actions [data-action=end]").click()
    expect(page.locator(".turn")).to_contain_text("Bo's turn")
    expect(page.locator(CHOICES)).to_have_count(0)
    page.evaluate(CLICK_ALL, ".place, .role, .prices button")
    for key in ("a", "r", "e", "h"):
        page.keyboard.press(key)
    assert page.evaluate("commands.filter((type) => type !== 'choices')") == ["play"]
    assert server.get(f"/api/tables/{code}")["seq"] == int(page.locator(".game").get_attribute("data-seq"))
