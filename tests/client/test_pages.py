"""Every page can be used by everybody: axe-core finds nothing serious, in light and in dark."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from ..server.people import token
from .playing import go, play_actions, running_game, say, waiting_table

AXE = (Path(__file__).parents[2] / "client" / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")
SERIOUS = ("serious", "critical")
BOTH = ("light", "dark")  # themes
COLOURS = ["color-contrast"]


# Runs axe once for each pair of a theme and rules. It would spend most of its time on the shapes of pictures. Shapes
# that neither say nor do anything are taken out: it finds the same without them.
LOOK = """async ([part, choices]) => {
  const speaks = (one) =>
    one.matches("[role], [tabindex], a, title, desc, text, foreignObject") ||
    [...one.attributes].some(({ name }) => name.startsWith("aria-"));
  const shapes = [];
  const takeOut = (picture) => {
    for (const one of [...picture.children])
      if (one.textContent.trim() || [one, ...one.querySelectorAll("*")].some(speaks)) takeOut(one);
      else {
        shapes.push([picture, one, one.nextSibling]);
        one.remove();
      }
  };
  const root = document.documentElement;
  const { theme } = root.dataset;
  const found = [];
  try {
    document.querySelectorAll("svg").forEach(takeOut);
    for (const [theme, rules] of choices) {
      root.dataset.theme = theme;
      const chosen = { resultTypes: ["violations"], ...(rules && { runOnly: rules }) };
      found.push(...(await axe.run(part ?? document, chosen)).violations);
    }
  } finally {
    for (const [picture, one, next] of shapes.reverse()) picture.insertBefore(one, next);
    root.dataset.theme = theme;
  }
  return found;
}"""


def problems(page, rules=None, part=None, themes=("light",)):
    """What is seriously wrong with a page or part of it, by all rules or some; further themes check only colours."""
    page.locator(":root[data-calm=true]").wait_for(state="attached")  # colours change at once
    if page.evaluate("!window.axe"):
        page.evaluate(AXE)
    choices = [(theme, COLOURS if number else rules) for number, theme in enumerate(themes)]
    found = page.evaluate(LOOK, [part, choices])
    return [(one["id"], [node["html"][:160] for node in one["nodes"]][:4]) for one in found if one["impact"] in SERIOUS]


# Texts that do not fit on their card, or run into what lies below.
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
        "/rules": "figure .board",
        "/print?parts=measure,board,pieces,host": "main[data-ready=true]",
    }
    return found, {lobby: host, game: [ada, bo]}


def test_no_page_shuts_anybody_out(visitors, server, places):
    found, tokens = places
    page = visitors(server.url, seats=tokens, bypass_csp=True)
    page.get_by_role("button", name="Settings").click()
    page.locator("dialog select").first.wait_for()
    assert problems(page, part="dialog", themes=BOTH) == []
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    opened = set()
    for path, content in found.items():
        go(page, path)
        page.locator(content).first.wait_for(state="attached")
        assert problems(page, themes=BOTH) == []
        if page.locator(".fold").count():
            for fold in page.locator(".fold > summary").all():
                fold.click()
            assert problems(page, part=".fold", themes=BOTH) == []
            opened.add("fold")
        for name in ("Talk", "Place"):
            if page.get_by_role("tab", name=name).count():
                page.get_by_role("tab", name=name).click()
                assert problems(page, part=".side", themes=BOTH) == []
                opened.add(name)
    assert opened == {"fold", "Talk", "Place"}


def test_no_question_about_real_dice_shuts_anybody_out(visitors, server):
    code, tokens = running_game(server, "Ada", "Bo", first="Ada", dice="table")
    page = visitors(server.url, path=f"/t/{code}", seats={code: tokens}, bypass_csp=True)
    page.locator('.actions [data-action="move saloon"]').click()
    page.get_by_role("dialog").get_by_role("listitem").first.wait_for()
    page.get_by_role("button", name="Enter", exact=True).click()
    page.get_by_role("alert").wait_for()
    assert problems(page, themes=BOTH) == []
    page.get_by_role("searchbox").fill("2")
    page.get_by_role("button", name="Enter", exact=True).click()
    page.get_by_role("button", name="Correct").wait_for()
    assert problems(page, themes=BOTH) == []


def test_a_finished_game_shuts_nobody_out_and_all_names_are_whole(visitors, server, finished):
    page = visitors(server.url, path=f"/t/{finished}", bypass_csp=True)
    expect(page.locator(".log p").last).to_be_in_viewport()  # the newest line
    expect(page.locator(".log p").first).not_to_be_in_viewport()
    page.locator(".ranking").wait_for()
    assert problems(page) == []
    page.get_by_role("link", name="Watch replay").click()
    page.get_by_role("slider").wait_for()
    assert problems(page) == []
    for step in range(10, int(page.get_by_role("slider").get_attribute("max")), 20):
        page.get_by_role("slider").fill(str(step))
        page.get_by_text(f"step {step} of").wait_for()
        assert page.evaluate(CUT) == []
