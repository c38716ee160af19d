"""People who are away, leave, move to another device, or agree on something, in real browsers."""

import re
import sqlite3
from contextlib import closing

from playwright.sync_api import expect

from ..server.people import FOR_EVER, serving
from .playing import CHOICES, add_person, finish, running_game, say

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}

PAUSED = """INSERT INTO log (code, seq, at, by, command, body)
  SELECT code, seq + 1, at, by, '', '{"type": "paused", "left": 1.0}' FROM log ORDER BY seq DESC LIMIT 1"""


def a_game(visitors, server, *names):
    """A running game. Everybody has a page, and it is the last one's turn."""
    code, tokens = running_game(server, *names, first=names[-1])
    pages = [visitors(server.url, path=f"/t/{code}", seats={code: [token]}) for token in tokens]
    for page in pages:
        expect(page.locator(".players .away")).to_have_count(0)
    return code, tokens, pages


def paused_with_a_second_left(database):
    """A game in its own database. We write the pause into its log, so that no test waits for half a minute."""
    with serving(f"sqlite:///{database}") as server:
        code, tokens = running_game(server, "Ada", "Bo", first="Ada", house={"clock": 30})
    with closing(sqlite3.connect(database)) as log, log:
        log.execute(PAUSED)
    return code, tokens


def menu(page):
    page.get_by_role("button", name="Your seat").click()
    return page.get_by_role("dialog")


def test_a_stand_in_plays_until_somebody_is_back(visitors, server):
    code, tokens, (ada, bo) = a_game(visitors, server, "Ada", "Bo")
    bo.close()
    expect(ada.locator(".absence")).to_contain_text(re.compile(r"Bo is away\..*A stand-in plays in.*1:\d\d", re.S))
    menu(ada).get_by_role("button", name="Let a stand-in play now").click()
    expect(ada.locator(".log")).to_contain_text("The host lets the bot 'Regular' play until Bo is back.")
    visitors(server.url, path=f"/t/{code}", seats={code: [tokens[1]]})
    expect(ada.locator(".log")).to_contain_text("Bo is back.")
    expect(ada.get_by_text("is away")).to_have_count(0)


def test_a_player_who_leaves_watches_a_stand_in_and_the_others_call_the_game_off(visitors, server):
    _, _, (ada, bo, cy) = a_game(visitors, server, "Ada", "Bo", "Cy")
    dialog = menu(bo)
    dialog.get_by_role("button", name="Leave the game").click()
    expect(dialog).to_contain_text("You cannot come back to this game.")
    expect(dialog.get_by_role("button", name="Stay")).to_be_focused()
    dialog.get_by_role("button", name="Leave the game").click()
    expect(ada.locator(".log")).to_contain_text("Bo left the game for good; the bot 'Regular' plays on.")
    expect(bo.get_by_role("button", name="Your seat")).to_have_count(0)
    for page in (ada, bo, cy):
        expect(page.locator(".players li", has_text="Bo")).to_contain_text("left the game")
    menu(ada).get_by_role("button", name="Propose ending the game").click()
    expect(cy.locator(".absence")).to_contain_text("End the game here? Proposed by Ada.")
    cy.get_by_role("button", name="Agree").click()
    for page in (ada, bo, cy):
        expect(page.locator(".ranking")).to_contain_text("The game was called off. Nobody has won.")
        expect(page.locator(".ranking table")).to_have_count(0)


def test_the_ranking_names_the_stand_in_of_a_player_who_left(visitors, server):
    code, (ada, bo) = running_game(server, "Ada", "Bo", first="Ada", days=1)
    say(server, code, bo, type="leave", chair=2)
    finish(server, code, ada)
    page = visitors(server.url, path=f"/t/{code}", seats={code: [ada]})
    expect(page.locator(".ranking tr", has_text="Bo")).to_contain_text("left; Regular played on")
    expect(page.locator(".ranking tr", has_text="Ada")).not_to_contain_text("left")


def test_a_pause_that_everybody_wants(visitors, server):
    _, _, (ada, bo) = a_game(visitors, server, "Ada", "Bo")
    menu(ada).get_by_role("button", name="Propose a pause").click()
    bo.get_by_role("button", name="Agree").click()
    for page in (ada, bo):
        expect(page.locator(".absence")).to_contain_text("The game is paused.")
        expect(page.locator(".turn")).to_contain_text("The game is paused.")
        expect(page.locator(CHOICES)).to_have_count(0)
    bo.get_by_role("button", name="Resume").click()
    for page in (ada, bo):
        expect(page.locator(".absence")).not_to_contain_text("The game is paused.")


def test_a_clock_that_runs_out(visitors, tmp_path):
    code, tokens = paused_with_a_second_left(tmp_path / "games.sqlite3")
    with serving(f"sqlite:///{tmp_path}/games.sqlite3", bot_pause=FOR_EVER) as server:
        ada, bo = (visitors(server.url, path=f"/t/{code}", seats={code: [token]}) for token in tokens)
        for page, whose in ((ada, "Your"), (bo, "Ada's")):
            expect(page.locator(".absence")).to_contain_text(re.compile(rf"paused.*{whose} time:\s*0:01", re.S))
        bo.get_by_role("button", name="Resume").click()
        for page in (ada, bo):
            expect(page.locator(".absence")).to_contain_text("A stand-in (Regular) plays for Ada.")
            expect(page.locator(".turn")).to_contain_text("Ada's turn")
            expect(page.locator(".log")).to_contain_text(
                "time is up, so the bot 'Regular' plays the rest of this turn."
            )
            expect(page.locator(CHOICES)).to_have_count(0)
            page.close()  # before the server ends: a page that lost its server would complain


def test_house_rules_and_invitations_in_the_lobby(visitors, server):
    page = visitors(server.url)
    page.get_by_label("Your name").fill("Ada")
    page.get_by_role("button", name="Create table").click()
    page.locator(".lobby .fold summary").click()
    page.get_by_label("Time for a turn").select_option("2 minutes")
    page.get_by_label("Who may sit down").select_option("Only invited people")
    expect(page.locator(".invite")).to_contain_text("with this link people can only watch")
    note, below = (page.locator(f".invite {one}").bounding_box() for one in (".quiet", ".quiet + *"))
    assert note["y"] + note["height"] < below["y"]
    code = page.url.rpartition("/")[2]
    stranger = visitors(server.url, path=f"/t/{code}")
    stranger.locator(".lobby .fold summary").click()
    expect(stranger.locator(".lobby .fold summary")).to_contain_text("Time for a turn: 2 minutes")
    expect(stranger.locator(".lobby .fold")).to_contain_text("Only invited people")
    expect(stranger.get_by_label("Who may sit down")).to_have_count(0)
    expect(stranger.locator(".watch")).to_contain_text("you need an invitation to sit down. You are watching.")
    expect(stranger.get_by_role("button", name="Sit down")).to_have_count(0)
    refused = server.post(
        f"/api/tables/{code}/commands",
        {"type": "sit", "id": "1", "name": "Q", "token": "0123456789abcdef" * 4},
        status=403,
    )
    assert refused["code"] == "table_locked"
    page.get_by_role("button", name="Keep a seat for somebody").click()
    expect(page.get_by_role("dialog")).to_contain_text("It works once, within 24 hours, even if the table is locked.")
    link = page.get_by_role("dialog").get_by_role("link").get_attribute("href")
    guest = visitors(server.url, path=f"/t/{link.partition('/t/')[2]}")
    guest.get_by_label("Your name").fill("Bo")
    guest.get_by_role("button", name="Sit down").click()
    expect(guest.locator(".chairs li")).to_have_count(2)
    guest.get_by_role("button", name="I'm ready").click()
    expect(guest.locator(".chairs li.mine")).to_contain_text("✓ ready")
    page.get_by_label("Time for a turn").select_option("1 minute")
    expect(guest.get_by_role("status")).to_have_text(
        "The host changed the house rules, so everybody must be ready again."
    )
    guest.get_by_role("button", name="I'm ready").click()
    expect(guest.locator(".lobby .again")).to_have_count(0)
    # the invitation was for one: another person comes as everybody does
    expect(guest.get_by_text("Add a person at this screen")).to_have_count(0)
    page.get_by_label("Who may sit down").select_option("Anybody with the link")
    add_person(guest, "Cy")
    expect(guest.locator(".chairs li.mine")).to_have_count(2)


def test_invitations_lead_where_the_host_is(visitors, network):
    """The server knows only an address that works on its own machine; the host's browser knows a better one."""
    page = visitors(network.named)
    page.get_by_label("Your name").fill("Ada")
    page.get_by_role("button", name="Create table").click()
    page.locator(".lobby .fold summary").click()
    page.get_by_role("button", name="Keep a seat for somebody").click()
    link = page.get_by_role("dialog").get_by_role("link")
    expect(link).to_have_attribute("href", re.compile(rf"^{re.escape(network.named)}/t/\w+#invitation="))
