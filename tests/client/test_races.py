"""Answers that come late: an older one never paints over a newer one, and the page shows what is on its way."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from .holding import HOLDING, hold, holding, pass_on, release, wait_for_held
from .playing import (
    changing,
    drop,
    everybody_is_ready,
    finish,
    go,
    open_options,
    play_actions,
    running_game,
    say,
    waiting_table,
)

GOLDEN = Path(__file__).parents[1] / "engine" / "golden"
FAILING = ("Failed to load resource",)


@pytest.fixture
def lobby(visitors, server):
    """Ada's table, with Bo and her at one screen."""
    code, tokens = waiting_table(server, "Ada", "Bo")
    page = visitors(server.url, path=f"/t/{code}", seats={code: tokens}, scripts=[HOLDING])
    expect(page.locator(".chairs li")).to_have_count(2)
    open_options(page)
    return page, code


def test_nobody_is_ready_for_options_that_are_being_saved(lobby):
    page, _ = lobby
    ready, start = (page.get_by_role("button", name=name) for name in ("I'm ready", "Start the game"))
    for held, days in (('"type":"done"', "3"), ('"type":"update"', "2")):
        hold(page, held)
        page.get_by_label("Days").select_option(days)
        expect(page.get_by_role("status").filter(has_text="Saving the options")).to_be_visible()
        expect(ready.first).to_have_attribute("aria-disabled", "true")
        expect(ready.first).to_have_accessible_description("Saving the options…")
        expect(start).to_have_attribute("aria-disabled", "true")
        ready.first.dispatch_event("click")
        start.dispatch_event("click")
        release(page)
        expect(page.get_by_text("Saving the options")).to_have_count(0)
        expect(ready).to_have_count(2)
    everybody_is_ready(page, 2)
    start.click()
    expect(page.locator(".turn")).to_contain_text("Day 1 of 2")


def test_options_that_change_quickly_are_all_kept(lobby, server):
    page, code = lobby
    hold(page, '"type":"done"')
    page.get_by_label("Days").select_option("2")
    page.get_by_label("Ties").select_option("shared")
    page.get_by_label("Bonus dice").select_option("actors")
    release(page)
    expect(page.get_by_text("Saving the options")).to_have_count(0)
    options = server.get(f"/api/tables/{code}")["options"]
    assert (options["days"], options["ties"], options["bonus"]) == (2, "shared", "actors")


def test_options_that_are_refused_are_not_shown(lobby):
    page, _ = lobby
    page.get_by_role("combobox", name="Layout").select_option(label="Type it in")
    spelled = page.get_by_role("textbox", name="Layout, typed in")
    spelled.fill("XXXX")
    spelled.press("Tab")
    expect(page.get_by_role("alert")).to_contain_text("X")
    expect(spelled).to_have_value("XXXX")
    page.get_by_role("combobox", name="Layout").select_option("second")
    expect(page.get_by_role("img", name="Layout second")).to_be_visible()
    expect(spelled).to_have_count(0)
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_name_that_is_typed_while_somebody_sits_down_stays(lobby):
    page, _ = lobby
    page.get_by_text("Add a person at this screen").click()
    name = page.get_by_label("Another person at this screen")
    hold(page, '"type":"done"')
    name.fill("Cy")
    name.press("Enter")
    name.press("Enter")
    name.fill("Di")
    release(page)
    expect(page.locator(".chairs li")).to_have_count(3)
    expect(page.locator(".chairs li").last.get_by_role("button", name="I'm ready")).to_be_visible()
    expect(name).to_have_value("Di")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_link_that_cannot_be_copied_says_so(visitors, server, network):
    """Browsers allow copying only on secure pages, and this address is not secure."""
    code, tokens = waiting_table(server, "Ada")
    page = visitors(network.named, path=f"/t/{code}", seats={code: tokens}, stopped_clock=True)
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="That did not copy")).to_be_visible()
    page.clock.fast_forward(10_000)
    expect(page.get_by_role("button", name="Copy link")).to_be_visible()


@pytest.fixture
def turn(visitors, server):
    """Ada's turn at a table with Bo."""

    def begin(*scripts, held=1, **options):
        code, tokens = running_game(server, "Ada", "Bo", first="Ada", **options)
        page = visitors(server.url, path=f"/t/{code}", seats={code: tokens[:held]}, scripts=scripts)
        page.locator(".game.mine").wait_for()
        return page, code, tokens

    return begin


def test_why_not_needs_no_further_message(turn):
    page, *_ = turn(
        "window.sent = []; const send = WebSocket.prototype.send;"
        "WebSocket.prototype.send = function (text) { sent.push(JSON.parse(text).type); send.call(this, text); }"
    )
    page.locator("#place-bank").hover(position={"x": 160, "y": 4})
    expect(page.get_by_role("tooltip")).to_contain_text("There is no doorway")
    page.locator("#place-bank").dispatch_event("click")
    expect(page.get_by_role("tabpanel")).to_contain_text("There is no doorway")
    assert page.evaluate("sent") == ["hello"]


def test_a_reason_is_shown_to_those_who_point_there_already(turn, server):
    page, code, (_, bo) = turn()
    with changing(page):
        page.locator(".actions [data-action=end]").click()
    page.locator("#place-bank").hover(position={"x": 160, "y": 4})
    expect(page.get_by_role("tooltip")).to_have_count(0)
    seq = int(page.locator(".game").get_attribute("data-seq"))
    say(server, code, bo, type="play", seq=seq + 1, action="end")
    expect(page.get_by_role("tooltip")).to_contain_text("There is no doorway")


def test_the_place_that_is_looked_at_last_is_shown(turn):
    page, *_ = turn(HOLDING)
    expect(page.locator("#place-bank")).to_have_accessible_name(re.compile("There is no doorway"))
    hold(page, '"type":"refused"')
    page.locator(".prices button").first.dispatch_event("click")
    page.locator("#place-bank").dispatch_event("click")
    expect(page.get_by_role("tabpanel")).to_contain_text("There is no doorway from the Trailers to the Bank")


def test_a_question_about_the_dice_ends_with_its_moment(turn, server):
    """Otherwise the answer would count for somebody else's action."""
    page, code, tokens = turn(dice="table")
    page.locator(".actions [data-action^=move]").first.click()
    expect(page.get_by_role("dialog")).to_be_visible()
    play_actions(server, code, (tokens[0], "end"))
    expect(page.locator(".turn")).to_contain_text("Bo's turn")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_people_who_went_elsewhere_stay_there(visitors, server):
    page = visitors(server.url, scripts=[holding("/api/tables$")])
    page.get_by_role("button", name="Create table").click()
    page.get_by_role("link", name="Rules").first.click()
    page.locator("#moving").wait_for()
    release(page)
    page.wait_for_function("() => localStorage.getItem('deadwood visits')")  # the table is made
    page.evaluate("fetch('/api/rules').then((answer) => answer.text())")  # by now the page would have gone there
    expect(page).to_have_url(f"{server.url}/rules")


def test_an_earlier_failure_does_not_replace_a_later_message(visitors, server):
    failing = """const ask = fetch;
      window.fetch = (address, how) => (address.includes("=running") ? Promise.reject(Error()) : ask(address, how))"""
    page = visitors(server.url, scripts=[failing, holding("=running")], forgiven=FAILING)
    page.get_by_label("Join by code").fill("K7RM4TXC")
    page.get_by_role("button", name="Join", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("no table")
    release(page)
    expect(page.get_by_role("alert")).to_contain_text("no table")


def test_the_later_of_two_records_is_shown(visitors, server):
    first, second = (next(GOLDEN.glob(f"{number}-*")).read_text("utf-8") for number in ("20", "07"))
    page = visitors(server.url, path="/replay", scripts=[holding("/api/replays")], forgiven=FAILING)
    drop(page, first)
    wait_for_held(page)
    pass_on(page)
    drop(page, second)
    names = page.get_by_label("Players").locator(".called")
    expect(names).to_have_count(8)
    release(page)
    drop(page, "no record at all")
    expect(page.get_by_role("alert")).to_contain_text("not a record")
    expect(names).to_have_count(8)


def test_a_record_that_comes_late_leaves_the_next_page_alone(visitors, server):
    page = visitors(server.url, path="/replay", scripts=[holding("/api/replays")])
    drop(page, next(GOLDEN.glob("20-*")).read_text("utf-8"))
    wait_for_held(page)
    page.get_by_role("link", name="Rules").first.click()
    page.locator("#moving").wait_for()
    release(page)
    page.get_by_role("link", name="Deadwood, home").click()
    page.go_back()
    expect(page.locator("#moving")).to_be_visible()
    assert page.url == f"{server.url}/rules"


def test_a_step_that_is_chosen_while_a_replay_is_loaded_anew_stays(visitors, server, finished):
    page = visitors(server.url, path=f"/t/{finished}/games/1#12", scripts=[HOLDING])
    expect(page.locator(".where")).to_contain_text("step 12 of")
    english = page.locator(".sentences").inner_text()
    page.get_by_role("slider").fill("7")
    hold(page, "/replay")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Language").select_option("de")
    page.keyboard.press("Escape")
    page.get_by_role("slider").fill("12")
    expect(page.locator(".sentences")).to_have_text(english, use_inner_text=True)
    release(page)
    expect(page.locator(".sentences")).not_to_have_text(english, use_inner_text=True)
    expect(page.locator(".where")).to_contain_text("Schritt 12 von")


def test_a_step_that_is_chosen_before_a_replay_has_come_is_kept(visitors, server, finished):
    page = visitors(server.url, path=f"/t/{finished}/games/1#7", scripts=[holding("/replay")])
    page.evaluate("location.hash = '#9'")
    release(page)
    expect(page.locator(".where")).to_contain_text("step 9 of")


def test_the_rules_are_in_the_language_that_was_chosen_last(visitors, server):
    page = visitors(server.url, path="/rules", scripts=[HOLDING])
    expect(page.get_by_role("heading", name="The rules of Deadwood")).to_be_visible()
    page.get_by_role("button", name="Settings").click()
    hold(page, "language=de")
    page.get_by_label("Language").select_option("de")
    page.get_by_label("Sprache").select_option("en")
    release(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", name="The rules of Deadwood")).to_be_visible()
    expect(page.get_by_role("heading", name="Die Regeln von Deadwood")).to_have_count(0)


def test_notices_that_are_allowed_too_late_stay_off(visitors, server):
    script = """
      let allow;
      window.Notification = class {
        static permission = "default";
        static requestPermission = () => new Promise((go) => (allow = () => go("granted")));
      };
      window.allow = () => allow();
    """
    page = visitors(server.url, scripts=[script])
    page.get_by_role("button", name="Settings").click()
    box = page.get_by_label("Tell me when it is my turn")
    box.check()
    box.uncheck()
    page.evaluate("allow()")
    page.get_by_label("Speed").select_option("fast")
    expect(box).not_to_be_checked()
    assert page.evaluate("JSON.parse(localStorage.getItem('deadwood settings'))") == {
        "language": "en",
        "theme": "light",
        "speed": "fast",
        "sound": False,
        "notify": False,
    }


# --- the end of a game


def test_nothing_can_be_clicked_that_is_about_to_move(visitors, server):
    """The finale loads late. It used to move the buttons away from under the pointer, and clicks were lost."""
    code, tokens = running_game(server, "Ada", bots=["random"], days=1)
    finish(server, code, *tokens)
    page = visitors(server.url, path="/games", seats={code: tokens})
    late = []
    page.route("**/assets/Finale-*.js", lambda route: late.extend([route]))
    with page.expect_request("**/assets/Finale-*.js"):
        go(page, f"/t/{code}")
    expect(page.locator(".ranking")).to_be_visible()
    expect(page.locator(".rematch")).to_have_count(0)
    late.pop().continue_()
    page.locator(".rematch").get_by_role("button", name="Play again").click()
    expect(page.locator(".turn")).to_contain_text("Day 1 of 1")
