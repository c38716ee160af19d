"""Games watched again: from a link to a moment, or from a file that is dropped onto the page."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from .playing import drop

RECORD = (Path(__file__).parents[1] / "engine" / "golden" / "01-2p.deadwood").read_text("utf-8")


@pytest.mark.parametrize("path", ["/", "/replay"])
def test_a_record_is_dropped_onto_the_page(visitors, server, path):
    page = visitors(server.url, path=path)
    drop(page, RECORD)
    expect(page.get_by_role("slider")).to_be_visible()
    expect(page.get_by_label("Players").get_by_text("Ada")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".sentences")).to_contain_text("Bo walks from the Trailers to Main Street.")
    expect(page).to_have_url(f"{server.url}/replay")


def test_a_broken_file_gets_a_sentence_and_another_try(visitors, server):
    page = visitors(server.url, path="/replay", forgiven=("Failed to load resource",))
    for text, sentence in (
        ("My shopping list:\n- eggs\n", "This is not a record"),
        (RECORD.replace("Bo: move main-street", "Bo: move bank"), "There is no doorway"),
        ("\0\1\2" * 100, "This is not a record"),
        ("x" * 1_100_000, "at most 1000000 bytes"),
        ("", "This is not a record"),
    ):
        drop(page, text)
        expect(page.get_by_role("alert")).to_contain_text(sentence)
    drop(page, RECORD)
    expect(page.get_by_role("slider")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_link_leads_to_a_moment_and_a_file_has_none(visitors, server, finished):
    page = visitors(server.url, path=f"/t/{finished}/games/1#7", forgiven=("Failed to load resource",))
    expect(page.locator(".where")).to_contain_text("step 7 of")
    sentences = page.locator(".sentences").inner_text()
    page.get_by_role("slider").press("ArrowRight")
    expect(page.locator(".where")).to_contain_text("step 8 of")
    elsewhere = visitors(server.url, path=page.url.removeprefix(server.url))
    expect(elsewhere.locator(".where")).to_contain_text("step 8 of")
    page.evaluate("location.hash = '#7'")
    expect(page.locator(".sentences")).to_have_text(sentences, use_inner_text=True)
    drop(page, "no record at all")
    expect(page.get_by_role("alert")).to_contain_text("record")
    expect(page.locator(".where")).to_contain_text("step 7 of")
    drop(page, RECORD)
    expect(page.locator(".where")).to_contain_text("step 0 of")
    expect(page).to_have_url(f"{server.url}/replay")
    expect(page.get_by_role("link", name="Download the record")).to_have_count(0)


def test_a_moment_that_does_not_exist_is_the_last_one_or_a_sentence(visitors, server, finished):
    page = visitors(server.url, path=f"/t/{finished}/games/1#99999")
    expect(page.locator(".ranking")).to_be_visible()
    nowhere = visitors(server.url, path="/t/AAAAAAAA/games/1", forgiven=("Failed to load resource",))
    expect(nowhere.get_by_role("alert")).to_be_visible()
