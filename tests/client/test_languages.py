"""One language on the whole page: places, cards, the log and the bots, even after another one is chosen."""

import re

from playwright.sync_api import expect

from deadwood import bots

from .playing import changing, running_game, waiting_table

REAL = {"first": "Ada", "dice": "table"}
TEXTS = "() => document.querySelector('.game').innerText"
ENGLISH_PLACES = re.compile(
    "Trailers|Train Station|Jail|General Store|Main Street|Secret Hideout|Casting Office|Church"
)


def choose_language(page, button, label, language):
    page.get_by_role("button", name=button).click()
    page.get_by_label(label).select_option(language)
    page.keyboard.press("Escape")


def test_a_german_game_has_one_name_for_each_place_and_another_language_paints_everything_anew(visitors, server):
    code, tokens = running_game(server, "Ada", "Bo", **REAL)
    page = visitors(server.url, path=f"/t/{code}", seats={code: tokens}, settings={"language": "de"})
    page.locator('.actions [data-action="move saloon"]').click()
    page.get_by_role("searchbox").fill("gegen zwölf")  # part of a German title
    expect(page.get_by_role("dialog").get_by_text("So gegen zwölf Uhr mittags")).to_be_visible()
    with changing(page):
        page.keyboard.press("Enter")
    expect(page.locator(".log")).to_contain_text("Ada geht von den Wohnwagen zum Saloon.")
    expect(page.locator(".log")).to_contain_text("„So gegen zwölf Uhr mittags“")
    expect(page.locator(".board")).to_contain_text("So gegen zwölf Uhr mittags")
    expect(page.locator(".board")).to_contain_text("Herrenloser Koffer")
    expect(page.get_by_role("button", name=re.compile("^Bahnhof"))).to_be_attached()
    expect(page.locator('.actions [data-action="take star 1"]')).to_contain_text("Die Rathausuhr")
    page.get_by_role("tab", name="Ort").click()
    expect(page.locator(".inspector")).to_contain_text("Dong. Dong.")
    assert not ENGLISH_PLACES.search(page.evaluate(TEXTS))
    page.get_by_role("tab", name="Verlauf").click()
    expect(page.locator(".log")).to_contain_text("Wohnwagen")
    choose_language(page, "Einstellungen", "Sprache", "en")
    expect(page.locator(".board")).to_contain_text("High Noonish")
    expect(page.locator(".board")).to_contain_text("Unclaimed Suitcase")
    expect(page.get_by_role("button", name=re.compile("^Train Station"))).to_be_attached()
    expect(page.locator(".log")).to_contain_text("Ada walks from the Trailers to the Saloon.")
    expect(page.locator(".log")).not_to_contain_text("Wohnwagen")
    expect(page.locator('.actions [data-action="take star 1"]')).to_contain_text("Town Clock")


def test_a_replay_follows_the_language(visitors, server, finished):
    page = visitors(server.url, path=f"/t/{finished}/games/1#1", settings={"language": "de"})
    expect(page.locator(".board")).to_contain_text("Herrenloser Koffer")
    choose_language(page, "Einstellungen", "Sprache", "en")
    expect(page.locator(".board")).to_contain_text("Unclaimed Suitcase")


def test_the_picture_of_the_rules_follows_the_language(visitors, server):
    page = visitors(server.url, path="/rules", settings={"language": "de"})
    expect(page.locator("figure .board")).to_contain_text("Herrenloser Koffer")
    expect(page.locator("figure .inspector")).to_contain_text("So gegen zwölf Uhr mittags")
    choose_language(page, "Einstellungen", "Sprache", "en")
    expect(page.locator("figure .board")).to_contain_text("Unclaimed Suitcase")


def test_bots_are_chosen_by_their_faces(visitors, server):
    page = visitors(server.url)
    faces = page.get_by_role("group", name="Difficulty")
    expect(faces.get_by_role("radio")).to_have_count(len(bots.names()))
    expect(faces.locator("svg.portrait")).to_have_count(len(bots.names()))
    faces.get_by_role("radio", name="Mae Marquee").check(force=True)
    expect(faces).to_contain_text("My trailer has a trailer.")
    choose_language(page, "Settings", "Language", "de")
    expect(page.get_by_role("group", name="Schwierigkeit")).to_contain_text("Mein Wohnwagen hat einen Wohnwagen.")
    expect(page.get_by_role("radio", name="Mae Marquee")).to_be_checked()
    page.get_by_label("Gegner").select_option("2")
    page.get_by_role("button", name="Jetzt spielen").click()
    names = page.locator(".players li:has(svg.portrait) .called")
    expect(names).to_have_text(["Mae Marquee", "Max Marquee"])


def test_a_second_bot_of_a_kind_is_a_relative(visitors, server):
    code, tokens = waiting_table(server, "Ada")
    page = visitors(server.url, path=f"/t/{code}", seats={code: tokens})
    page.get_by_role("radio", name="Tim Tumbleweed").check(force=True)
    for name in ("Tim Tumbleweed", "Tess Tumbleweed"):
        page.get_by_role("button", name="Add a bot").click()
        expect(page.locator(".chairs li", has_text=name)).to_contain_text("Bot, Random")
        expect(page.locator(".chairs li", has_text=name).locator("svg.portrait")).to_be_visible()
