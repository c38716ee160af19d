"""The page in a real browser: make a table, join it, play it, come back, play again."""

import shutil
import threading

import pytest
from people import person, play_to_the_end, serving, together
from playwright.sync_api import expect, sync_playwright

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE = 20_000  # milliseconds


@pytest.fixture(scope="module")
def browser():
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    assert found, "the tests need Chromium: apt-get install chromium"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(QUIET))
        yield browser
        browser.close()


@pytest.fixture
def people(browser):
    """People with a browser each; whatever their consoles complain about fails the test."""
    contexts, complaints = [], []

    def person():
        contexts.append(browser.new_context())
        page = contexts[-1].new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        return page

    yield person
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def place(tmp_path):
    with serving(f"sqlite:///{tmp_path}/x.db", bot_pause=0.05) as server:
        yield server


def make_table(page, server, name="Ada", **choices):
    page.goto(server.url)
    page.get_by_label("Your name").fill(name)
    for name, choice in choices.items():
        page.locator(f"[name={name}]").select_option(choice)
    page.get_by_role("button", name="Make the table").click()
    expect(page.locator(".code")).to_be_visible(timeout=PATIENCE)
    return page.url


def play_a_turn(page):
    """Click what brings the game on; whether it is over now."""
    turn, over = page.get_by_text("it is your turn"), page.get_by_text("The game is over")
    expect(turn.or_(over).first).to_be_visible(timeout=PATIENCE)
    if over.is_visible():
        return True
    before = page.locator(".log").inner_text()
    choices = page.locator(".choices button", has_not_text="Undo").filter(has_not_text="Hint")
    wanted = choices.filter(has_text="Take").or_(choices.filter(has_text="Act"))
    (wanted if wanted.count() else choices).first.click()
    expect(page.locator(".log")).not_to_have_text(before, timeout=PATIENCE)
    return False


def play_the_rest(page, server):
    """The same person goes on over HTTP, which is quicker."""
    code = page.url.rpartition("/")[2]
    (token,) = page.evaluate(f"JSON.parse(localStorage['deadwood {code}'])")

    @together
    async def play():
        async with person(server, code, token) as one:
            await play_to_the_end(one)

    playing = threading.Thread(target=play)  # this thread has a loop already, the browser's
    playing.start()
    playing.join()


def test_a_person_and_a_bot_play_a_whole_game_and_again(place, people):
    page = people()
    make_table(page, place, "Ada <b>x</b>", bot="random", days="1")
    page.get_by_role("button", name="Ready", exact=True).click()
    page.get_by_role("button", name="Start the game").click()
    for _ in range(5):
        play_a_turn(page)
    expect(page.get_by_text("Ada <b>x</b>").first).to_be_visible()
    page.get_by_text("it is your turn").wait_for()
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("#notice")).to_contain_text(":", timeout=PATIENCE)
    page.reload()
    play_a_turn(page)
    play_the_rest(page, place)
    assert play_a_turn(page)
    page.get_by_role("link", name="See it again, verify its dice").click()
    expect(page.get_by_text("won", exact=False).first).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the record").click()
    assert "seed: " in download.value.path().read_text()
    page.goto(place.url)
    page.get_by_label("A file that a game was saved in").set_input_files(download.value.path())
    expect(page.get_by_text("Day 1 of 1 begins", exact=False)).to_be_visible()
    page.go_back()
    page.get_by_role("link", name="Back to the table").click()
    page.get_by_role("button", name="Play again").click()
    expect(page.get_by_role("button", name="Ready", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="Game 1")).to_be_visible()


def test_two_people_meet_at_a_table_and_a_third_one_watches(place, people):
    ada, bo, cy = people(), people(), people()
    link = make_table(ada, place)
    code = ada.locator(".code").inner_text()
    bo.goto(place.url)
    bo.get_by_label("Code").fill(code.lower())
    bo.get_by_role("button", name="Go there").click()
    bo.get_by_label("Name").fill("Ada")
    bo.get_by_role("button", name="Sit down").click()
    expect(bo.locator("#notice")).to_have_text("The name 'Ada' is taken; every name must be different.")
    bo.get_by_label("Name").fill("Bo")
    bo.get_by_role("button", name="Sit down").click()
    for page in (ada, bo):
        page.get_by_role("button", name="Ready", exact=True).click()
    expect(ada.get_by_text("Bo — ready")).to_be_visible()
    ada.get_by_role("listitem").filter(has_text="Bo").get_by_role("button", name="Goes first").click()
    for page in (ada, bo):
        page.get_by_role("button", name="Ready", exact=True).click()
    expect(ada.get_by_role("button", name="Not ready")).to_have_count(1)
    expect(ada.get_by_text("Bo — ready")).to_be_visible()
    ada.get_by_role("button", name="Start the game").click()
    cy.goto(link)
    for page in (ada, cy):
        expect(page.get_by_text("Day 1: Bo is up")).to_be_visible()
    bo.get_by_role("button", name="End the turn").click()
    expect(ada.get_by_text("Ada, it is your turn")).to_be_visible()
    bo.get_by_role("button", name="Undo").click()
    expect(cy.get_by_text("Bo takes back 'end'.")).to_be_visible()
    expect(cy.get_by_role("button", name="End the turn")).to_have_count(0)
