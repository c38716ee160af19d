"""The host's own deck and board: dropped in the lobby, shown to everybody, played with, and replayed."""

import re
from pathlib import Path

from playwright.sync_api import expect

from deadwood import verify

from ..own_files import BOARD, BOARD_NAME, DECK, DECK_NAME
from .playing import act, drop, everybody_is_ready, finish, open_options, play, tokens_of, waiting_table


def lobby(visitors, server, *names, **more):
    code, tokens = waiting_table(server, *names)
    page = visitors(server.url, path=f"/t/{code}", seats={code: tokens}, **more)
    open_options(page)
    page.locator(".files").wait_for()
    return page, code


def test_a_journey_from_a_dropped_file_to_a_replay(visitors, server):
    page, code = lobby(visitors, server, "Ada", "Bo")
    guest = visitors(server.url, path=f"/t/{code}")
    open_options(guest)
    files = page.get_by_role("region", name="Deck and board")
    expect(files).to_contain_text("classic")
    drop(page, DECK)
    expect(files).to_contain_text(DECK_NAME)
    drop(page, BOARD)
    expect(files).to_contain_text(BOARD_NAME)
    layouts = page.locator("#option-layout option")
    expect(layouts).to_have_text(["Standard", "long", "Random square", "Type it in"])
    page.locator("#option-layout").select_option("long")
    page.locator("#option-days").select_option("1")
    expect(page.locator(".picture svg").first).to_be_visible()
    expect(guest.get_by_role("region", name="Deck and board")).to_contain_text(BOARD_NAME)
    guest.get_by_role("button", name="View cards").click()
    dialog = guest.get_by_role("dialog")
    expect(dialog).to_contain_text(f"{DECK_NAME}: 40 cards")
    expect(dialog.locator(".cards > li")).to_have_count(40)
    expect(dialog).to_contain_text("Reel 101")
    expect(dialog).to_contain_text("Line 101.2!")
    expect(guest.get_by_text("Use your own deck or board")).to_have_count(0)
    everybody_is_ready(page, 2)
    page.get_by_role("button", name="Start the game").click()
    page.locator(".game.mine").wait_for()
    expect(page.locator("#place-opera-house")).to_have_accessible_name(re.compile("Opera House"))
    play(page, actions=6)
    expect(page.locator(".game")).to_contain_text(re.compile("Reel [0-9]+"))
    page.reload()
    page.locator(".game.mine").wait_for()
    expect(page.locator(".game")).to_contain_text(re.compile("Reel [0-9]+"))
    tokens = tokens_of(page, code)
    guest.close()
    page.goto(f"{server.url}/replay")  # no need to watch every action
    finish(server, code, *tokens)
    page.goto(f"{server.url}/t/{code}")
    page.locator(".ranking").wait_for()
    page.get_by_role("link", name="Watch replay").click()
    page.get_by_role("slider").fill("3")
    expect(page.locator("#place-opera-house")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the record").click()
    record = Path(download.value.path()).read_text("utf-8")
    assert {check.verdict for check in verify(record)} == {"passed"}
    elsewhere = visitors(server.url, path="/replay")
    drop(elsewhere, record)
    elsewhere.get_by_role("slider").fill("3")
    expect(elsewhere.locator("#place-opera-house")).to_be_visible()


def test_a_file_that_is_wrong_gets_a_sentence_with_its_line_and_another_try(visitors, server):
    page, _ = lobby(visitors, server, "Ada", "Bo", forgiven=("Failed to load resource",))
    files = page.get_by_role("region", name="Deck and board")
    wrong = DECK.replace("budget = 4", "budget = 9", 1)
    drop(page, wrong)
    line = wrong[: wrong.index("budget = 9")].count("\n") + 1
    expect(files.get_by_role("alert")).to_contain_text(f"card 101: budget: must be at most 6, not 9 (line {line})")
    expect(files).to_contain_text("classic")
    drop(page, "My shopping list:\n- eggs\n")
    expect(files.get_by_role("alert")).to_contain_text("(line 1)")
    latin = {"name": "latin.toml", "mimeType": "", "buffer": DECK.replace("Reel 101", "Réel 101").encode("latin-1")}
    files.locator("input[type=file]").set_input_files(latin)
    expect(files.get_by_role("alert")).to_have_text("latin.toml: The file is not UTF-8 text. Save it as UTF-8 first.")
    files.locator("input[type=file]").set_input_files({"name": "reels.toml", "mimeType": "", "buffer": DECK.encode()})
    expect(files).to_contain_text(DECK_NAME)
    expect(files.get_by_role("alert")).to_have_count(0)
    expect(page.get_by_label("Deck", exact=True)).to_have_count(0)  # the option: the host has brought one
    files.get_by_role("button", name=f"Remove: {DECK_NAME}").click()
    expect(files).to_contain_text("classic")
    expect(page.get_by_label("Deck", exact=True)).to_have_count(1)


def test_the_second_person_at_a_screen_may_be_the_host(visitors, server):
    code, tokens = waiting_table(server, "Ada", "Bo")
    page = visitors(server.url, path=f"/t/{code}", seats={code: tokens[::-1]}, forgiven=("Failed to load resource",))
    page.locator(".lobby .fold").wait_for()
    drop(page, DECK)  # dropping a file opens the options
    expect(page.locator(".files")).to_be_visible()
    expect(page.locator(".files")).to_contain_text(DECK_NAME)


def test_a_hostile_deck_is_text_and_nothing_else(visitors, server):
    page, _ = lobby(visitors, server, "Ada", "Bo")
    text = DECK.replace(DECK_NAME, "<img src=x onerror=alert(1)>").replace(
        "It is dark.", "<b>bold</b> {name} " + "W" * 300
    )
    drop(page, text)
    expect(page.locator(".files")).to_contain_text("<img src=x onerror=alert(1)>")
    page.get_by_role("button", name="View cards").click()
    expect(page.get_by_role("dialog")).to_contain_text("<b>bold</b> {name}")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.keyboard.press("Escape")
    everybody_is_ready(page, 2)
    page.get_by_role("button", name="Start the game").click()
    page.locator(".game.mine").wait_for()
    act(page)
