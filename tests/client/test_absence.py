"""People who are away, leave, move to another device, or agree on something, in real browsers."""

import re

from playwright.sync_api import expect

from .playing import running_game

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


def a_game(visitors, server, *names):
    """Everybody has a page; the last one is up."""
    code, tokens = running_game(server, *names, first=names[-1])
    pages = [visitors(server.url, path=f"/t/{code}", seats={code: [token]}) for token in tokens]
    for page in pages:
        expect(page.locator(".players .away")).to_have_count(0)
    return code, tokens, pages


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


def test_who_leaves_watches_a_stand_in_and_the_others_call_it_off(visitors, server):
    _, _, (ada, bo, cy) = a_game(visitors, server, "Ada", "Bo", "Cy")
    dialog = menu(bo)
    dialog.get_by_role("button", name="Leave the game").click()
    expect(dialog).to_contain_text("You cannot come back to this game.")
    dialog.get_by_role("button", name="Leave the game").click()
    expect(ada.locator(".log")).to_contain_text("Bo left the game for good; the bot 'Regular' plays on.")
    expect(bo.get_by_role("button", name="Your seat")).to_have_count(0)
    menu(ada).get_by_role("button", name="Propose to end the game").click()
    expect(cy.locator(".absence")).to_contain_text("Wanted: to end the game here (Ada)")
    cy.get_by_role("button", name="Agree").click()
    for page in (ada, bo, cy):
        expect(page.locator(".ranking")).to_contain_text("The game was called off. Nobody has won.")


def test_a_pause_that_everybody_wants(visitors, server):
    _, _, (ada, bo) = a_game(visitors, server, "Ada", "Bo")
    menu(ada).get_by_role("button", name="Propose a pause").click()
    bo.get_by_role("button", name="Agree").click()
    for page in (ada, bo):
        expect(page.locator(".absence")).to_contain_text("The game is paused.")
        expect(page.locator(".turn")).to_contain_text("The game is paused.")
        expect(page.locator(".actions [data-action]:not([data-action=undo], [data-action=hint])")).to_have_count(0)
    bo.get_by_role("button", name="Go on").click()
    for page in (ada, bo):
        expect(page.locator(".absence")).not_to_contain_text("The game is paused.")


def test_house_rules_and_invitations_in_the_lobby(visitors, server):
    page = visitors(server.url)
    page.get_by_label("Your name").fill("Ada")
    page.get_by_role("button", name="Create table").click()
    page.locator(".lobby .fold summary").click()
    page.get_by_label("Time for a turn").select_option("2 minutes")
    page.get_by_label("Who may sit down").select_option("Only invited people")
    code = page.url.rpartition("/")[2]
    stranger = visitors(server.url, path=f"/t/{code}")
    stranger.locator(".lobby .fold summary").click()
    expect(stranger.locator(".lobby .fold summary")).to_contain_text("Time for a turn: 2 minutes")
    expect(stranger.locator(".lobby .fold")).to_contain_text("Only invited people")
    expect(stranger.get_by_label("Who may sit down")).to_have_count(0)
    refused = server.post(
        f"/api/tables/{code}/commands",
        {"type": "sit", "id": "1", "name": "Q", "token": "0123456789abcdef" * 4},
        status=403,
    )
    assert refused["code"] == "table_locked"
    page.get_by_role("button", name="Keep a seat for somebody").click()
    link = page.get_by_role("dialog").get_by_role("link").get_attribute("href")
    guest = visitors(server.url, path=f"/t/{link.partition('/t/')[2]}")
    guest.get_by_label("Your name").fill("Bo")
    guest.get_by_role("button", name="Sit down").click()
    expect(guest.locator(".chairs li")).to_have_count(2)
