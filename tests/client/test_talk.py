"""Talk between real browsers: a desktop, a phone, somebody who watches, and a big screen."""

import re

import pytest
from playwright.sync_api import expect

from .playing import running_game, say, waiting_table

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
MARKUP = "<img src=x onerror=alert(1)> <b>bold</b>"


def speak(page, text):
    page.get_by_label("Say something").fill(text)
    page.keyboard.press("Enter")
    expect(page.get_by_label("Say something")).to_have_value("")


def react(page, word):
    """Where there is little room, a button shows the reactions first."""
    if not page.get_by_role("button", name=word).is_visible():
        page.get_by_role("button", name="Reactions and more").click()
    page.get_by_role("button", name=word).click()


def lines(page):
    return page.locator(".talk li p")


def test_people_talk_and_mute_each_other_on_desktop_and_phone(visitors, server):
    code, tokens = running_game(server, "Ada", "Bo", first="Ada")
    ada = visitors(server.url, path=f"/t/{code}", seats={code: tokens[:1]})
    bo = visitors(server.url, path=f"/t/{code}", seats={code: tokens[1:]}, stopped_clock=True, **PHONE)
    for page in (ada, bo):
        page.on("dialog", lambda dialog: pytest.fail(f"a text was run: {dialog.message}"))
    # somebody who comes later reads what was said before, but does not hear it
    tab = bo.get_by_role("tab", name="Talk")
    tab.wait_for()
    # the keyboard opens and closes it; what was said is text
    ada.locator(".game.mine").wait_for()
    ada.keyboard.press("t")
    expect(ada.get_by_label("Say something")).to_be_focused()
    expect(ada.locator(".talk")).to_contain_text("Nobody has said a word yet")
    speak(ada, MARKUP)
    react(ada, "Hats off!")
    expect(lines(ada)).to_contain_text([MARKUP, "Hats off!"])
    assert ada.locator(".talk :is(img, b)").count() == 0
    ada.keyboard.press("Escape")
    expect(ada.locator(".log")).to_be_visible()
    # on the phone, the button counts, the die reacts, and screen readers hear words
    expect(tab.locator(".unread")).to_have_text("2")
    expect(bo.locator("[role=log][aria-live=polite]")).to_contain_text("Ada: Hats off!")
    ada.keyboard.press("t")
    react(ada, "Cheers!")
    expect(bo.locator(".players [data-reaction=mug]")).to_be_visible()
    expect(bo.locator("[data-piece='0'] [data-reaction=mug]")).to_be_attached()
    tab.click()
    expect(lines(bo)).to_have_count(3)
    expect(tab.locator(".unread")).to_have_count(0)
    # somebody who watches has a name and a channel, which players can mute
    watcher = visitors(server.url, path=f"/t/{code}")
    watcher.get_by_role("tab", name="Talk").click()
    watcher.get_by_label("Name to talk under").fill("bo")
    watcher.get_by_label("Say something").fill("Nice hat")
    watcher.keyboard.press("Enter")
    expect(watcher.locator(".talk [role=alert]")).to_contain_text("is taken")
    watcher.get_by_label("Name to talk under").fill("Zoe")
    watcher.get_by_role("button", name="Send", exact=True).click()
    expect(lines(bo).last).to_contain_text(re.compile("Zoe, watching.*Nice hat", re.S))
    bo.get_by_role("button", name="Mute spectators").click()
    expect(lines(bo)).to_have_count(3)
    expect(lines(ada)).to_have_count(4)
    # one person is muted, and heard again
    bo.get_by_role("button", name="Mute Ada").first.click()
    expect(lines(bo)).to_have_count(0)
    bo.reload()
    bo.get_by_role("tab", name="Talk").click()
    expect(lines(bo)).to_have_count(0)
    bo.get_by_role("button", name="Unmute Ada").click()
    expect(lines(bo)).to_have_count(3)
    # the host clears it, by the keyboard alone
    ada.get_by_role("button", name="Mute Zoe").press("Enter")
    expect(ada.get_by_role("button", name="Reactions and more")).to_be_focused()
    ada.keyboard.press("Enter")
    ada.get_by_role("button", name="Unmute Zoe").press("Enter")
    expect(ada.get_by_role("button", name="Mute spectators")).to_be_focused()
    ada.get_by_role("button", name="Clear").press("Enter")
    expect(ada.get_by_role("button", name="Keep it")).to_be_focused()
    ada.keyboard.press("Shift+Tab")
    ada.keyboard.press("Enter")
    expect(ada.get_by_role("button", name="Mute spectators")).to_be_focused()
    for page in (ada, bo, watcher):
        expect(lines(page)).to_have_count(0)


def test_it_waits_in_the_field_while_offline_and_ends_when_switched_off(visitors, server, network):
    code, tokens = waiting_table(server, "Ada", "Bo")
    screen = visitors(server.url, path=f"/t/{code}/screen", stopped_clock=True)
    screen.locator(".waiting").wait_for()
    page = visitors(network.url, path=f"/t/{code}", seats={code: tokens[:1]}, forgiven=("WebSocket", "ERR_"))
    page.get_by_role("button", name="Good luck!").click()
    expect(screen.locator(".waiting li").first).to_contain_text("Good luck!")
    network.cut()
    expect(page.get_by_text("Reconnecting")).to_be_visible()
    page.get_by_label("Say something").fill("Anybody there?")
    page.keyboard.press("Enter")
    expect(page.locator(".talk [role=alert]")).to_contain_text("You are offline")
    expect(page.get_by_label("Say something")).to_have_value("Anybody there?")
    network.mend()
    expect(page.get_by_text("Reconnecting")).to_have_count(0)
    page.get_by_role("button", name="Send", exact=True).click()
    expect(lines(page).last).to_contain_text("Anybody there?")
    expect(screen.get_by_text("Anybody there?")).to_have_count(0)
    say(server, code, tokens[0], type="set_house", house={"talk": False})
    expect(page.locator(".talk")).to_have_count(0)


def test_a_refusal_that_repeats_a_long_word_stays_in_its_box(visitors, server):
    code, _ = waiting_table(server, "Ada")
    page = visitors(server.url, path=f"/t/{code}", **PHONE)
    page.get_by_label("Name to talk under").fill("x" * 100)
    page.get_by_label("Say something").fill("Hello")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("has 100 characters; at most 40 are allowed")
    assert page.get_by_role("alert").evaluate("(one) => one.scrollWidth <= one.clientWidth")
