"""A phone, held either way: long press, pinch, drag, and everything within reach of a thumb."""

import pytest
from playwright.sync_api import expect

from .playing import CHOICES, running_game

UPRIGHT = {"width": 360, "height": 740}
SIDEWAYS = {"width": 740, "height": 360}
SIZE_OF_BOARD = "document.querySelector('.board').getBoundingClientRect().width"
FLOORS_AS_THEY_COME = """
  window.came = [];
  new MutationObserver((changes) => {
    for (const { id, localName } of changes.flatMap(({ addedNodes }) => [...addedNodes]))
      if (localName === "clipPath") came.push(id.replace("clip-", ""));
  }).observe(document, { childList: true, subtree: true });
"""
EVERY_FLOOR_CAME = "() => came.length && came.length === document.querySelectorAll('.places .place').length"
CLEARLY = 20  # pixels by which a place is clearly in sight, or clearly not
LEFT_OF_BOARD = "document.querySelector('.board').getBoundingClientRect().left"


class Fingers:
    """Touches, as a touchscreen reports them to the browser."""

    def __init__(self, page):
        self._device = page.context.new_cdp_session(page)

    def touch(self, *points):
        self._send("touchStart", points)

    def move(self, *points):
        self._send("touchMove", points)

    def lift(self):
        self._send("touchEnd", ())

    def _send(self, type, points):
        touches = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self._device.send("Input.dispatchTouchEvent", {"type": type, "touchPoints": touches})


@pytest.fixture
def phone(visitors, server):
    """Ada's turn on a phone."""

    def start(viewport=UPRIGHT, **more):
        code, tokens = running_game(server, "Ada", bots=["random"], first="Ada")
        options = {"viewport": viewport, "has_touch": True, "is_mobile": True, "device_scale_factor": 2, **more}
        page = visitors(server.url, path=f"/t/{code}", seats={code: tokens}, **options)
        page.locator(".game.mine").wait_for()
        return page, Fingers(page)

    return start


def visible_point(page, selector):
    """A point on the screen where a finger touches this and nothing else."""
    found = page.wait_for_function(
        """(selector) => {
          const board = document.querySelector(".viewport").getBoundingClientRect();
          for (let y = board.top + 5; y < board.bottom; y += 5)
            for (let x = board.left + 5; x < board.right; x += 5)
              if (document.elementFromPoint(x, y)?.matches(selector)) return [x, y];
        }""",
        arg=selector,
    )
    return found.json_value()


def test_a_long_press_says_why_not_and_what_would_be_and_does_nothing(phone):
    page, fingers = phone()
    seq = page.locator(".game").get_attribute("data-seq")
    page.get_by_role("button", name="Fit the board").tap()
    for selector, sentence in (
        (".place:not(.allowed):not(.here)", "There is no doorway"),
        (".place.allowed", "Move to"),
    ):
        fingers.touch(visible_point(page, selector))
        expect(page.get_by_role("tooltip")).to_contain_text(sentence)
        fingers.lift()
        expect(page.get_by_role("tooltip")).to_have_count(0)
    expect(page.get_by_role("alert")).to_have_count(0)
    assert page.locator(".game").get_attribute("data-seq") == seq


def test_visible_parts_are_drawn_first(phone):
    page, _ = phone(scripts=(FLOORS_AS_THEY_COME,))
    page.wait_for_function(EVERY_FLOOR_CAME)
    seen = page.evaluate(
        """() => {
          const box = document.querySelector(".viewport").getBoundingClientRect();
          const seen = ({ left, right, top, bottom }) =>
            Math.min(right - box.left, box.right - left, bottom - box.top, box.bottom - top);
          const places = [...document.querySelectorAll(".places .place")];
          return places.map((place) => [place.id.replace("place-", ""), seen(place.getBoundingClientRect())]);
        }"""
    )
    came = page.evaluate("came")
    first = [came.index(area) for area, depth in seen if depth > CLEARLY]
    last = [came.index(area) for area, depth in seen if depth < -CLEARLY]
    assert max(first) < min(last)
    stand = page.locator(".backdrop clipPath").evaluate_all("all => all.map(({ id }) => id.replace('clip-', ''))")
    assert stand == [area for area, _ in seen]  # still in the order of the board


def test_two_fingers_enlarge_the_board_and_one_moves_it(phone):
    page, fingers = phone()
    page.get_by_role("button", name="Fit the board").tap()
    page.wait_for_function(f"() => {SIZE_OF_BOARD} < innerWidth")
    whole = page.evaluate(SIZE_OF_BOARD)
    seq = page.locator(".game").get_attribute("data-seq")
    fingers.touch((150, 200), (200, 200))
    for step in range(1, 11):
        fingers.move((150 - 10 * step, 200), (200 + 10 * step, 200))
    fingers.lift()
    page.wait_for_function(f"(whole) => whole * 3 < {SIZE_OF_BOARD} && {SIZE_OF_BOARD} < whole * 6", arg=whole)
    left = page.evaluate(LEFT_OF_BOARD)
    fingers.touch((200, 200))
    for step in range(1, 11):
        fingers.move((200 - 8 * step, 200))
    fingers.lift()
    page.wait_for_function(f"(left) => left - 90 < {LEFT_OF_BOARD} && {LEFT_OF_BOARD} < left - 60", arg=left)
    assert page.locator(".game").get_attribute("data-seq") == seq


@pytest.mark.parametrize("viewport", [UPRIGHT, SIDEWAYS])
def test_board_and_actions_are_in_sight_and_in_reach(phone, viewport):
    page, _ = phone(viewport)
    size = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    assert size == [viewport["width"], viewport["height"]]
    expect(page.locator(CHOICES).first).to_be_in_viewport()
    expect(page.locator(".turn")).to_be_in_viewport()
    board = page.locator(".viewport").bounding_box()
    assert board["width"] * board["height"] > 0.35 * viewport["width"] * viewport["height"]
    small = [box for box in (one.bounding_box() for one in page.locator(CHOICES).all()) if box["height"] < 32]
    assert small == []
    page.locator(".actions [data-action^=move]").first.tap()
    expect(page.locator(".log .row").last).to_contain_text("Ada")
