"""The print-and-play kit: true to size, complete, nothing cut off, backs behind their fronts."""

import re
import subprocess
import sys
import urllib.parse

import numpy
import pypdfium2
import pypdfium2.raw as pdfium
import pytest
import zxingcpp
from playwright.sync_api import expect

from deadwood.engine.board import built_in_board
from deadwood.engine.deck import built_in_deck, load_deck
from deadwood.engine.loading import DATA
from deadwood.narration import rules_text, translated_deck, translated_role

from .. import own_files
from ..server.people import PATIENCE
from .holding import HOLDING, hold, holding, release, wait_for_held
from .playing import drop

MILLIMETRES = 25.4 / 72  # in a point of a PDF
PAPERS = {"a4": (210, 297), "letter": (215.9, 279.4)}
ROUNDING = 0.15  # millimetres: Chromium gives pages whole pixels
KITS = [("a4", "full", "en", "classic"), ("letter", "saving", "de", "studio")]

# Everything on the sheets with its place on its own sheet, in millimetres.
PLACES = """(selector) => {
  const mm = 25.4 / 96;
  return [...document.querySelectorAll(".sheet")].flatMap((sheet, number) => {
    const paper = sheet.getBoundingClientRect();
    return [...sheet.querySelectorAll(selector)].map((one) => {
      const box = one.getBoundingClientRect();
      return { sheet: number, name: { ...one.dataset }, text: one.innerText,
        width: box.width * mm, height: box.height * mm,
        left: (box.left - paper.left) * mm, top: (box.top - paper.top) * mm };
    });
  });
}"""
CLAUSE = re.compile(r"\(R[0-9.]+")
CUT = """() => [...document.querySelectorAll(".sheet [data-text]")]
  .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1)
  .map((one) => one.innerText)"""
ROLES = """() => [...document.querySelectorAll(".half")].flatMap((half) => {
  const { left, right } = half.getBoundingClientRect();
  return [...half.querySelectorAll(".role")].map((role) => {
    const [name, slot] = [".name", ".slot"].map((part) => role.querySelector(part).getBoundingClientRect());
    return { name: role.querySelector(".name").firstChild.data.trim(), seen: slot.right > left && slot.left < right,
      whole: Math.min(name.left, slot.left) >= left - 1 && Math.max(name.right, slot.right) <= right + 1,
      high: role.querySelector(".name").offsetHeight };
  });
})"""

SIGNS = """() => [...document.querySelectorAll(".half")].flatMap((half) => {
  const { left, right } = half.getBoundingClientRect();
  return [...half.querySelectorAll("[data-area]")].flatMap((area) => {
    const sign = area.querySelector(".sign").getBoundingClientRect();
    const middle = (sign.left + sign.right) / 2;
    return middle >= left && middle < right ? [area.dataset.area] : [];
  });
})"""


def ready(page):
    page.locator("main[data-ready=true]").wait_for()
    return page


class Kit:
    """A kit, both as a page and as a PDF."""

    def __init__(self, page, paper, language, deck):
        self.paper, self.language = paper, language
        self.deck = translated_deck(built_in_deck(deck), language)
        self.cut_off = page.evaluate(CUT)
        self.roles = page.evaluate(ROLES)
        self.sheets = page.locator(".sheet").count()
        self.closed_doorways = page.locator(".half .backdrop rect[fill='#7d5530']").count()
        parts = [".front", "[data-back]", "[data-piece]", "[data-bill]", ".aid", ".folded"]
        parts += [".half", ".half .place", ".half .slot", ".half .shot"]
        self.places = {name: page.evaluate(PLACES, name) for name in parts}
        self.faces = page.evaluate(PLACES, "[data-card]")
        self.signs = page.evaluate(SIGNS)
        self.pdf = pypdfium2.PdfDocument(page.pdf(prefer_css_page_size=True, print_background=True))

    def text(self, number):
        return text_of(self.pdf[number])

    def cuts(self, number):
        """The places of all crop marks on a page of the PDF: the xs of the vertical ones, the ys of the others."""
        xs, ys = set(), set()
        for path in self.pdf[number].get_objects(filter=[pdfium.FPDF_PAGEOBJ_PATH], max_depth=8):
            for (x1, y1), (x2, y2) in lines(path):
                if abs(x1 - x2) < 0.01 and abs(abs(y1 - y2) - 3.5) < 0.02:
                    xs.add(round(x1, 1))
                if abs(y1 - y2) < 0.01 and abs(abs(x1 - x2) - 3.5) < 0.02:
                    ys.add(round(y1, 1))
        return sorted(xs), sorted(ys)

    def qr_codes(self, number):
        picture = self.pdf[number].render(scale=3, grayscale=True).to_numpy()
        return [one.text for one in zxingcpp.read_barcodes(numpy.ascontiguousarray(picture.squeeze()))]


def joined(text):
    """A text without spaces: a PDF places letters one by one, so what is read back may have spaces anywhere."""
    return "".join(text.split())


def text_of(page):
    return joined(page.get_textpage().get_text_range())


def lines(path):
    """The straight lines of a path, in millimetres of the page."""
    matrix, before = path.get_matrix(), None
    for index in range(pdfium.FPDFPath_CountSegments(path.raw)):
        segment = pdfium.FPDFPath_GetPathSegment(path.raw, index)
        x, y = pdfium.c_float(), pdfium.c_float()
        pdfium.FPDFPathSegment_GetPoint(segment, x, y)
        point = tuple(value * MILLIMETRES for value in matrix.on_point(x.value, y.value))
        if before and pdfium.FPDFPathSegment_GetType(segment) == pdfium.FPDF_SEGMENT_LINETO:
            yield before, point
        before = point


@pytest.fixture(scope="module", params=KITS, ids="-".join)
def kit(request, browser, server):
    paper, ink, language, deck = request.param
    page = browser.new_page(service_workers="block")
    page.set_default_timeout(1000 * PATIENCE)
    page.goto(f"{server.url}/print?paper={paper}&ink={ink}&language={language}&deck={deck}")
    yield Kit(ready(page), paper, language, deck)
    page.close()


def test_the_rules_are_a_booklet(kit):
    """When its sheets are nested and folded, every page is behind the one before it, and no clause is lost."""
    leaves = {int(one["text"].split()[-1]): one for one in kit.places[".folded"] if one["text"]}
    assert list(leaves) != sorted(leaves)
    assert sorted(leaves) == list(range(1, len(leaves) + 1))
    for number in range(1, len(leaves), 2):
        front, back = leaves[number], leaves[number + 1]
        assert front["top"] == pytest.approx(back["top"], abs=0.1)
        assert abs(back["sheet"] - front["sheet"]) == 1
        assert min(front["sheet"], back["sheet"]) % 2 == 0  # the two sides of one sheet
    text = "".join(kit.text(number) for number in sorted({one["sheet"] for one in leaves.values()}))
    rules = rules_text(kit.language)
    assert text.count("(R") == rules.count("(R")
    assert all(clause in text for clause in CLAUSE.findall(rules))


def test_every_page_has_the_size_of_the_paper(kit):
    assert len(kit.pdf) == kit.sheets
    for page in kit.pdf:
        size = [side * MILLIMETRES for side in page.get_size()]
        assert size == pytest.approx(PAPERS[kit.paper], abs=ROUNDING)


def test_no_text_is_cut_off(kit):
    assert kit.cut_off == []


def test_every_card_is_there_once_with_its_texts_and_its_code(kit):
    assert [one["name"]["card"] for one in kit.faces] == [str(card.number) for card in kit.deck.cards]
    for first in range(0, len(kit.deck.cards), 9):
        page = kit.faces[first]["sheet"]
        text, cards = kit.text(page), kit.deck.cards[first : first + 9]
        for card in cards:
            assert text.count(joined(card.title)) == 1
            assert text.count(f"${card.budget}M") == sum(other.budget == card.budget for other in cards)
        for face, card in zip(kit.faces[first : first + 9], cards, strict=True):
            shown = " ".join(face["text"].split())
            for wanted in (card.description, *(text for role in card.roles for text in (role.name, role.line))):
                assert wanted in shown
        assert sorted(kit.qr_codes(page)) == sorted(f"deadwood card {card.number}" for card in cards)


def test_cards_are_cut_at_their_size(kit):
    for one in (*kit.places[".front"], *kit.places["[data-back]"]):
        assert (one["width"], one["height"]) == pytest.approx((63, 88), abs=0.01)
    xs, ys = kit.cuts(kit.faces[0]["sheet"])
    assert numpy.diff(xs) == pytest.approx([63] * 3, abs=0.11)
    assert numpy.diff(ys) == pytest.approx([88] * 3, abs=0.11)
    assert xs[0] + xs[-1] == pytest.approx(PAPERS[kit.paper][0], abs=0.2)  # in the middle, so that backs meet fronts


def test_every_back_is_behind_its_front(kit):
    width = PAPERS[kit.paper][0]
    faces = zip(kit.places[".front"], kit.faces, strict=True)
    fronts = {face["name"]["card"]: front for front, face in faces}
    backs = {one["name"]["back"]: one for one in kit.places["[data-back]"]}
    assert set(fronts) == set(backs)
    for number, front in fronts.items():
        back = backs[number]
        assert front["sheet"] % 2 == 0
        assert back["sheet"] == front["sheet"] + 1
        assert back["left"] == pytest.approx(width - front["left"] - front["width"], abs=0.02)
        assert back["top"] == pytest.approx(front["top"], abs=0.02)


def test_every_area_and_every_extra_role_is_there_once_and_whole(kit):
    board = built_in_board()
    assert sorted(kit.signs) == sorted(area.id for area in board.areas)
    shown = sorted(role["name"] for role in kit.roles if role["seen"])
    extras = [translated_role(role, kit.language) for area in board.areas for role in area.extras]
    assert shown == sorted(role.name for role in extras)
    assert all(role["whole"] for role in kit.roles if role["seen"])
    assert max(role["high"] for role in kit.roles) <= 28  # below that, the next thing begins


def test_the_halves_of_a_section_make_it_whole_and_every_doorway_is_open(kit):
    halves = kit.places[".half"]
    assert len(halves) == 8
    for left, right in zip(halves[::2], halves[1::2], strict=True):
        assert left["width"] + right["width"] == pytest.approx(600 * 0.575, abs=0.01)
        assert left["height"] == right["height"] == pytest.approx(450 * 0.575, abs=0.01)
    for half in halves:
        assert half["left"] >= 9
        assert half["top"] >= 9
    assert kit.closed_doorways == 0


def test_cards_and_dice_fit_on_the_board(kit):
    for place in kit.places[".half .place"]:
        assert (place["width"], place["height"]) == pytest.approx((88, 63), abs=0.1)
    for place in kit.places[".half .slot"] + kit.places[".half .shot"]:
        assert min(place["width"], place["height"]) >= 16


def test_the_pieces_are_as_many_as_a_full_table_needs(kit):
    pieces = [one["name"]["piece"] for one in kit.places["[data-piece]"]]
    shots = sum(area.shots for area in built_in_board().areas)
    assert {kind: pieces.count(kind) for kind in ("rank", "shot", "chip", "day")} == {
        "rank": 8 * 6,
        "shot": shots,
        "chip": 8 * 5,
        "day": 1,
    }
    assert len(kit.places[".aid"]) == 8
    assert {one["name"]["bill"] for one in kit.places["[data-bill]"]} == {"1", "5", "20"}


def test_doorways_line_up_however_sections_are_laid(server):
    sides = [doorways_by_side(section["plan"]) for section in server.get("/api/kit")["sections"]]
    assert len(sides) == 4
    for found in sides:
        assert found == sides[0]
        assert found["left"] == found["right"]
        assert found["top"] == found["bottom"]
        assert found["left"] == {450 - y for y in found["left"]}  # even if one is turned
        assert found["top"] == {600 - x for x in found["top"]}


def doorways_by_side(plan):
    at = [tuple(door["at"]) for door in plan["doorways"] if door["between"][1] is None]
    return {
        "left": {y for x, y in at if x == 0},
        "right": {y for x, y in at if x == 600},
        "top": {x for x, y in at if y == 0},
        "bottom": {x for x, y in at if y == 450},
    }


def test_a_link_says_everything_and_follows_the_choices(visitors, server):
    page = visitors(server.url, path="/print?paper=letter&ink=saving&sides=one&players=3&parts=measure,pieces,host")
    ready(page)
    expect(page.get_by_label("Paper")).to_have_value("letter")
    expect(page.get_by_label("Ink")).to_have_value("saving")
    expect(page.get_by_label("Players")).to_have_value("3")
    expect(page.locator(".sheet")).to_have_count(4)  # the test page and its back, pieces, the checklist
    expect(page.locator("[data-piece=rank]")).to_have_count(18)
    page.get_by_label("Paper").select_option("a4")
    page.get_by_role("combobox", name="Deck").select_option("studio")
    page.get_by_label("Players").select_option("4")
    page.get_by_label("Printer").select_option("two")
    page.get_by_label("Scene cards").check()
    page.get_by_label("Host’s checklist").uncheck()
    expect(page.locator(".front")).to_have_count(60)
    query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(page.url).query))
    assert query == {
        "paper": "a4",
        "ink": "saving",
        "sides": "two",
        "language": "en",
        "deck": "studio",
        "players": "4",
        "parts": "measure,cards,pieces",
    }


def test_the_start_page_and_the_rules_lead_there(visitors, server):
    page = visitors(server.url, path="/rules")
    expect(page.get_by_role("link", name="Print and play")).to_have_attribute("href", "/print")
    page.goto(server.url)
    page.get_by_role("link", name="Print and play").click()
    expect(page.get_by_role("heading", name="Print and play")).to_be_visible()


def test_your_own_files_can_be_dropped_on_the_page(visitors, server):
    page = ready(visitors(server.url, path="/print?parts=cards,board,aids", forgiven=("422",)))
    drop(page, own_files.DECK)
    expect(page.locator(".face .title").first).to_have_text("Reel 101")
    expect(page.get_by_role("combobox", name="Deck").locator("option:checked")).to_have_text(own_files.DECK_NAME)
    drop(page, own_files.BOARD)
    expect(page.locator(".half [data-area=opera-house]").first).to_be_attached()
    expect(page.locator(".aid").first).to_contain_text("dollars 3 10", use_inner_text=True)
    assert page.evaluate(CUT) == []
    drop(page, own_files.DECK.replace("budget = 4", "budget = 9", 1))
    expect(page.get_by_role("alert")).to_contain_text(re.compile("game.deadwood: .*must be at most 6"))
    expect(page.locator(".face .title").first).to_have_text("Reel 101")
    page.get_by_role("button", name="Remove").first.click()
    expect(page.locator(".face .title").first).to_have_text("A Stranger in the Wrong Town")
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.locator(".half [data-area=opera-house]").first).to_be_attached()


def test_printing_waits_for_the_deck_that_was_chosen(visitors, server):
    page = visitors(server.url, path="/print?parts=cards", scripts=[HOLDING])
    ready(page)
    hold(page, "/api/kit")
    page.get_by_role("combobox", name="Deck").select_option("studio")
    wait_for_held(page)
    expect(page.get_by_role("button", name="Print", exact=True)).to_be_disabled()
    expect(page.locator("main")).to_have_attribute("data-ready", "false")
    release(page)
    ready(page)
    expect(page.locator(".face")).to_have_count(60)


def test_a_wrong_file_that_comes_first_takes_nothing_away(visitors, server):
    page = visitors(server.url, path="/print?parts=cards", scripts=[holding("/api/rules")], forgiven=("422",))
    wait_for_held(page)
    page.locator("input[type=file]").set_input_files({"name": "x.toml", "mimeType": "", "buffer": b"nothing of ours"})
    expect(page.get_by_role("alert")).to_contain_text("x.toml: ")
    release(page)
    ready(page)
    expect(page.locator(".face")).to_have_count(40)
    expect(page.get_by_role("alert")).to_contain_text("x.toml: ")


def test_your_own_deck_and_board_become_a_pdf(tmp_path):
    deck = tmp_path / "night.toml"
    deck.write_text(OWN_DECK, "utf-8")
    board = tmp_path / "board.toml"
    own = (DATA / "board.toml").read_text("utf-8").replace("Saloon", "Opera House").replace("[4, 10,", "[3, 11,")
    board.write_text(own, "utf-8")
    pdf = tmp_path / "kit.pdf"
    command = [sys.executable, "-m", "deadwood", "print", "--deck", deck, "--board", board, "--pdf", pdf]
    done = subprocess.run(command, capture_output=True, text=True, timeout=2 * PATIENCE, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    made = pypdfium2.PdfDocument(pdf)
    pages = [text_of(page) for page in made]
    for card in load_deck(deck).cards:
        assert sum(page.count(joined(card.title)) for page in pages) == 1
    assert any("dollars311182840" in page for page in pages)
    assert any("SarsaparillaSipper" in page for page in pages)


OWN_DECK = """
name = "Night shift"
[[cards]]
number = 7
title = "The Sheriff Who Could Not Say No to a Second Helping of Beans"
scene = 3
description = "A description that goes on and on, as people do when nobody has the heart to stop them."
budget = 6
roles = [
  { rank = 1, name = "Sheriff of Unpronounceabledownstreamville", line = "Beans! More beans! My kingdom for beans!" },
  { rank = 6, name = "Bean", line = "..." },
]
[[cards]]
number = 999
title = "X"
scene = 9999
description = "Y"
budget = 2
roles = [{ rank = 3, name = "Z", line = "?" }]
"""
