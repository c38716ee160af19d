"""Ways in and out: invitations, the lobby, the games a browser remembers, another game after this one."""

import json
import re

import pytest
from playwright.sync_api import expect

from .playing import finish, open_options, play_actions, running_game, waiting_table
from .test_journeys import PHONE

SECOND_LAYOUT = "H'M/CG'"
UNREACHABLE = "Only this computer can open this link"


# --- invitations


def test_an_invitation_that_leads_nowhere_says_so_and_what_to_do(visitors, server):
    code, tokens = waiting_table(server, "Ada")
    allowed = ["clipboard-read", "clipboard-write"]
    page = visitors(server.url, path=f"/t/{code}", seats={code: tokens}, stopped_clock=True, permissions=allowed)
    expect(page.get_by_role("note")).to_contain_text(UNREACHABLE)
    expect(page.locator(".hint code")).to_have_text(server.get("/api/about")["sharing"]["command"])
    expect(page.locator("svg.qr")).to_have_count(0)
    page.get_by_role("button", name="Copy the command").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == server.get("/api/about")["sharing"]["command"]
    page.clock.fast_forward(10_000)
    expect(page.get_by_role("button", name="Copy the command")).to_be_visible()


def test_an_invitation_leads_where_we_came_from_ourselves(visitors, server, network):
    code, tokens = waiting_table(server, "Ada")
    page = visitors(network.named, path=f"/t/{code}", seats={code: tokens})
    expect(page.get_by_role("img", name="QR code")).to_be_visible()
    expect(page.locator(".address a")).to_have_attribute("href", f"{network.named}/t/{code}")
    expect(page.get_by_text(UNREACHABLE)).to_have_count(0)


# --- the lobby


def test_a_guest_sits_down_without_scrolling(visitors, server):
    code, _ = waiting_table(server, "Ada", "Bo", bots=["random"])
    page = visitors(server.url, path=f"/t/{code}", **PHONE)
    name, sit = page.get_by_label("Your name"), page.get_by_role("button", name="Sit down")
    expect(name).to_be_in_viewport()
    expect(sit).to_be_in_viewport()
    expect(page.get_by_text("SHA-256")).not_to_be_visible()
    expect(page.locator("select:visible")).to_have_count(1)  # the colour
    name.fill("Cy")
    sit.tap()
    expect(page.locator(".chairs li.mine")).to_contain_text("Cy")
    expect(name).to_have_count(0)


def test_options_are_one_line_that_opens(visitors, server):
    code, tokens = waiting_table(server, "Ada", "Bo")
    host = visitors(server.url, path=f"/t/{code}", seats={code: tokens[:1]})
    guest = visitors(server.url, path=f"/t/{code}", seats={code: tokens[1:]})
    expect(host.locator(".fold > summary")).to_contain_text("Options: the usual")
    open_options(host)
    host.get_by_label("Days").select_option("2")
    expect(guest.locator(".fold > summary")).to_contain_text("Days: 2")
    open_options(guest)
    expect(guest.locator(".fold select, .fold input")).to_have_count(0)
    expect(guest.locator(".fold dl").first).to_contain_text("Days")
    expect(guest.locator(".lobby .board")).to_be_visible()


def test_somebody_without_a_seat_learns_that_they_watch(visitors, server):
    full, _ = waiting_table(server, "Ada", bots=["random"] * 7)
    page = visitors(server.url, path=f"/t/{full}")
    expect(page.locator(".watch")).to_contain_text("This table is full: 8 can play. You are watching.")
    running, tokens = running_game(server, "Ada", "Bo", first="Ada")
    page = visitors(server.url, path=f"/t/{running}")
    expect(page.get_by_role("status").filter(has_text="You are watching")).to_be_visible()
    page = visitors(server.url, path=f"/t/{running}", seats={running: tokens})
    page.locator(".game.mine").wait_for()
    expect(page.get_by_text("You are watching")).to_have_count(0)


# --- starting with options


def test_a_game_against_bots_can_have_other_options(visitors, server):
    page = visitors(server.url)
    play_now = page.locator(".now")
    play_now.get_by_label("Your name").fill("Ada")
    play_now.locator("summary").click()
    play_now.get_by_label("Days").select_option("1")
    play_now.get_by_label("First player").select_option("Ada")
    play_now.get_by_role("combobox", name="Layout").select_option("second")
    expect(play_now.locator("summary")).to_contain_text("Days: 1")
    play_now.get_by_label("Your name").fill("Bo")  # nobody is called Ada any more, so anybody may begin
    play_now.get_by_role("button", name="Play now").click()
    expect(page.locator(".turn")).to_contain_text("Day 1 of 1")
    table = server.get(f"/api/tables/{page.url.rpartition('/')[2]}")
    assert (table["options"]["days"], table["options"]["layout"]) == (1, SECOND_LAYOUT)


def test_a_game_at_one_screen_can_have_other_options(visitors, server):
    page = visitors(server.url)
    page.get_by_label("Name of player 1").fill("Ada")
    page.get_by_label("Name of player 2").fill("Bo")
    here = page.locator("section", has=page.get_by_label("Name of player 1"))
    here.locator("summary").click()
    here.get_by_label("First player").select_option("Bo")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator(".turn")).to_contain_text("Bo")


# --- the games that a browser remembers


@pytest.fixture(scope="module")
def over_and_tokens(server):
    """A table where Ada and Bo have finished a game; tests only look at it."""
    over, tokens = running_game(server, "Ada", "Bo", days=1)
    finish(server, over, *tokens)
    return over, tokens


@pytest.fixture
def remembering(visitors, server, over_and_tokens):
    """Opens a page that remembers three tables: it is Ada's turn at one, one is finished, and one is gone."""
    running, tokens = running_game(server, "Ada", "Bo", first="Ada")
    over, others = over_and_tokens
    seats = {running: tokens[:1], over: others[:1], "K7RM4TXC": tokens[:1]}
    visits = [{"code": code, "at": 1_700_000_000_000, "names": ["Ada"]} for code in seats]
    text = json.dumps(json.dumps(visits))
    keep = f"localStorage.getItem('deadwood visits') ?? localStorage.setItem('deadwood visits', {text})"

    def visit(path, **more):
        return visitors(server.url, path=path, seats=seats, scripts=[keep], **more)

    return visit, running, tokens, over


def test_my_games_say_whose_turn_it_is_and_how_they_ended(remembering, server):
    visit, running, (ada, _), over = remembering
    page = visit("/games")
    rows = page.locator("main li")
    expect(rows).to_have_count(3)
    expect(rows.nth(0)).to_contain_text("Your turn")
    expect(rows.nth(1)).to_contain_text(re.compile("You won|You share the win|Bo won · place 2 of 2"))
    expect(page.get_by_role("heading", name="No longer on this server")).to_be_visible()
    play_actions(server, running, (ada, "end"))
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # somebody comes back to the tab
    expect(rows.nth(0)).to_contain_text("Bo's turn")
    rows.nth(1).get_by_role("link", name="Watch replay").click()
    expect(page).to_have_url(re.compile(f"/t/{over}/games/1"))


def test_no_answer_makes_a_browser_forget_a_seat(remembering):
    visit, running, tokens, _ = remembering
    page = visit("/rules", forgiven=("ERR_FAILED",))
    page.route("**/api/my-tables", lambda route: route.abort())
    page.get_by_role("link", name="Your games").click()
    expect(page.get_by_role("status")).to_contain_text("Nothing is lost")
    expect(page.locator("main li")).to_have_count(3)
    page.unroute("**/api/my-tables")
    page.reload()
    expect(page.get_by_role("heading", name="No longer on this server")).to_be_visible()
    assert page.evaluate("localStorage.getItem('deadwood seats K7RM4TXC')") is not None
    page.get_by_role("button", name="Remove table K7RM-4TXC").click()
    expect(page.locator("main li")).to_have_count(2)
    page.reload()
    expect(page.locator("main li")).to_have_count(2)
    assert tokens[0] in page.evaluate("(code) => localStorage.getItem(`deadwood seats ${code}`)", running)


def test_the_start_page_shows_them_too_and_no_token_is_in_an_address(remembering):
    visit, _, tokens, _ = remembering
    asked = []
    page = visit("/rules")
    page.on("request", lambda sent: asked.append(sent.url))
    page.get_by_role("link", name="Deadwood, home").click()
    expect(page.locator(".games li").first).to_contain_text("Your turn")
    page.locator(".games li a").first.click()
    page.locator(".game.mine").wait_for()
    assert any(address.endswith("/api/my-tables") for address in asked)
    assert not any(token in address for address in asked for token in tokens)


# --- another game


def test_one_click_each_for_another_game(visitors, server):
    code, tokens = running_game(server, "Ada", "Bo", bots=["random"], days=1)
    finish(server, code, *tokens)
    ada, bo = (visitors(server.url, path=f"/t/{code}", seats={code: [token]}) for token in tokens)
    ada.locator(".rematch").get_by_role("button", name="Play again").click()
    expect(ada.locator(".rematch")).to_contain_text("Waiting for Bo")
    expect(bo.locator(".rematch")).to_contain_text("Ada wants to play again.")
    ada.get_by_role("button", name="Never mind").click()
    expect(bo.locator(".rematch")).not_to_contain_text("Ada")
    ada.locator(".rematch").get_by_role("button", name="Play again").click()
    bo.locator(".rematch").get_by_role("button", name="Play again").click()
    for page in (ada, bo):
        expect(page.locator(".ranking")).to_have_count(0)
        expect(page.locator(".turn")).to_contain_text("Day 1 of 1")
    assert server.get(f"/api/tables/{code}")["game"] == 2


def test_players_and_options_can_be_changed_before_another_game(visitors, server):
    code, tokens = running_game(server, "Ada", bots=["random"], days=1)
    finish(server, code, *tokens)
    page = visitors(server.url, path=f"/t/{code}", seats={code: tokens})
    page.get_by_role("button", name="Change players or options").click()
    expect(page.locator(".lobby")).to_be_visible()
    expect(page.locator(".chairs li")).to_have_count(2)


# --- files


def test_a_bad_file_gets_a_line_and_not_half_the_screen(visitors, server):
    page = visitors(server.url, path="/replay", forgiven=("Failed to load resource",))
    bad = {"name": "bad.deadwood", "mimeType": "", "buffer": b"nothing of ours"}
    page.locator("input[type=file]").set_input_files(bad)
    expect(page.get_by_role("alert")).to_be_visible()
    assert page.get_by_role("alert").bounding_box()["height"] < 120
    expect(page.get_by_role("heading", name="Replays")).to_be_visible()
