"""Seats and history in several browsers: a seat that moves to a phone, and a personal key that brings everything."""

import json
import re

from playwright.sync_api import expect

from .playing import running_game, tokens_of
from .test_absence import PHONE, menu


def visited(*codes):
    """A browser that has been at these tables."""
    text = json.dumps(json.dumps([{"code": code, "at": 1_700_000_000_000, "names": ["Ada"]} for code in codes]))
    return f"localStorage.getItem('deadwood visits') ?? localStorage.setItem('deadwood visits', {text})"


def test_seats_move_to_a_phone_and_a_key_brings_them_to_a_third_browser(visitors, server):
    code, tokens = running_game(server, "Ada", "Bo", "Cy", first="Bo")
    other, others = running_game(server, "Ada", "Dee", first="Ada")
    seats = {code: tokens[:2], other: others[:1]}
    first = visitors(server.url, path="/games", seats=seats, scripts=[visited(code, other)])

    # Two seats of one browser move together, from the list of games.
    expect(first).to_have_title(re.compile(r"^\(2\) Your games"))
    first.locator("li", has_text="Cy").get_by_role("link", name="Move to another device").click()
    dialog = first.get_by_role("dialog")
    dialog.get_by_role("button", name="Make the link").click()
    expect(dialog.get_by_role("timer")).to_have_text(re.compile(r"^(10:00|9:\d\d)$"))
    link = dialog.get_by_role("link").get_attribute("href").partition("/t/")[2]
    phone = visitors(server.url, path=f"/t/{link}", **PHONE)
    asked = phone.get_by_role("dialog")
    expect(asked).to_contain_text("Ada and Bo")
    asked.get_by_role("button", name="Take these seats").click()
    expect(phone.locator(".players em")).to_have_count(2)
    expect(phone).to_have_url(re.compile("/t/[A-Z0-9]+$"))
    expect(first.get_by_role("dialog", name="The seat has moved")).to_contain_text(
        "Another device plays for Ada and Bo"
    )
    first.get_by_role("button", name="Watch here").click()
    expect(first.locator(".players em")).to_have_count(0)
    expect(first.get_by_text("You are watching")).to_be_visible()
    phone.locator('.actions [data-action="end"]').click()
    expect(first.locator(".players li.active")).to_contain_text("Cy")

    # They could move on, from the table's own menu.
    menu(phone).get_by_role("button", name="Move to another device").click()
    expect(phone.get_by_role("checkbox", checked=True)).to_have_count(2)
    phone.keyboard.press("Escape")
    expect(phone.get_by_role("dialog")).to_have_count(0)

    # A link that was used or copied in part says so.
    late = visitors(server.url, path=f"/t/{link}")
    expect(late.get_by_role("alert")).to_contain_text("This link has been used")
    late.goto(f"{server.url}/rules")
    late.goto(f"{server.url}/t/{link[:-5]}")
    expect(late.get_by_role("alert")).to_contain_text("This link is not complete")

    # A key made here brings this browser's games to the phone, and the phone's to this one.
    first.get_by_role("link", name="Your games").click()
    first.get_by_role("button", name="Make a personal key").click()
    words = first.locator(".key ol li").all_inner_texts()
    assert len(words) == 9
    expect(first.get_by_text("Up to date as of")).to_be_visible()
    phone.get_by_role("link", name="Your games").click()
    phone.get_by_role("button", name="I have a key").click()
    phone.get_by_label("The nine words").fill(", ".join(words[:-1]).upper())
    phone.get_by_role("button", name="Use this key").click()
    expect(phone.get_by_role("alert")).to_contain_text("Words still missing: 1")
    phone.get_by_label("The nine words").fill(", ".join(words).upper())
    phone.get_by_role("button", name="Use this key").click()
    expect(phone.locator("main li", has_text="Dee")).to_contain_text("Your turn")
    expect(phone.get_by_text("Up to date as of")).to_be_visible()

    # A third browser has all of it at once, by a link with the key.
    third = visitors(server.url, path=f"/games#key={'-'.join(words)}")
    third.get_by_role("button", name="Use this key").click()
    expect(third.locator("main section li:has(.players)")).to_have_count(2)
    expect(third).to_have_url(f"{server.url}/games")
    assert sorted(tokens_of(third, code)) == sorted(tokens_of(phone, code))
    third.locator("li", has_text="Dee").get_by_role("link", name="Ada").first.click()
    third.locator(".game.mine").wait_for()


def test_a_page_that_is_not_secure_offers_a_file(visitors, server, network):
    code, tokens = running_game(server, "Ada", "Bo", first="Ada")
    page = visitors(network.named, path="/games", seats={code: tokens[:1]}, scripts=[visited(code)])
    expect(page.get_by_text("A file does the same job.")).to_be_visible()
    expect(page.get_by_role("button", name="Make a personal key")).to_have_count(0)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save a file").click()
    elsewhere = visitors(network.named, path="/games")
    field = elsewhere.locator("input[type=file]")
    field.set_input_files({"name": "x.json", "mimeType": "", "buffer": b"nothing of ours"})
    expect(elsewhere.get_by_text("This file holds no Deadwood seats")).to_be_visible()
    field.set_input_files(saved.value.path())
    expect(elsewhere.get_by_text("something new for one table")).to_be_visible()
    expect(elsewhere.locator("li", has_text="Ada and Bo")).to_contain_text("Your turn")
