"""Real journeys through the client in a real browser, against a real server."""

import json
import math
import re

import pytest
from playwright.sync_api import expect

from deadwood import bots

from ..server.people import serving
from .network import Network
from .playing import (
    CHOICES,
    DRAWN_LAST,
    add_person,
    changing,
    choose,
    everybody_is_ready,
    finish,
    go,
    join,
    make_table,
    offered,
    open_options,
    play,
    play_actions,
    running_game,
)

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
LOST = ("WebSocket", "ERR_CONNECTION", "ERR_EMPTY_RESPONSE")
NEAR = 40  # pixels
FOCUSED = """(() => {
  const found = document.activeElement;
  return found.matches("body") ? "" : (found.ariaLabel ?? found.innerText);
})()"""
IS_NARROW = f"document.documentElement.scrollWidth <= {PHONE['viewport']['width']}"  # innerWidth grows with the page
IS_ENLARGED = """(() => {
  const [board, viewport] = [".board", ".viewport"].map((one) => document.querySelector(one).getBoundingClientRect());
  return board.width > viewport.width || board.height > viewport.height;
})()"""


def code_of(page):
    return page.url.rpartition("/")[2]


def tokens_of(page):
    return json.loads(page.evaluate("(code) => localStorage.getItem(`deadwood seats ${code}`)", code_of(page)))


def test_two_clicks_to_a_game_against_bots_and_on_to_its_replay(visitors, server):
    page = visitors(server.url)
    page.get_by_label("Opponents").select_option("1")
    page.get_by_role("button", name="Play now").click()
    play(page, actions=3)
    code, tokens = code_of(page), tokens_of(page)
    page.get_by_role("link", name="Deadwood, home").click()
    finish(server, code, *tokens)
    page.locator(f"a.players[href='/t/{code}']").click()
    expect(page.locator(".ranking tbody tr")).to_have_count(2)
    expect(page).to_have_title(re.compile("^Game over"))
    page.get_by_role("link", name="Watch replay").click()
    page.get_by_role("slider").fill("12")
    expect(page.locator(".where")).to_contain_text("step 12 of")
    expect(page).to_have_url(re.compile("#12$"))
    page.reload()
    expect(page.locator(".where")).to_contain_text("step 12 of")
    page.get_by_role("button", name="Next day").click()
    expect(page.locator(".where")).to_contain_text("Day 2 of 3")
    page.get_by_role("slider").fill("20")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("slider")).not_to_have_value("20")
    page.get_by_role("button", name="Pause", exact=True).click()
    with page.expect_download() as got:
        page.get_by_role("link", name="Download the record").click()
    record = got.value.path()
    page.get_by_role("link", name="Replays").click()
    page.get_by_label("Record of a game").set_input_files(str(record))
    expect(page.get_by_role("slider")).to_be_visible()


class Friend:
    """Somebody whose connection can break. Their clock stands still, so they come back when the test says so."""

    def __init__(self, visit, network, code, token):
        self.network = network
        self.page = visit(network.url, path=f"/t/{code}", seats={code: [token]}, forgiven=LOST, stopped_clock=True)

    def lose(self):
        expect(self.page.get_by_text("Reconnecting")).to_be_visible()

    def come_back(self, server):
        self.lose()
        self.network.lead_to(server)
        self.network.mend()
        self.page.clock.fast_forward(10_000)  # longer than any pause before another attempt
        expect(self.page.get_by_text("Reconnecting")).not_to_be_visible()


def test_two_people_and_a_bot_with_reload_restart_and_a_lost_connection(visitors, tmp_path):
    markup = "Ada <img src=x onerror=alert(1)>"
    with Network() as hers, Network() as his:

        def serve():
            return serving(f"sqlite:///{tmp_path}/games.sqlite3", origins=frozenset({hers.url, his.url}))

        with serve() as server:
            hers.lead_to(server)
            his.lead_to(server)
            code, tokens = running_game(server, markup, "Bo", bots=["random"], days=1)
            ada, bo = Friend(visitors, hers, code, tokens[0]), Friend(visitors, his, code, tokens[1])
            play(ada.page, bo.page, actions=4)
            expect(bo.page.get_by_text(markup).first).to_be_visible()
            bo.page.reload()
            expect(bo.page.locator(".log p").first).to_be_visible()
            hers.cut()
            ada.lose()
            expect(bo.page.get_by_text("Reconnecting")).not_to_be_visible()
            ada.come_back(server)
            play(ada.page, bo.page, actions=2)
        with serve() as server:
            ada.come_back(server)
            bo.come_back(server)
            play(ada.page, bo.page, actions=2)
            server.kill()
            ada.lose()
            bo.lose()
        with serve() as server:
            finish(server, code, *tokens)
            ada.come_back(server)
            bo.come_back(server)
            rankings = [one.page.locator(".ranking tbody tr") for one in (ada, bo)]
            for ranking in rankings:
                expect(ranking).to_have_count(3)
                expect(ranking.last).to_be_visible()
            expect(rankings[0]).to_have_text(rankings[1].all_text_contents())
            ada.page.locator(".rematch").get_by_role("button", name="Play again").click()
            expect(bo.page.locator(".rematch")).to_contain_text("wants to play again")
            bo.page.locator(".rematch").get_by_role("button", name="Play again").click()
            expect(ada.page.locator(".turn")).to_contain_text("Day 1 of 1")
            play(ada.page, bo.page, actions=1)


def test_real_dice_and_cards_are_entered(visitors, server):
    page = visitors(server.url)
    make_table(page)
    add_person(page, "Bo")
    open_options(page)
    page.get_by_label("Dice and cards").select_option("table")
    everybody_is_ready(page, 2)
    page.get_by_role("button", name="Start the game").click()
    page.locator('.actions [data-action="move saloon"]').click()
    page.get_by_label("The card that was turned").fill("17")
    with changing(page):
        page.get_by_role("button", name="Enter", exact=True).click()
    for action in ("take extra 1", "end"):
        with changing(page):
            page.locator(f'.actions [data-action="{action}"]').click()
    page.locator(".actions [data-action=act]").wait_for()
    page.keyboard.press("a")
    page.get_by_role("radio", name="5").check(force=True)
    with changing(page):
        page.get_by_role("button", name="Enter", exact=True).click()
    expect(page.locator(".log")).to_contain_text("rolls 5")


def test_people_see_who_is_there(visitors, server):
    ada = visitors(server.url)
    code = make_table(ada)
    ada.get_by_role("button", name="Add a bot").click()
    ada.get_by_role("button", name="I'm ready").click()
    bo = visitors(server.url)
    join(bo, code, "Bo")
    ada.get_by_role("button", name="Start the game").click()
    presences = ada.locator(".players .presence")  # of people; a bot is always present
    expect(presences).to_have_text(["here", "here"])
    bo.goto(f"{server.url}/rules")
    expect(presences).to_have_text(["here", "away"])
    bo.goto(f"{server.url}/t/{code}")
    expect(presences).to_have_text(["here", "here"])


def test_hot_seat_with_a_bot(visitors, server):
    page = visitors(server.url)
    page.get_by_label("Name of player 1").fill("Ada")
    page.get_by_label("Name of player 2").fill("Bo")
    page.get_by_role("button", name="Add player").click()
    page.get_by_label("Person or bot, player 3").select_option("random")
    page.get_by_role("button", name="Start", exact=True).click()
    end = page.locator(".actions [data-action=end]")
    end.wait_for()
    turns = ["Your turn, Ada!", "Your turn, Bo!"]
    if page.locator(".turn span").first.inner_text() == turns[1]:
        turns.reverse()
    for turn in (*turns, *turns):
        expect(page.locator(".turn span").first).to_have_text(turn)
        with changing(page):
            end.click()


def test_the_page_says_why_an_action_is_not_allowed(visitors, server):
    code, tokens = running_game(server, "Ada", bots=["random"], first="Ada")
    page = visitors(server.url, path=f"/t/{code}", seats={code: tokens})
    bank = page.locator("#place-bank")
    bank.hover(position={"x": 160, "y": 4})
    expect(page.get_by_role("tooltip")).to_contain_text("There is no doorway")
    bank.click(position={"x": 160, "y": 4})
    expect(page.get_by_role("tabpanel")).to_contain_text("There is no doorway")
    expect(page.get_by_role("alert")).to_have_count(0)  # asking is not an error
    page.locator(".place.allowed[aria-label*='face down']").first.focus()
    with changing(page):
        page.keyboard.press("Enter")
    undo = page.get_by_role("button", name="Undo").first
    expect(undo).to_have_attribute("aria-disabled", "true")
    undo.hover()
    expect(page.get_by_role("tooltip")).to_contain_text("cannot be taken back")
    undo.click(force=True)
    expect(page.get_by_role("alert")).to_contain_text("cannot be taken back")


def test_an_action_without_chance_can_be_undone(visitors, server):
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
        page.get_by_text(text).first.wait_for(state="attached")
        for _ in range(60):
            page.keyboard.press("Tab")
            if text in page.evaluate(FOCUSED):
                return
        raise AssertionError(f"Tab does not reach {text}")

    tab_to("Create table")
    page.keyboard.press("Enter")
    page.locator(".lobby").wait_for()
    tab_to("Add a bot")
    page.keyboard.press("Enter")
    middle = bots.names()[len(bots.names()) // 2]
    page.locator("li", has_text=bots.character(middle)).wait_for()
    tab_to("Options:")
    page.keyboard.press("Enter")
    tab_to("By number of players")
    page.keyboard.press("1")
    expect(page.get_by_label("Days")).to_have_value("1")
    for button in ("I'm ready", "Start the game"):
        expect(page.get_by_role("button", name=button)).to_be_enabled()
        page.evaluate("document.activeElement.blur()")
        tab_to(button)
        page.keyboard.press("Enter")
    page.locator(CHOICES).first.wait_for()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.locator(DRAWN_LAST).first.wait_for()
    for key, enlarged in (("+", True), ("-", False), ("+", True), ("0", False)):
        page.keyboard.press(key)
        page.wait_for_function(f"(enlarged) => {IS_ENLARGED} === enlarged", arg=enlarged)
    page.keyboard.press("b")
    page.keyboard.press("ArrowUp")
    expect(page.locator(".place:focus")).to_have_count(1)
    done = set()
    for turn in range(300):
        if done >= {"move", "take", "act", "rehearse", "end"}:
            break
        done.add(act_by_keyboard(page, turn, done).partition(" ")[0])
    finish(server, code_of(page), *tokens_of(page))
    expect(page.locator(".ranking")).to_be_visible()
    tab_to("Play again")
    page.keyboard.press("Enter")
    expect(page.locator(".game")).to_be_visible()
    expect(page.locator(".ranking")).to_have_count(0)


def act_by_keyboard(page, turn, done):
    """Do something sensible, if possible of a new kind; returns the action."""
    offers = offered(page)
    action = choose([one for one in offers if one["action"].partition(" ")[0] not in done] or offers, turn)
    with changing(page):
        if action in ("act", "rehearse", "end"):
            page.keyboard.press(action[0])
        else:
            page.locator(f'.actions [data-action="{action}"]').focus()
            page.keyboard.press("Enter")
    return action


def test_on_a_phone(visitors, server):
    page = visitors(server.url, **PHONE)
    page.get_by_role("button", name="Play now").tap()
    page.locator(".game.mine").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    play(page, actions=3)
    page.get_by_role("button", name="Zoom in").tap()
    page.get_by_role("button", name="Fit the board").tap()
    page.set_viewport_size({"width": 740, "height": 360})
    play(page, actions=2)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("language", ["en", "de"])
def test_nothing_is_too_wide_for_a_phone(visitors, server, language):
    page = visitors(server.url, settings={"language": language}, **PHONE)
    for path, content in (("/", "option[value=star]"), ("/rules", "figure .board"), ("/replay", "input[type=file]")):
        go(page, path)
        page.locator(content).first.wait_for(state="attached")
        if path == "/rules":
            page.locator(".rules table").first.wait_for()
        assert page.evaluate(IS_NARROW), path
    go(page, "/")
    page.locator("main .paper").nth(1).locator("form button").first.click()
    open_options(page)
    page.locator(".lobby .board").wait_for()
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
    page.get_by_role("button", name="Einstellungen", exact=True).click()
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
    code, tokens = running_game(server, "Ada", "Bo", first="Ada")
    page = visitors(server.url, path=f"/t/{code}", seats={code: tokens}, settings={"language": language})
    actions = len(offered(page))
    page.get_by_role("button", name=hint).click()
    page.locator(".hints").wait_for()
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


SPY_ON_FLIGHTS = """
  window.flights = [];
  const middle = (selector) => {
    const box = document.querySelector(selector).getBoundingClientRect();
    return [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  };
  Element.prototype.animate = new Proxy(Element.prototype.animate, {
    apply(animate, element, [way, how]) {
      if (element.matches(".coin"))
        flights.push({
          way: [way[0], way.at(-1)].map(({ transform }) => transform.match(/-?[0-9.]+/g).slice(0, 2).map(Number)),
          between: [middle(".piece.active"), middle("li.active .purse")],
        });
      return animate.call(element, way, how);
    },
  });
"""


@pytest.fixture
def role(visitors, server):
    """Opens a page on Ada's turn, where she has the only visible role that anybody can take."""

    def start(**more):
        code, tokens = running_game(server, "Ada", "Bo", first="Ada")
        ada, bo = tokens
        play_actions(server, code, (ada, "move saloon"), (ada, "take extra 1"), (bo, "end"))
        page = visitors(server.url, path=f"/t/{code}", seats={code: tokens}, scripts=[SPY_ON_FLIGHTS], **more)
        page.locator(".actions [data-action=act]").wait_for()
        page.locator(".board .piece").first.wait_for()  # the last that is drawn
        return page

    return start


@pytest.mark.parametrize("screen", [{}, PHONE])
def test_money_flies_from_the_role_to_the_player(role, screen):
    page = role(settings={"speed": "slow"}, **screen)
    page.locator(".actions [data-action=act]").click()
    page.wait_for_function("() => flights.length")
    flight = page.evaluate("flights[0]")
    for end, place in zip(flight["way"], flight["between"], strict=True):
        assert math.dist(end, place) < NEAR
    page.keyboard.press("s")
    expect(page.locator(".flight")).to_have_count(0)
    expect(page.locator("[title=dollars]", has_text="1")).to_have_count(1)


def test_nothing_flies_where_motion_is_reduced(role):
    page = role(settings={"speed": "slow"}, reduced_motion="reduce", stopped_clock=True)
    page.locator(".actions [data-action=act]").click()
    expect(page.locator(".drama .verdict")).to_be_visible()
    assert page.evaluate("flights") == []
    assert page.locator(".flight").count() == 0


@pytest.mark.parametrize("speed", ["slow", "normal"])
def test_events_are_shown_and_can_be_skipped(visitors, server, speed):
    code, tokens = running_game(server, "Ada", "Bo", first="Ada")
    page = visitors(server.url, path=f"/t/{code}", seats={code: tokens}, settings={"speed": speed}, stopped_clock=True)
    page.locator(".actions [data-action^=move]").first.click()
    expect(page.get_by_role("button", name="Skip")).to_be_visible()
    page.keyboard.press("s")
    expect(page.get_by_role("button", name="Skip")).not_to_be_visible()
    expect(page.locator(".game.mine")).to_be_visible()
