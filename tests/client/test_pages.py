"""Every page can be used by everybody: axe-core finds nothing serious, in light and in dark."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from ..server.people import token
from .playing import play_actions, running_game, say, waiting_table

AXE = (Path(__file__).parents[2] / "client" / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")
SERIOUS = ("serious", "critical")


def problems(page, rules=None):
    """What is seriously wrong with a page, by all rules or by some."""
    if page.evaluate("!window.axe"):
        page.evaluate(AXE)
    chosen = {"resultTypes": ["violations"], **({"runOnly": rules} if rules else {})}
    found = page.evaluate("(chosen) => axe.run(chosen).then((result) => result.violations)", chosen)
    return [(one["id"], [node["html"][:160] for node in one["nodes"]][:4]) for one in found if one["impact"] in SERIOUS]


# What does not fit on its card, or runs into what lies below it.
CUT = """() => {
  const room = (one) => (one.matches(".title") ? one.closest(".head").clientHeight : 28);
  const isCut = (one) => one.scrollWidth > one.clientWidth + 1 || one.offsetHeight > room(one);
  return [...document.querySelectorAll(".role .name, .card .title")].filter(isCut).map((one) => one.innerText);
}"""


@pytest.fixture
def places(server):
    """Addresses of all kinds of pages, what to wait for there, and the tokens of the tables among them."""
    lobby, host = waiting_table(server, "Ada")
    game, (ada, bo) = running_game(server, "Ada", "Bo", first="Ada")
    play_actions(server, game, (ada, "move saloon"), (ada, "take extra 1"), (bo, "end"))
    for code in (lobby, game):
        say(server, code, type="say", text="Nice hat", name="Zoe", voice=token())
        say(server, code, type="react", reaction="bang", name="Yves", voice=token())
    found = {
        "/": "option[value=star]",
        f"/t/{lobby}": ".lobby .fold",
        f"/t/{lobby}/screen": ".screen .waiting",
        f"/t/{game}": ".actions [data-action=act]",
        f"/t/{game}/screen": ".screen .choices",
        "/games": ".players",
        "/rules": "#moving",
        "/print?parts=measure,board,pieces,host": "main[data-ready=true]",
    }
    return found, {lobby: host, game: [ada, bo]}


@pytest.mark.parametrize(("theme", "rules"), [("light", None), ("dark", ["color-contrast"])])
def test_no_page_shuts_anybody_out(visitors, server, places, theme, rules):
    """In the dark only colours differ."""
    found, tokens = places
    page = visitors(server.url, settings={"theme": theme}, seats=tokens, bypass_csp=True)
    page.get_by_role("button", name="Settings").click()
    assert problems(page, rules) == []
    for path, content in found.items():
        page.goto(server.url + path)
        page.locator(content).first.wait_for(state="attached")
        assert problems(page, rules) == []
        if page.locator(".fold").count():
            for fold in page.locator(".fold > summary").all():
                fold.click()
            assert problems(page, rules) == []
        for name in ("Talk", "Place"):
            if page.get_by_role("tab", name=name).count():
                page.get_by_role("tab", name=name).click()
                assert problems(page, rules) == []


@pytest.mark.parametrize(("theme", "rules"), [("light", None), ("dark", ["color-contrast"])])
def test_no_question_about_real_dice_shuts_anybody_out(visitors, server, theme, rules):
    code, tokens = running_game(server, "Ada", "Bo", first="Ada", dice="table")
    page = visitors(server.url, path=f"/t/{code}", settings={"theme": theme}, seats={code: tokens}, bypass_csp=True)
    page.locator('.actions [data-action="move saloon"]').click()
    page.get_by_role("dialog").get_by_role("listitem").first.wait_for()
    page.get_by_role("button", name="Enter", exact=True).click()
    page.get_by_role("alert").wait_for()
    assert problems(page, rules) == []
    page.get_by_role("searchbox").fill("2")
    page.get_by_role("button", name="Enter", exact=True).click()
    page.get_by_role("button", name="Correct").wait_for()
    assert problems(page, rules) == []


def test_the_newest_line_of_the_log_is_in_sight(visitors, server, finished):
    page = visitors(server.url, path=f"/t/{finished}")
    expect(page.locator(".log p").last).to_be_in_viewport()
    expect(page.locator(".log p").first).not_to_be_in_viewport()


def test_a_finished_game_shuts_nobody_out_and_all_names_are_whole(visitors, server, finished):
    page = visitors(server.url, path=f"/t/{finished}", bypass_csp=True)
    page.locator(".ranking").wait_for()
    assert problems(page) == []
    page.get_by_role("link", name="Watch replay").click()
    page.get_by_role("slider").wait_for()
    assert problems(page) == []
    for step in range(10, int(page.get_by_role("slider").get_attribute("max")), 20):
        page.get_by_role("slider").fill(str(step))
        page.get_by_text(f"step {step} of").wait_for()
        assert page.evaluate(CUT) == []
