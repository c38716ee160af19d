"""Real journeys through the client in a real browser, against a real server."""

import re

import pytest
from playwright.sync_api import expect

from ..server.people import serving
from .playing import changing, choose, everybody_is_ready, join, make_table, offered, play, running_game

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}


FOCUSED = """(() => {
  const found = document.activeElement;
  return found.matches("body") ? "" : (found.ariaLabel ?? found.innerText);
})()"""


IS_NARROW = f"document.documentElement.scrollWidth <= {PHONE['viewport']['width']}"  # innerWidth grows with the page
IS_ENLARGED = """(() => {
  const [board, viewport] = [".board", ".viewport"].map((one) => document.querySelector(one).getBoundingClientRect());
  return board.width > viewport.width || board.height > viewport.height;
})()"""


def test_two_clicks_to_a_game_against_bots_and_on_to_its_replay(visitors, server):
    page = visitors(server.url)
    page.get_by_label("Opponents").select_option("1")
    page.get_by_role("button", name="Play now").click()
    play(page)
    assert page.title().startswith("The game is over")
    rows = page.locator(".ranking tbody tr")
    expect(rows).to_have_count(2)
    page.get_by_role("link", name="See it again").click()
    expect(page.get_by_role("slider")).to_be_visible()
    page.get_by_role("slider").fill("12")
    expect(page.locator(".where")).to_contain_text("step 12 of")
    assert page.url.endswith("#12")
    page.reload()
    expect(page.locator(".where")).to_contain_text("step 12 of")
    page.get_by_role("button", name="On a day").click()
    expect(page.locator(".where")).to_contain_text("Day 2 of 3")
    page.get_by_label("Speed").select_option("8")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    with page.expect_download() as got:
        page.get_by_role("link", name="Download the record").click()
    record = got.value.path()
    page.get_by_role("link", name="Replays").click()
    page.get_by_label("A file with a recorded game").set_input_files(str(record))
    expect(page.get_by_role("slider")).to_be_visible()
    page.get_by_role("link", name="Deadwood, start page").click()
    expect(page.get_by_text("My recent tables")).to_be_visible()


def test_two_people_and_a_bot_with_reload_restart_and_a_lost_connection(visitors, network, tmp_path):
    database = f"sqlite:///{tmp_path}/games.sqlite3"
    lost = ("WebSocket", "ERR_CONNECTION")
    network.mend()
    own = {"origins": frozenset({network.url})}
    with serving(database, **own) as server:
        network.lead_to(server)
        port = server.port
        ada = visitors(network.url, forgiven=lost)
        code = make_table(ada, "Ada <img src=x onerror=alert(1)>")
        ada.get_by_role("button", name="Add a bot").click()
        ada.get_by_label("Days").select_option("1")
        ada.get_by_role("button", name="I am ready").click()
        bo = visitors(server.url, forgiven=lost)
        join(bo, code, "Bo")
        ada.get_by_role("button", name="Start the game").click()
        play(ada, bo, actions=12, until_over=False)
        expect(bo.get_by_text("Ada <img src=x onerror=alert(1)>").first).to_be_visible()
        bo.reload()
        expect(bo.locator(".log p").first).to_be_visible()
        play(ada, bo, actions=4, until_over=False)
        network.cut()
        expect(ada.get_by_text("Connection lost")).to_be_visible()
        expect(bo.get_by_text("Connection lost")).not_to_be_visible()
        network.mend()
        play(ada, bo, actions=4, until_over=False)
    expect(ada.get_by_text("Connection lost")).to_be_visible()
    with serving(database, port=port, **own) as server:
        play(ada, bo, actions=6, until_over=False)
        server.kill()
        expect(bo.get_by_text("Connection lost")).to_be_visible()
        with serving(database, port=port, **own):
            play(ada, bo)
            ranking = bo.locator(".ranking tbody tr")
            expect(ranking).to_have_count(3)
            assert ada.locator(".ranking tbody tr").all_inner_texts() == ranking.all_inner_texts()
            ada.get_by_role("button", name="Play again").click()
            expect(bo.get_by_role("button", name="I am ready")).to_be_visible()


def test_real_dice_and_cards_are_entered(visitors, server):
    page = visitors(server.url)
    make_table(page)
    page.get_by_label("Another person at this screen").fill("Bo")
    page.get_by_role("button", name="Sit down").click()
    page.get_by_label("Dice and cards").select_option("table")
    expect(page.locator(".chairs li")).to_have_count(2)
    everybody_is_ready(page)
    page.get_by_role("button", name="Start the game").click()
    page.locator('.actions [data-action="move saloon"]').click()
    page.get_by_label("The number of the card").fill("17")
    with changing(page):
        page.get_by_role("button", name="Enter it", exact=True).click()
    for action in ("take extra 1", "end"):
        with changing(page):
            page.locator(f'.actions [data-action="{action}"]').click()
    page.keyboard.press("a")
    page.get_by_role("radio", name="5").check(force=True)
    with changing(page):
        page.get_by_role("button", name="Enter it", exact=True).click()
    expect(page.locator(".log")).to_contain_text("rolls 5")


def test_who_is_here_is_seen_by_the_others(visitors, server):
    ada = visitors(server.url)
    code = make_table(ada)
    ada.get_by_role("button", name="Add a bot").click()
    ada.get_by_role("button", name="I am ready").click()
    bo = visitors(server.url)
    join(bo, code, "Bo")
    ada.get_by_role("button", name="Start the game").click()
    presences = ada.locator(".players .presence")
    expect(presences).to_have_text(["here", "here", "here"])
    bo.goto(f"{server.url}/rules")
    expect(presences).to_have_text(["here", "here", "away"])
    bo.goto(f"{server.url}/t/{code}")
    expect(presences).to_have_text(["here", "here", "here"])


def test_hot_seat_with_a_bot(visitors, server):
    page = visitors(server.url)
    page.get_by_label("Name of player 1").fill("Ada")
    page.get_by_label("Name of player 2").fill("Bo")
    page.get_by_role("button", name="One more").click()
    page.get_by_label("Person or bot, player 3").select_option("random")
    page.get_by_role("button", name="Start", exact=True).click()
    seen = set()
    for _ in range(8):
        play(page, actions=1, until_over=False)
        page.locator(".game.mine").wait_for()
        seen.add(page.locator(".turn span").first.inner_text())
    assert seen == {"Ada, it is your turn!", "Bo, it is your turn!"}


def test_what_is_not_allowed_says_why(visitors, server):
    page = visitors(server.url)
    page.get_by_label("Opponents").select_option("1")
    page.get_by_role("button", name="Play now").click()
    page.locator(".game.mine").wait_for()
    bank = page.locator("#place-bank")
    bank.hover(position={"x": 160, "y": 4})
    expect(page.get_by_role("tooltip")).to_contain_text("There is no doorway")
    bank.click(position={"x": 160, "y": 4})
    expect(page.get_by_role("alert")).to_contain_text("There is no doorway")
    page.locator(".place.allowed[aria-label*='face down']").first.focus()
    with changing(page):
        page.keyboard.press("Enter")
    undo = page.get_by_role("button", name="Undo").first
    expect(undo).to_have_attribute("aria-disabled", "true")
    undo.hover()
    expect(page.get_by_role("tooltip")).to_contain_text("cannot be taken back")
    undo.click(force=True)
    expect(page.get_by_role("alert")).to_contain_text("cannot be taken back")


def test_what_had_no_chance_in_it_can_be_taken_back(visitors, server):
    code, tokens = running_game(server, "Ada", "Bo", first="Ada")
    page = visitors(server.url, path=f"/t/{code}", seats={code: tokens})
    page.locator(".game.mine").wait_for()
    undo = page.get_by_role("button", name="Undo").first
    expect(undo).to_have_attribute("aria-disabled", "true")
    with changing(page):
        page.keyboard.press("e")
    expect(page.locator(".turn")).to_contain_text("Bo")
    expect(undo).to_have_attribute("aria-disabled", "false")
    with changing(page):
        undo.click()
    expect(page.locator(".turn")).to_contain_text("Ada")


def test_by_keyboard_alone_from_landing_to_ranking(visitors, server):
    page = visitors(server.url)

    def tab_to(text):
        for _ in range(60):
            page.keyboard.press("Tab")
            if text in page.evaluate(FOCUSED):
                return
        raise AssertionError(f"Tab does not reach {text}")

    tab_to("Make a table")
    page.keyboard.press("Enter")
    page.locator(".lobby").wait_for()
    tab_to("Add a bot")
    page.keyboard.press("Enter")
    page.locator("li", has_text="Hopeful").wait_for()
    tab_to("The usual number")
    page.keyboard.press("1")
    expect(page.get_by_label("Days")).to_have_value("1")
    for button in ("I am ready", "Start the game"):
        page.evaluate("document.activeElement.blur()")
        tab_to(button)
        page.keyboard.press("Enter")
    page.locator(".game.mine").wait_for()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    for key, enlarged in (("+", True), ("-", False), ("+", True), ("0", False)):
        page.keyboard.press(key)
        assert page.evaluate(IS_ENLARGED) is enlarged
    page.keyboard.press("b")
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.id").startswith("place-")
    keys = {"act": "a", "rehearse": "r", "end": "e"}
    for turn in range(3000):
        page.locator(".game.mine, .ranking").first.wait_for()
        if page.locator(".ranking").count():
            break
        actions = offered(page)
        if not actions:
            continue
        action = choose(actions, turn)
        with changing(page):
            if action in keys:
                page.keyboard.press(keys[action])
            else:
                page.locator(f'.actions [data-action="{action}"]').first.focus()
                page.keyboard.press("Enter")
    expect(page.locator(".ranking")).to_be_visible()


def test_on_a_phone(visitors, server):
    page = visitors(server.url, **PHONE)
    page.get_by_role("button", name="Play now").tap()
    page.locator(".game.mine").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    play(page, actions=6, until_over=False)
    page.get_by_role("button", name="Larger").tap()
    page.get_by_role("button", name="The whole board").tap()
    page.set_viewport_size({"width": 740, "height": 360})
    play(page, actions=3, until_over=False)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("language", ["en", "de"])
def test_nothing_is_too_wide_for_a_phone(visitors, server, language):
    page = visitors(server.url, settings={"language": language}, **PHONE)
    for path in ("/", "/rules", "/replay"):
        page.goto(server.url + path)
        page.locator("main").wait_for()
        assert page.evaluate(IS_NARROW), path
    page.goto(server.url)
    page.locator("main .paper").nth(1).locator("button").first.click()
    page.locator(".lobby").wait_for()
    assert page.evaluate(IS_NARROW)


def test_in_german(visitors, server):
    page = visitors(server.url, path="/t/K7RM4TXC", settings={"language": "de"}, forgiven=("404",))
    expect(page.get_by_role("alert")).to_contain_text("Hier gibt es keinen Tisch")
    page.get_by_role("link", name="Zurück").click()
    page.get_by_role("button", name="Jetzt spielen").click()
    expect(page.locator(".turn")).to_contain_text("dran")
    page.locator(".game.mine").wait_for()
    expect(page.locator(".log")).to_contain_text("Wohnwagen")
    page.get_by_role("tab", name="Regeln").click()
    expect(page.get_by_role("tabpanel")).to_contain_text("Die Regeln von Deadwood")
    page.get_by_role("button", name="Einstellungen").click()
    page.get_by_label("Sprache").select_option("en")
    page.keyboard.press("Escape")
    expect(page.get_by_role("tab", name="Rules")).to_be_visible()
    expect(page.get_by_role("tabpanel")).to_contain_text("The rules of Deadwood")


def test_rules_can_be_searched(visitors, server):
    page = visitors(server.url, path="/rules")
    expect(page.get_by_role("heading", name="The rules of Deadwood")).to_be_visible()
    page.get_by_label("Search the rules").fill("R7.2")
    expect(page.get_by_role("heading", name="Wrapping a scene")).to_be_visible()
    expect(page.get_by_role("heading", name="Moving")).not_to_be_visible()


@pytest.mark.parametrize(
    ("language", "hint", "move", "value"),
    [("en", "Hint", "Move to Saloon", r"[0-9.]+%"), ("de", "Tipp", "Gehen: Saloon", r"[0-9,]+\s%")],
)
def test_a_hint_says_what_every_action_is_worth_and_why(visitors, server, language, hint, move, value):
    page = visitors(server.url, settings={"language": language})
    page.locator(".now button").click()
    page.locator(".game.mine").wait_for()
    actions = len(offered(page))
    page.get_by_role("button", name=hint).click()
    thoughts = page.locator(".hints li")
    expect(thoughts).to_have_count(actions)
    for number in range(3):
        expect(thoughts.nth(number).locator(".value")).to_contain_text(re.compile(value))
        expect(thoughts.nth(number).locator(".reason")).not_to_be_empty()
    page.locator(".hints summary").click()
    expect(page.locator(".hints li button", has_text=move)).to_be_visible()
    expect(page.locator(".hints .best")).to_have_count(1)
    expect(page.locator(".actions .advised")).to_have_count(1)
    with changing(page):
        page.locator(".hints .best button").click()


def start_of_a_role(page):
    """Two people at one screen; the first takes the only role in sight that anybody can have."""
    page.get_by_label("Name of player 1").fill("Ada")
    page.get_by_label("Name of player 2").fill("Bo")
    page.get_by_role("button", name="Start", exact=True).click()
    for action in ("move saloon", "take extra 1", "end"):
        with changing(page):
            page.locator(f'.actions [data-action="{action}"]').click()
        page.keyboard.press("s")


WAY = """() => {
  const coin = document.querySelector(".flight .coin");
  const way = coin?.getAnimations()[0]?.effect.getKeyframes() ?? [];
  const near = (frame, selector) => {
    const [x, y] = frame.transform.match(/-?[0-9.]+/g).map(Number);
    const box = document.querySelector(selector).getBoundingClientRect();
    return Math.hypot(x - (box.left + box.right) / 2, y - (box.top + box.bottom) / 2) < 40;
  };
  return way.length && near(way[0], ".piece.active") && near(way.at(-1), "li.active .purse");
}"""


@pytest.mark.parametrize("screen", [{}, PHONE])
def test_money_flies_from_the_role_to_the_player(visitors, server, screen):
    page = visitors(server.url, settings={"speed": "slow"}, **screen)
    start_of_a_role(page)
    page.locator('.actions [data-action="act"]').click()
    page.wait_for_function(WAY)
    page.keyboard.press("s")
    expect(page.locator(".flight")).to_have_count(0)
    expect(page.locator("[title=dollars]", has_text="1")).to_have_count(1)


def test_nothing_flies_where_motion_is_reduced(visitors, server):
    page = visitors(server.url, settings={"speed": "slow"}, reduced_motion="reduce")
    start_of_a_role(page)
    page.locator('.actions [data-action="act"]').click()
    expect(page.locator(".stage .result.shown")).to_be_visible()
    assert page.locator(".flight").count() == 0


@pytest.mark.parametrize("speed", ["slow", "normal"])
def test_what_happens_is_shown_and_can_be_skipped(visitors, server, speed):
    page = visitors(server.url, settings={"speed": speed})
    page.get_by_role("button", name="Play now").click()
    page.locator(".game.mine").wait_for()
    page.locator(".actions [data-action^=move]").first.click()
    expect(page.get_by_role("button", name="Skip")).to_be_visible()
    page.keyboard.press("s")
    expect(page.get_by_role("button", name="Skip")).not_to_be_visible()
    expect(page.locator(".game.mine")).to_be_visible()
