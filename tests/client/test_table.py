"""The table at a glance: choices as cards, a bar that stays, a look before a step, the log, and every size."""

import re
import secrets

import pytest
from playwright.sync_api import expect

from .playing import changing, play_actions, resize, running_game, say, waiting_table

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
ENLARGED = {"viewport": {"width": 360, "height": 225}}  # 1440 by 900 pixels, four times as large
VERBS = (*(f".bar > :nth-child({n})" for n in (1, 2, 3)), "[data-action=undo]", "[data-action=hint]")
# The smallest type that can be seen on the board, in pixels of the screen.
SMALLEST = """() => {
  const board = document.querySelector(".board");
  const scale = board.getBoundingClientRect().width / board.clientWidth;
  const sizes = [];
  const walker = document.createTreeWalker(board, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const box = node.parentElement;
    if (!node.textContent.trim() || box.closest(".visually-hidden, title")) continue;
    sizes.push(parseFloat(getComputedStyle(box).fontSize) * scale);
  }
  return Math.min(...sizes);
}"""
INSIDE = """(inner, outer) => {
  const [one, other] = [inner, outer].map((selector) => document.querySelector(selector).getBoundingClientRect());
  return one.left >= other.left && one.right <= other.right && one.top >= other.top && one.bottom <= other.bottom;
}"""
AT_THE_END = """() => {
  const log = document.querySelector(".log");
  const [newest] = [...log.querySelectorAll(".row")].slice(-1);
  const isInSight = newest.getBoundingClientRect().bottom <= log.getBoundingClientRect().bottom + 1;
  return log.scrollHeight > log.clientHeight && isInSight;
}"""


def turned(server, *names, **options):
    """A game in which Ada stands in the Saloon, whose card is face up: its code, and everybody's tokens."""
    code, tokens = running_game(server, *(names or ("Ada", "Bo")), first="Ada", dice="table", **options)
    seq = server.get(f"/api/tables/{code}")["seq"] + 1
    say(server, code, tokens[0], type="play", seq=seq, action="move saloon", outcome="card 9")
    return code, tokens


@pytest.fixture
def open_table(visitors, server):
    """A page at a table."""

    def open_page(code, tokens, **more):
        page = visitors(server.url, path=f"/t/{code}", seats={code: tokens}, **more)
        page.locator(".board .piece").first.wait_for()  # the last that is drawn
        return page

    return open_page


# --- choices


def test_a_role_says_what_it_is_and_brings_and_only_what_is_left_stands_out(open_table, server):
    code, tokens = turned(server)
    page = open_table(code, tokens)
    star, extra = (page.locator(f'.actions [data-action="take {kind} 1"]') for kind in ("star", "extra"))
    for text in ("Back Half of Gerald", "starring role", "67%", "needs 3+", "1.3 points", "bonus at the wrap"):
        expect(star).to_contain_text(text)
    for text in ("Swinging Door Tester", "extra role", "67%", "1.7 points"):
        expect(extra).to_contain_text(text)
    expect(page.locator(".tray .card").first).to_have_attribute("data-action", "take extra 1")  # it is worth more
    expect(page.locator(".tray .head")).to_contain_text("2 shots to go")
    expect(page.locator(".board .role.allowed .chance")).to_have_text(["67%", "67%"])
    assert_nothing_stands_out(page, server, code, tokens)


def assert_nothing_stands_out(page, server, code, tokens):
    """Neither a bad chance nor the end of a turn stands out while there is something else to do."""
    expect(page.locator(".bar [data-action=end]")).to_be_visible()
    expect(page.locator(".actions .primary")).to_have_count(0)
    play_actions(server, code, (tokens[0], "take star 1"), (tokens[1], "end"))
    expect(page.locator(".bar [data-action=act]")).to_contain_text("67%")
    expect(page.locator(".actions .primary")).to_have_count(0)


def test_a_door_says_what_waits_behind_it(open_table, server):
    code, (ada, bo) = turned(server)
    play_actions(server, code, (ada, "take star 1"))
    page = open_table(code, [bo])
    saloon = page.locator('.actions [data-action="move saloon"]')
    for text in ("A Horse Named Gerald", "1 role for you", "67%", "Also here: Ada"):
        expect(saloon).to_contain_text(text)
    expect(page.locator('.actions [data-action="move hotel"]')).to_contain_text("unseen scene")


# --- the bar


def places_of_verbs(page):
    return [page.locator(f".actions {verb}").bounding_box() for verb in VERBS]


@pytest.mark.parametrize("screen", [{}, PHONE], ids=("desktop", "phone"))
def test_the_bar_never_moves(open_table, server, screen):
    code, (ada, bo) = running_game(server, "Ada", "Bo", first="Ada", dice="table")
    page = open_table(code, [ada], **screen)
    page.locator(".game.mine").wait_for()
    before = places_of_verbs(page)
    seq = int(page.locator(".game").get_attribute("data-seq"))
    for number, (token, action, outcome) in enumerate(
        ((ada, "move saloon", "card 9"), (ada, "take star 1", None), (bo, "end", None), (ada, "rehearse", None))
    ):
        say(server, code, token, type="play", seq=seq + 1 + number, action=action, outcome=outcome)
        expect(page.locator(".game")).to_have_attribute("data-seq", str(seq + 1 + number))
        assert places_of_verbs(page) == before, action


def test_a_second_click_after_a_change_does_nothing(open_table, server):
    code, tokens = running_game(server, "Ada", "Bo", first="Ada")
    page = open_table(code, tokens[:1])
    seq = int(page.locator(".game").get_attribute("data-seq"))
    page.locator('.actions [data-action="move saloon"]').dblclick()
    expect(page.locator(".game")).to_have_attribute("data-seq", str(seq + 1))
    expect(page.locator(".piece.active")).to_be_visible()
    with changing(page):
        page.locator(".bar [data-action=end]").dblclick()  # the first click counts, if enough time has passed
    assert server.get(f"/api/tables/{code}")["seq"] == seq + 2


def test_undo_is_not_offered_for_what_somebody_else_did(open_table, server):
    code, (ada, bo) = running_game(server, "Ada", "Bo", first="Ada")
    page = open_table(code, [ada])
    play_actions(server, code, (ada, "end"))
    undo = page.locator("[data-action=undo]")
    expect(undo).to_have_attribute("aria-disabled", "false")
    play_actions(server, code, (bo, "end"))
    expect(undo).to_have_attribute("aria-disabled", "true")


# --- a look before a step


def finger(page, selector):
    """A point where a finger touches this and nothing else."""
    found = page.wait_for_function(
        """(selector) => {
          const view = document.querySelector(".viewport").getBoundingClientRect();
          for (const one of document.querySelectorAll(selector)) {
            const box = one.getBoundingClientRect();
            for (let y = Math.max(view.top, box.top) + 4; y < Math.min(view.bottom, box.bottom); y += 4)
              for (let x = Math.max(view.left, box.left) + 4; x < Math.min(view.right, box.right); x += 4)
                if (document.elementFromPoint(x, y)?.matches(selector)) return [x, y];
          }
        }""",
        arg=selector,
    )
    return found.json_value()


def test_a_finger_looks_first_and_then_goes(open_table, server):
    code, tokens = running_game(server, "Ada", "Bo", first="Ada")
    page = open_table(code, tokens[:1], **PHONE)
    page.locator(".game.mine").wait_for()
    page.get_by_role("button", name="Fit the board").tap()
    seq = page.locator(".game").get_attribute("data-seq")
    page.touchscreen.tap(*finger(page, "#place-bank"))
    expect(page.get_by_role("tabpanel")).to_contain_text("There is no doorway")
    expect(page.get_by_role("button", name="Go", exact=True)).to_have_count(0)
    page.touchscreen.tap(*finger(page, "#place-saloon"))
    expect(page.get_by_role("tabpanel")).to_contain_text("Saloon")
    expect(page.get_by_role("alert")).to_have_count(0)
    assert page.locator(".game").get_attribute("data-seq") == seq
    with changing(page):
        page.get_by_role("button", name="Go", exact=True).tap()
    expect(page.locator(".log")).to_contain_text("Ada walks from the Trailers to the Saloon.")


def test_a_finger_looks_at_a_role_before_it_is_taken(open_table, server):
    code, tokens = turned(server)
    page = open_table(code, tokens[:1], **PHONE)
    page.touchscreen.tap(*finger(page, ".role.star.allowed *"))
    with changing(page):
        page.get_by_role("tabpanel").locator("button.primary").tap()
    expect(page.locator(".log")).to_contain_text("Back Half of Gerald")


def test_a_mouse_goes_where_it_can_and_looks_elsewhere(open_table, server):
    code, tokens = running_game(server, "Ada", "Bo", first="Ada")
    page = open_table(code, tokens[:1])
    page.locator(".game.mine").wait_for()
    page.mouse.click(*finger(page, "#place-bank"))
    expect(page.get_by_role("tabpanel")).to_contain_text("Vault Door")
    with changing(page):
        page.mouse.click(*finger(page, "#place-saloon"))
    expect(page.get_by_role("tab", name="Log")).to_have_attribute("aria-selected", "true")


# --- scores


def test_the_scores_and_the_leader_are_in_sight(open_table, server):
    code, (ada, bo) = turned(server)
    page = open_table(code, [ada])
    expect(page.locator(".players .score")).to_have_text([re.compile("^5"), re.compile("^5")])
    expect(page.locator(".players .leads")).to_have_count(0)
    play_actions(server, code, (ada, "take star 1"), (bo, "end"))
    seq = server.get(f"/api/tables/{code}")["seq"] + 1
    say(server, code, ada, type="play", seq=seq, action="act", outcome="6")
    expect(page.locator(".players .leads")).to_contain_text("Ada")
    expect(page.locator(".players .leads .score")).to_contain_text("7")
    expect(page.locator(".players .leads .score")).to_contain_text("leading")


def test_a_spectator_sees_that_they_watch(open_table, server):
    code, _ = running_game(server, "Ada", "Bo")
    page = open_table(code, [])
    expect(page.get_by_role("status").filter(has_text="You are watching.")).to_be_visible()
    expect(page.locator(".actions")).to_have_count(0)


# --- the log


def test_undone_actions_are_struck_through(open_table, server):
    code, (ada, bo) = turned(server)
    page = open_table(code, [ada])
    play_actions(server, code, (ada, "take extra 1"))
    with changing(page):
        page.locator("[data-action=undo]").click()
    with changing(page):
        page.locator('.actions [data-action="take star 1"]').click()
    taken = page.locator(".log .RoleTaken")
    expect(taken).to_have_count(2)
    expect(taken.nth(0)).to_have_class(re.compile("undone"))
    expect(taken.nth(1)).not_to_have_class(re.compile("undone"))
    expect(page.locator(".log")).to_contain_text("Ada takes back ")
    again = open_table(code, [bo])
    expect(again.locator(".log .RoleTaken.undone")).to_have_count(1)  # also for those who come later


def test_a_row_of_the_log_becomes_a_sentence(open_table, server):
    code, tokens = turned(server)
    page = open_table(code, tokens)
    row = page.locator(".log .CardTurned")
    sentence = row.get_by_text("The hero's faithful steed")
    expect(row).to_contain_text("A Horse Named Gerald")
    assert sentence.bounding_box()["width"] <= 1
    row.get_by_role("button").click()
    assert sentence.bounding_box()["width"] > 100
    row.get_by_role("button").press("ArrowUp")
    expect(page.locator(".log .Moved button")).to_be_focused()


def test_the_log_stays_at_its_end_unless_somebody_scrolls_away(open_table, server):
    code, (ada, bo) = running_game(server, "Ada", "Bo", first="Ada")
    page = open_table(code, [ada])
    for _ in range(12):
        play_actions(server, code, (ada, "end"), (bo, "end"))
    seq = server.get(f"/api/tables/{code}")["seq"]
    # Everything is shown, and the panel has shrunk, because there is something to do.
    page.locator(f".game.mine[data-seq='{seq}']").wait_for()
    expect(page.locator(".log .row")).to_have_count(16)  # of 24 turns
    page.wait_for_function(AT_THE_END)
    page.locator(".log").hover()
    page.mouse.wheel(0, -4000)
    newest = page.get_by_role("button", name="Newest")
    expect(newest).to_be_visible()
    earlier = page.get_by_role("button", name="Show earlier turns")
    expect(earlier).to_be_in_viewport()
    play_actions(server, code, (ada, "end"))
    expect(page.locator(".log .row")).to_have_count(17)  # no row is dropped while somebody reads
    expect(earlier).to_be_in_viewport()  # and nothing moves
    newest.click()
    page.wait_for_function(AT_THE_END)
    expect(newest).to_have_count(0)
    earlier.click()
    expect(page.locator(".log .row")).to_have_count(26)  # 25 turns, and the first morning


# --- the board


@pytest.mark.parametrize("language", ["en", "de"])
def test_nothing_on_the_board_is_tiny(open_table, server, language):
    code, tokens = turned(server)
    page = open_table(code, tokens, viewport={"width": 1440, "height": 900}, settings={"language": language})
    expect(page.locator(".card .title")).to_be_visible()
    assert page.evaluate(SMALLEST) >= 10
    names = page.locator(".board .role .name:not(.visually-hidden)")
    expect(names).to_have_count(0)
    page.keyboard.press("+")
    expect(names.first).to_be_attached()
    assert page.evaluate(SMALLEST) >= 10


def test_parts_that_do_not_matter_now_are_dim(open_table, server):
    code, (ada, _) = running_game(server, "Ada", "Bo", first="Ada")
    page = open_table(code, [ada])
    expect(page.locator(".shade .dim")).to_have_count(8)  # all but the Trailers and the three places next door
    expect(page.locator(".sign.reachable")).to_have_count(3)
    with changing(page):
        page.locator(".bar [data-action=end]").click()
    expect(page.locator(".shade .dim")).to_have_count(0)  # people who only watch want to see everything


def test_the_whole_board_fits(open_table, server):
    code, tokens = turned(server)
    page = open_table(code, tokens)
    page.locator(".game.mine").wait_for()
    for size in ((1024, 768), (1440, 900), (1180, 820), (820, 1180)):
        resize(page, *size)
        assert page.evaluate(f"({INSIDE})('.board', '.viewport')"), size
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), size


def test_four_times_as_large_it_can_still_be_played(open_table, server):
    code, tokens = running_game(server, "Ada", "Bo", first="Ada")
    page = open_table(code, tokens[:1], **ENLARGED)
    page.locator(".game.mine").wait_for()
    assert page.locator(".viewport").bounding_box()["width"] > 250
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    with changing(page):
        page.locator('.actions [data-action="move saloon"]').click()
    expect(page.locator(".log .row").last).to_contain_text("Ada")


def test_a_phone_has_a_strip_of_players_and_a_sheet(open_table, server):
    names = ("Ada", "Bo", "Cy", "Dot", "Ed", "Flo", "Gus", "Hal")
    code, tokens = turned(server, *names)
    page = open_table(code, tokens[:1], **PHONE)
    page.locator(".game.mine").wait_for()
    strip = page.locator(".players").bounding_box()
    assert strip["height"] < 70
    assert strip["width"] <= 390
    board, tools = (page.locator(one).bounding_box() for one in (".viewport", ".tools"))
    assert board["height"] > 0.4 * PHONE["viewport"]["height"]
    assert board["y"] + board["height"] <= tools["y"]  # no button covers the board
    expect(page.locator(".log")).not_to_be_visible()
    page.get_by_role("button", name="Show the log").tap()
    expect(page.locator(".log .row").last).to_be_in_viewport()
    expect(page.locator(".bar [data-action=end]")).to_be_in_viewport()
    page.get_by_role("button", name="Show more of the board").tap()
    expect(page.locator(".log")).not_to_be_visible()


def test_everybody_sees_that_a_program_from_elsewhere_is_a_bot(visitors, server):
    code, (hers,) = waiting_table(server, "Ada")
    page = visitors(server.url, path=f"/t/{code}", seats={code: [hers]})
    page.locator(".lobby").wait_for()
    its = secrets.token_hex(32)
    say(server, code, type="sit", name="Wanda", token=its, bot="walker")
    chair = page.locator(".lobby .chairs li", has_text="Wanda")
    expect(chair).to_contain_text("Bot, walker")
    expect(chair.locator(".portrait")).to_be_visible()
    for token, player in ((hers, 0), (its, 1)):
        ids = [one["id"] for one in server.get(f"/api/tables/{code}")["chairs"]]
        say(server, code, token, type="ready", chair=ids[player], salt=secrets.token_hex(32))
    say(server, code, hers, type="start")
    wanda = page.locator(".players li", has_text="Wanda")
    expect(wanda.locator(".portrait")).to_be_visible()
    expect(wanda).to_contain_text("Bot, walker")
