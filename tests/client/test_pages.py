"""Every page can be used by everybody: axe-core finds nothing serious, in light and in dark."""

from pathlib import Path

import pytest

from ..server.people import bots_alone
from .playing import play

AXE = (Path(__file__).parents[2] / "client" / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")
SERIOUS = ("serious", "critical")


def problems(page):
    page.evaluate(AXE)
    found = page.evaluate("axe.run().then((result) => result.violations)")
    return [(one["id"], [node["html"][:160] for node in one["nodes"]][:4]) for one in found if one["impact"] in SERIOUS]


# What does not fit on its card, or runs into what lies below it.
CUT = """() => {
  const room = (one) => (one.matches(".title") ? one.closest(".head").clientHeight : 28);
  const isCut = (one) => one.scrollWidth > one.clientWidth + 1 || one.offsetHeight > room(one);
  return [...document.querySelectorAll(".role .name, .card .title")].filter(isCut).map((one) => one.innerText);
}"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_page_shuts_anybody_out(visitors, server, theme):
    page = visitors(server.url, settings={"theme": theme}, bypass_csp=True)
    assert problems(page) == []
    page.get_by_role("button", name="Settings").click()
    assert problems(page) == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Make a table").click()
    page.locator(".lobby").wait_for()
    assert problems(page) == []
    page.goto(server.url)
    page.get_by_role("button", name="Play now").click()
    page.locator(".game.mine").wait_for()
    assert problems(page) == []
    play(page, actions=5, until_over=False)
    page.locator(".game.mine").wait_for()
    page.get_by_role("tab", name="Place").click()
    assert problems(page) == []
    page.goto(f"{server.url}/rules")
    page.locator("#moving").wait_for()
    assert problems(page) == []


def test_a_finished_game_shuts_nobody_out_and_all_names_are_whole(visitors, server):
    table = server.post("/api/tables", bots_alone(3, days=1), status=201)["table"]
    page = visitors(server.url, path=f"/t/{table['code']}", bypass_csp=True)
    page.locator(".ranking").wait_for()
    assert problems(page) == []
    page.get_by_role("link", name="See it again").click()
    page.get_by_role("slider").wait_for()
    assert problems(page) == []
    for step in range(10, int(page.get_by_role("slider").get_attribute("max")), 20):
        page.get_by_role("slider").fill(str(step))
        page.get_by_text(f"step {step} of").wait_for()
        assert page.evaluate(CUT) == []
