"""A table on a big screen in the room: no controls, large type, before, during and after a game."""

import pytest
from playwright.sync_api import expect

from .playing import LINES, finish, go, play_actions, resize, running_game, say, waiting_table

SIZES = [(1280, 720), (1920, 1080), (1024, 768)]
NAMES = ("Ada", "Bo", "Constance Featherstonehaugh", "Dot", "Émile", "Fedor", "Gus", "Hattie O'Hara")
SMALL_TEXTS = """() => {
  const small = [];
  const walker = document.createTreeWalker(document.querySelector(".screen"), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const box = node.parentElement;
    if (!node.textContent.trim() || box.closest(".board, .visually-hidden, caption, svg")) continue;
    const size = parseFloat(getComputedStyle(box).fontSize);
    if (size < Math.min(innerWidth, innerHeight) * 0.022) small.push(`${node.textContent.trim()}: ${size}`);
  }
  return small;
}"""
SCROLLS = "document.documentElement.scrollHeight > innerHeight || document.documentElement.scrollWidth > innerWidth"
CUT = """() => [...document.querySelectorAll(".screen :is(aside > *, .happened, .waiting, .ranking, .marquee)")]
  .filter((one) => {
    const { right, bottom } = one.getBoundingClientRect();
    return bottom > innerHeight + 1 || right > innerWidth + 1;
  })
  .map((one) => one.className)"""
AWAKE = """
  window.locks = 0;
  Object.defineProperty(navigator, "wakeLock", { value: { request: () => {
    window.locks += 1;
    return Promise.resolve({ release: () => { window.locks -= 1; return Promise.resolve(); } });
  } } });
"""


def screen(visitors, server, code, size=SIZES[0], address=None, **more):
    page = visitors(
        address or server.url, path=f"/t/{code}/screen", viewport={"width": size[0], "height": size[1]}, **more
    )
    page.locator(".screen[data-seq]").wait_for()
    return page


def assert_readable(page):
    assert page.evaluate(SMALL_TEXTS) == []
    assert not page.evaluate(SCROLLS)
    assert page.evaluate(CUT) == []
    expect(page.locator(".screen :is(button, a, input, select):not([inert] *)")).to_have_count(0)
    assert page.evaluate("getComputedStyle(document.querySelector('.screen')).cursor") == "none"


def readable_sizes(page):
    """Resize the screen; it must be readable at every size."""
    for size in SIZES:
        resize(page, *size)
        assert_readable(page)
        yield size


@pytest.mark.parametrize(("language", "theme"), [("en", "light"), ("de", "dark")])
def test_it_can_be_read_from_the_sofa(visitors, server, network, finished, language, theme):
    settings = {"language": language, "theme": theme}
    waiting, _ = waiting_table(server, *NAMES)
    page = screen(visitors, server, waiting, address=network.named, settings=settings)
    expect(page.locator("svg.qr")).to_be_visible()
    expect(page.locator(".waiting li")).to_have_count(8)
    assert len(list(readable_sizes(page))) == len(SIZES)
    page = screen(visitors, server, waiting, settings=settings)
    expect(page.locator(".hint code")).to_contain_text("--host 0.0.0.0")
    assert len(list(readable_sizes(page))) == len(SIZES)
    running, tokens = running_game(server, *NAMES, first="Ada")
    play_actions(server, running, (tokens[0], "move main-street"))
    go(page, f"/t/{running}/screen")
    expect(page.locator(".players li")).to_have_count(8)
    for _, height in readable_sizes(page):
        for number in (".players .score", ".prices strong", "h1"):
            letters = page.locator(number).first.evaluate("(one) => parseFloat(getComputedStyle(one).fontSize)")
            assert letters >= 0.04 * height, number
        assert [one.evaluate(LINES) for one in page.locator(".when strong").all()] == [1, 1]
    go(page, f"/t/{finished}/screen")
    expect(page.locator(".ranking")).to_be_visible()
    assert len(list(readable_sizes(page))) == len(SIZES)


def test_it_fits_a_screen_that_stands_upright(visitors, server):
    running, tokens = running_game(server, *NAMES, first="Ada")
    play_actions(server, running, (tokens[0], "move main-street"))
    page = screen(visitors, server, running)
    expect(page.locator(".players li")).to_have_count(8)
    for width, height in ((768, 1024), (1080, 1920)):
        resize(page, width, height)
        assert_readable(page)
        board = page.locator(".board-of").bounding_box()
        assert board["width"] > 0.9 * width  # one column: the board is as wide as the screen


def test_the_end_fits_a_screen_that_stands_upright(visitors, server, finished):
    page = screen(visitors, server, finished)
    expect(page.locator("section.credits")).to_be_visible()
    for width, height in ((390, 844), (768, 1024), (1080, 1920)):
        resize(page, width, height)
        assert_readable(page)
        expect(page.locator("section.credits")).to_be_hidden()  # there is no room for them to roll
        expect(page.locator(".ranking .legend i")).to_have_count(3)
        for part in page.locator(".ranking .legend i").all():
            expect(part).to_be_visible()


def test_it_shows_whose_turn_it_is_and_what_they_may_do(visitors, server):
    code, (ada, bo) = running_game(server, "Ada", "Bo", first="Ada", dice="table")
    page = screen(visitors, server, code)
    expect(page.locator("h1")).to_contain_text("Ada's turn")
    expect(page.locator(".choices .chip")).to_have_text(["Main Street", "Saloon", "Hotel", "End turn"])
    for token, action, outcome in ((ada, "move saloon", "2"), (ada, "take star 1", None), (bo, "end", None)):
        seq = server.get(f"/api/tables/{code}")["seq"] + 1
        say(server, code, token, type="play", seq=seq, action=action, outcome=outcome)
    expect(page.locator(".chance").first).to_contain_text("67%")
    expect(page.locator(".chance").first).to_contain_text("needs 3+")
    expect(page.locator(".when")).to_contain_text("Day 1 of 3")
    expect(page.locator(".when")).to_contain_text("9 more wraps today")
    seq = server.get(f"/api/tables/{code}")["seq"] + 1
    say(server, code, ada, type="play", seq=seq, action="act", outcome="3")
    expect(page.locator(".happened .newest")).to_contain_text("success")
    expect(page.locator(".players li").first).to_contain_text("leading")
    say(server, code, ada, type="correct", seq=seq + 1, outcome="2")
    expect(page.locator(".happened .newest")).to_have_text("Ada's roll is corrected: 2, not 3.")
    expect(page.locator(".happened")).not_to_contain_text("success")  # no longer true
    expect(page.get_by_text("leading")).to_have_count(0)


def test_it_says_when_people_must_roll_for_a_bot(visitors, server):
    code, (ada,) = running_game(server, "Ada", bots=["random"], first="Ada", dice="table")
    page = screen(visitors, server, code)
    asked = page.locator(".chance").filter(has_text="!")
    turn = page.locator("h1").get_by_text("Ada's turn")
    for _ in range(50):
        turn.or_(asked).first.wait_for()
        if asked.count():
            return
        before = page.locator(".screen").get_attribute("data-seq")
        play_actions(server, code, (ada, "end"))
        page.wait_for_function("(seq) => document.querySelector('.screen').dataset.seq !== seq", arg=before)
    raise AssertionError("the bot never needed a card")


def test_it_follows_a_table_from_its_lobby_to_the_rematch(visitors, server):
    code, tokens = waiting_table(server, "Ada", "Bo", days=1)
    page = screen(visitors, server, code)
    expect(page.locator(".waiting li")).to_have_count(2)
    for chair, token in enumerate(tokens, 1):
        say(server, code, token, type="ready", chair=chair, salt=token)
    expect(page.locator(".waiting .ready")).to_have_count(2)
    say(server, code, tokens[0], type="start")
    expect(page.locator(".screen .board")).to_be_visible()
    finish(server, code, *tokens)
    expect(page.locator(".ranking")).to_be_visible()
    say(server, code, tokens[0], type="rematch")
    expect(page.locator(".waiting li")).to_have_count(2)


def test_it_only_watches_even_where_somebody_plays(visitors, server):
    code, tokens = running_game(server, "Ada", "Bo", first="Ada")
    page = screen(visitors, server, code, seats={code: tokens})
    expect(page.locator("h1")).to_contain_text("Ada's turn")
    other = visitors(server.url, path=f"/t/{code}")
    other.locator(".players").wait_for()
    expect(other.locator(".presence.away")).to_have_count(2)


def test_it_comes_back_when_the_network_does(visitors, server, network):
    code, (ada, _) = running_game(server, "Ada", "Bo", first="Ada")
    page = visitors(network.url, path=f"/t/{code}/screen", forgiven=("WebSocket", "ERR_"))
    expect(page.locator("h1")).to_contain_text("Ada's turn")
    network.cut()
    expect(page.get_by_role("status")).to_contain_text("Reconnecting")
    play_actions(server, code, (ada, "end"))
    network.mend()
    expect(page.locator("h1")).to_contain_text("Bo's turn")
    expect(page.get_by_role("status")).to_have_count(0)


def test_it_keeps_the_screen_awake_until_it_is_left(visitors, server):
    code, _ = waiting_table(server, "Ada", "Bo")
    page = screen(visitors, server, code, scripts=[AWAKE])
    page.wait_for_function("() => window.locks === 1")
    go(page, "/rules")
    page.wait_for_function("() => window.locks === 0")


def test_everybody_finds_it_from_the_table(visitors, server):
    code, _ = running_game(server, "Ada", "Bo", first="Ada")
    page = visitors(server.url, path=f"/t/{code}")
    link = page.get_by_role("link", name="Show on a big screen")
    expect(link).to_have_attribute("href", f"/t/{code}/screen")
    waiting, _ = waiting_table(server, "Ada", "Bo")
    go(page, f"/t/{waiting}")
    expect(page.get_by_role("link", name="Show on a big screen")).to_have_attribute("href", f"/t/{waiting}/screen")


def test_a_table_that_does_not_exist_is_explained(visitors, server):
    page = visitors(server.url, path="/t/AAAA-AAAA/screen", forgiven=("404", "403"))
    expect(page.get_by_role("alert")).to_contain_text("There is no table")
