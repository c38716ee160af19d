"""Real dice and cards in the browser (R12.7): corrections, sentences, a search for cards, and scanning them."""

import pytest
from playwright.sync_api import expect

from .playing import changing, running_game, say

pytestmark = pytest.mark.rule("R12.7")
CARD = "The card that was turned"
SCANNER = """
  window.seen = [];
  window.BarcodeDetector = class {
    static getSupportedFormats() { return Promise.resolve(["qr_code"]); }
    detect(video) { return Promise.resolve(video.srcObject ? window.seen.map((rawValue) => ({ rawValue })) : []); }
  };
"""
CAMERA = """
  window.tracks = [];
  navigator.mediaDevices.getUserMedia = async () => {
    const canvas = document.createElement("canvas");
    canvas.getContext("2d").fillRect(0, 0, 10, 10);
    const stream = canvas.captureStream();
    window.tracks.push(...stream.getTracks());
    return stream;
  };
"""
REFUSED = """
  navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("no", "NotAllowedError"));
"""


def play(server, code, *actions):
    for token, action, outcome in actions:
        seq = server.get(f"/api/tables/{code}")["seq"] + 1
        say(server, code, token, type="play", seq=seq, action=action, outcome=outcome)


@pytest.fixture
def real(server):
    """A game with real dice in which Ada may act: its code and the tokens."""
    code, tokens = running_game(server, "Ada", "Bo", first="Ada", dice="table", days=1)
    ada, bo = tokens
    play(server, code, (ada, "move saloon", "2"), (ada, "take star 1", None), (bo, "end", None))
    return code, tokens


def dialog(page):
    return page.get_by_role("dialog")


def enter(page):
    page.get_by_role("button", name="Enter", exact=True).click()


def roll(page, die):
    dialog(page).get_by_role("radio", name=str(die)).check(force=True)


def test_a_mistyped_die_is_corrected_and_everybody_sees_it(visitors, server, real):
    code, (ada, bo) = real
    hers = visitors(server.url, path=f"/t/{code}", seats={code: [ada]})
    his = visitors(server.url, path=f"/t/{code}", seats={code: [bo]})
    hers.locator(".actions [data-action=act]").click()
    roll(hers, 3)
    with changing(hers), changing(his):
        enter(hers)
    expect(his.locator("[data-action=correct]")).to_have_count(0)
    hers.get_by_role("button", name="Correct").click()
    expect(dialog(hers)).to_contain_text("You entered 3.")
    roll(hers, 3)
    enter(hers)
    expect(dialog(hers).get_by_role("alert")).to_contain_text("entered already")
    roll(hers, 2)
    with changing(hers), changing(his):
        enter(hers)
    for page in (hers, his):
        expect(dialog(page)).to_have_count(0)
        expect(page.locator(".log")).to_contain_text("Ada's roll is corrected: 2, not 3.")
    with changing(his), changing(hers):
        his.locator(".actions [data-action=end]").click()
    expect(hers.locator("[data-action=correct]")).to_have_count(0)


def test_the_host_corrects_by_key_what_somebody_else_turned(visitors, server):
    code, (ada, bo) = running_game(server, "Ada", "Bo", first="Bo", dice="table", days=1)
    page = visitors(server.url, path=f"/t/{code}", seats={code: [ada]})
    page.locator(".game").wait_for()
    play(server, code, (bo, "move saloon", "3"))
    expect(page.locator("[data-action=correct]")).to_be_visible()
    page.keyboard.press("c")
    dialog(page).get_by_label(CARD).fill("next rock")
    with changing(page):
        enter(page)
    expect(page.locator(".log")).to_contain_text("Ada corrects which card Bo turned: card 17, not card 3.")


def test_cards_are_searched_as_somebody_types(visitors, server):
    code, tokens = running_game(server, "Ada", "Bo", first="Ada", dice="table", days=1)
    page = visitors(server.url, path=f"/t/{code}", seats={code: tokens})
    page.locator('.actions [data-action="move saloon"]').click()
    found = dialog(page).get_by_role("listitem")
    expect(found).to_have_count(40)
    expect(dialog(page).get_by_label(CARD)).to_be_focused()
    dialog(page).get_by_label(CARD).fill("the")
    expect(found.filter(has_text="Next Rock")).to_be_visible()
    enter(page)
    expect(dialog(page).get_by_role("alert")).to_contain_text("could be")
    dialog(page).get_by_label(CARD).fill("NEXT rock")
    expect(found).to_have_count(1)
    expect(dialog(page).get_by_role("alert")).to_have_count(0)  # the old one was about another answer
    dialog(page).get_by_label(CARD).fill("no such title")
    sentence = dialog(page).get_by_text("'no such title' does not name a card")
    expect(sentence).to_have_count(1)
    enter(page)
    expect(dialog(page).get_by_role("alert").and_(sentence)).to_be_visible()
    expect(sentence).to_have_count(1)  # shown only once
    dialog(page).get_by_label(CARD).fill("")
    found.filter(has_text="Next Rock").get_by_role("button").click()
    expect(dialog(page).get_by_label(CARD)).to_have_value("17")
    with changing(page):
        enter(page)
    expect(page.locator(".log")).to_contain_text("turns card 17")


WRONG_DICE = {
    "en": {
        "": "Roll 3 dice",
        "5 5": "3 bonus dice are rolled, not 2.",
        "5 3 1 1": "3 bonus dice are rolled, not 4.",
        "5 3 x": "is not a roll",
        "5 3 9": "A die shows 1 to 6, not 9.",
    },
    "de": {"5 5": "3 Prämienwürfel"},
}


@pytest.mark.parametrize("language", WRONG_DICE)
def test_wrong_dice_get_a_sentence_in_the_dialog(visitors, server, real, language):
    code, (ada, bo) = real
    play(server, code, (ada, "act", "3"), (bo, "end", None))
    page = visitors(server.url, path=f"/t/{code}", seats={code: [ada]}, settings={"language": language})
    page.locator(".actions [data-action=act]").click()
    dialog(page).locator("button.primary").click()
    expect(dialog(page).get_by_role("alert")).to_contain_text("5")  # an example of what to enter
    roll(page, 6)
    for bonus, sentence in WRONG_DICE[language].items():
        dialog(page).get_by_role("textbox").fill(bonus)
        dialog(page).locator("button.primary").click()
        expect(dialog(page).get_by_role("alert")).to_contain_text(sentence)
    dialog(page).get_by_role("textbox").fill("6, 5 1")
    with changing(page):
        dialog(page).locator("button.primary").click()
    expect(dialog(page)).to_have_count(0)


# --- scanning


@pytest.fixture
def scanning(visitors, server):
    """A page that asks for a card, with a fake camera and a fake barcode reader."""

    def open_page(*scripts):
        code, tokens = running_game(server, "Ada", "Bo", first="Ada", dice="table", days=1)
        play(server, code, (tokens[0], "move saloon", "2"), (tokens[0], "end", None))
        page = visitors(server.url, path=f"/t/{code}", seats={code: tokens}, scripts=scripts)
        page.locator('.actions [data-action="move hotel"]').click()
        return page

    return open_page


def show(page, *texts):
    page.evaluate("(texts) => { window.seen = texts; }", list(texts))


def test_the_camera_stops_when_the_dialog_is_closed_and_scans_a_card_when_it_is_open(scanning):
    page = scanning(SCANNER, CAMERA)
    page.get_by_role("button", name="Scan the card").click()
    expect(dialog(page).locator("video")).to_be_visible()
    page.wait_for_function("() => window.tracks.length === 1")
    page.keyboard.press("Escape")
    expect(dialog(page)).to_have_count(0)
    page.wait_for_function("() => window.tracks.every((track) => track.readyState === 'ended')")
    page.locator('.actions [data-action="move hotel"]').click()
    page.get_by_role("button", name="Scan the card").click()
    expect(dialog(page).locator("video")).to_be_visible()
    show(page, "https://example.org/")
    expect(dialog(page).get_by_role("status")).to_contain_text("not one of our cards")
    show(page, "deadwood card 2")
    expect(dialog(page).get_by_role("status")).to_contain_text("it lies at the Saloon")
    show(page, "deadwood card 99")
    expect(dialog(page).get_by_role("status")).to_contain_text("There is no card 99")
    show(page, "deadwood card 17")
    expect(dialog(page).get_by_label(CARD)).to_have_value("17")
    expect(dialog(page).get_by_role("status")).to_contain_text("Card 17")
    expect(dialog(page).locator("video")).to_have_count(0)
    assert page.evaluate("window.tracks.map((track) => track.readyState)") == ["ended"] * 2
    with changing(page):
        enter(page)
    expect(page.locator(".log")).to_contain_text("turns card 17")


def test_the_policy_allows_a_camera_and_a_refused_one_is_explained(scanning):
    page = scanning(SCANNER, REFUSED)
    assert page.evaluate("document.featurePolicy.allowsFeature('camera')")
    assert not page.evaluate("document.featurePolicy.allowsFeature('microphone')")
    page.get_by_role("button", name="Scan the card").click()
    expect(dialog(page).get_by_role("status")).to_contain_text("The browser has blocked the camera")
    expect(dialog(page).locator("video")).to_have_count(0)


def test_no_scanner_is_offered_to_browsers_that_cannot_read_codes(scanning):
    page = scanning("delete window.BarcodeDetector;")
    expect(dialog(page).get_by_role("listitem").first).to_be_visible()
    expect(page.get_by_role("button", name="Scan the card")).to_have_count(0)
