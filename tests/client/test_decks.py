"""The deck editor: write, check, try, save, open again, play."""

import json
import re

from playwright.sync_api import expect

from deadwood.engine.deck import parse_deck
from deadwood.engine.loading import DATA

from .holding import holding, release, wait_for_held
from .playing import LINES
from .test_journeys import code_of


def begin(visitors, server, how="Copy: Classic", forgiven=()):
    page = visitors(server.url, path="/decks", forgiven=forgiven)
    page.get_by_role("button", name=how).click()
    return page


def test_a_card_is_changed_checked_and_saved(visitors, server, tmp_path):
    page = begin(visitors, server)
    expect(page.get_by_role("status").first).to_have_text("Ready to play: 40 cards, enough for 4 days.")
    page.get_by_label("Title").fill("")
    expect(page.get_by_role("alert")).to_contain_text("title: must be one line")
    expect(page.get_by_role("button", name="Save as a file")).to_be_disabled()
    page.get_by_label("Title").fill("A Mule Named Gary")
    page.get_by_label("Budget").select_option("6")
    expect(page.get_by_role("status").first).to_have_text("Ready to play: 40 cards, enough for 4 days.")
    face = page.locator("[data-card='1']")
    expect(face).to_contain_text("A Mule Named Gary")
    expect(face).to_contain_text("$6M")
    expect(page.get_by_role("cell", name=re.compile("17%")).first).to_be_visible()  # R6.1: only a six succeeds
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save as a file").click()
    file = tmp_path / saving.value.suggested_filename
    saving.value.save_as(file)
    card = parse_deck(file.read_text()).cards[0]
    assert (card.title, card.budget) == ("A Mule Named Gary", 6)


def test_a_deck_from_nothing_outlives_a_reload(visitors, server):
    page = begin(visitors, server, "Empty deck")
    expect(page.get_by_role("status").first).to_have_text("Not ready yet. Problems: 1")
    page.get_by_label("Name of the deck").fill("Two Mules")
    page.get_by_role("button", name="New card").click()
    page.get_by_label("Title").fill("Mule One")
    page.get_by_label("What happens").fill("A mule stands there.")
    page.get_by_role("button", name="Add a role").click()
    for number, name in ((0, "Front Half"), (1, "Back Half")):
        page.get_by_label("Name", exact=True).nth(number).fill(name)
        page.get_by_label("Line").nth(number).fill("Hee-haw.")
    expect(page.get_by_role("status").first).to_have_text("No problems so far, but even one day needs more cards.")
    page.reload()
    expect(page.get_by_label("Name of the deck")).to_have_value("Two Mules")
    expect(page.get_by_label("Title")).to_have_value("Mule One")
    page.get_by_role("button", name="Delete", exact=True).first.click()
    expect(page.get_by_text("No cards yet.")).to_be_visible()
    page.get_by_role("button", name="Undo delete").click()
    expect(page.get_by_label("Title")).to_have_value("Mule One")


def test_a_file_is_opened_and_a_wrong_one_is_explained(visitors, server, tmp_path):
    page = visitors(server.url, path="/decks", forgiven=("422",))
    wrong = tmp_path / "wrong.toml"
    wrong.write_text('name = "wrong"\n\n[[cards]]\nnumber = 1\nbudget = 9\n')
    page.locator("input[type=file]").set_input_files(wrong)
    expect(page.get_by_role("alert")).to_contain_text("line")
    page.locator("input[type=file]").set_input_files(DATA / "studio.toml")
    expect(page.get_by_label("Name of the deck")).to_have_value("studio")
    expect(page.get_by_role("status").first).to_have_text("Ready to play: 60 cards, enough for 4 days.")


def test_a_trial_counts_up_and_can_be_stopped(visitors, server):
    page = begin(visitors, server)
    expect(page.get_by_role("status").first).to_have_text("Ready to play: 40 cards, enough for 4 days.")
    page.get_by_role("button", name="Play 2,000 games").click()
    expect(page.get_by_role("row", name="Acts that succeed")).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Play 2,000 games")).to_be_visible()
    expect(page.get_by_text("games of 4 days with each deck")).to_be_visible()


def test_the_figures_of_a_trial_fit_a_phone(visitors, server):
    page = visitors(server.url, path="/decks", settings={"language": "de"}, viewport={"width": 360, "height": 740})
    page.get_by_role("button", name="Kopie: Klassisch").click()
    page.get_by_role("button", name="2.000 Partien spielen").click()
    heading = page.get_by_role("columnheader", name="Klassisch")
    expect(heading).to_be_visible()
    assert heading.evaluate(LINES) == 1
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")


def test_a_table_plays_with_it(visitors, server):
    page = begin(visitors, server)
    page.get_by_label("Name of the deck").fill("Mules")
    expect(page.get_by_role("status").first).to_have_text("Ready to play: 40 cards, enough for 4 days.")
    page.get_by_role("button", name="Play with this deck").click()
    expect(page.get_by_text("Mules", exact=False).first).to_be_visible()
    _, _, table = server.request("GET", f"/api/tables/{code_of(page)}")
    assert json.dumps(table).count("Mules")


def test_an_answer_about_an_older_deck_does_not_make_a_newer_one_ready(visitors, server):
    page = visitors(server.url, path="/decks", scripts=[holding("/api/decks/draft")], stopped_clock=True)
    page.get_by_role("button", name="Copy: Classic").click()
    wait_for_held(page)
    page.get_by_label("Name of the deck").fill("")  # with the clock stopped, the page does not ask about it yet
    release(page)
    page.evaluate("fetch('/api/rules').then((answer) => answer.text())")  # by now the older answer has been read
    expect(page.get_by_role("status").first).to_have_text("Checking…")
    expect(page.get_by_role("button", name="Play with this deck")).to_be_disabled()
    page.clock.run_for(1000)
    expect(page.get_by_role("status").first).to_have_text("Not ready yet. Problems: 1")


def test_it_is_printed_and_asked_for_once(visitors, server):
    page = begin(visitors, server)
    page.get_by_label("Title").fill("A Mule Named Gary")
    expect(page.locator("[data-card='1']")).to_contain_text("A Mule Named Gary")
    expect(page.get_by_role("status").first).to_have_text("Ready to play: 40 cards, enough for 4 days.")
    asked = []
    page.on("request", lambda sent: asked.append(sent.url) if sent.url.endswith("/api/decks/draft") else None)
    page.get_by_role("link", name="Print", exact=True).click()
    page.locator("main[data-ready=true]").wait_for()
    expect(page.locator(".sheets [data-card='1']")).to_contain_text("A Mule Named Gary")
    assert len(asked) == 1
    expect(page).to_have_url(re.compile("own="))
    page.reload()
    expect(page.locator(".sheets [data-card='1']")).to_contain_text("A Mule Named Gary")


def test_a_page_that_cannot_be_loaded_says_so(visitors, server):
    page = visitors(server.url, forgiven=("Failed to load resource", "Failed to fetch dynamically"))
    page.context.set_offline(True)
    page.get_by_role("link", name="Your decks").click()
    expect(page.get_by_role("alert")).to_contain_text("The page could not be loaded")
    page.context.set_offline(False)
    page.get_by_role("button", name="Reload").click()
    expect(page.get_by_role("heading", name="Your decks")).to_be_visible()


def test_a_deck_that_this_browser_does_not_have_leaves_the_kit_of_the_server(visitors, server):
    page = visitors(server.url, path="/print?own=123&parts=cards")
    expect(page.get_by_role("alert")).to_contain_text("That deck is not in this browser")
    page.locator("main[data-ready=true]").wait_for()
    expect(page.locator(".sheets [data-card='1']")).to_be_attached()


def test_without_the_server_nothing_is_called_good(visitors, server):
    page = begin(visitors, server, forgiven=("Failed to load resource",))
    expect(page.get_by_role("status").first).to_have_text("Ready to play: 40 cards, enough for 4 days.")
    page.context.set_offline(True)
    page.get_by_label("Title").fill("A Mule Named Gary")
    expect(page.get_by_role("alert")).to_contain_text("The server cannot be reached")
    expect(page.get_by_role("button", name="Save as a file")).to_be_disabled()
    page.context.set_offline(False)
    expect(page.get_by_role("status").first).to_have_text("Ready to play: 40 cards, enough for 4 days.")


def test_a_full_browser_refuses_another_deck(visitors, server):
    page = visitors(server.url, path="/decks")
    decks = json.dumps([{"id": str(number), "name": f"Deck {number}", "cards": []} for number in range(20)])
    page.evaluate("(decks) => localStorage.setItem('deadwood decks', decks)", decks)
    page.get_by_role("button", name="Empty deck").click()
    expect(page.get_by_role("alert")).to_contain_text("no room for another deck")
    page.reload()
    expect(page.get_by_role("listitem")).to_have_count(20)
