"""Drama where it happens: rolls, wraps and pay on the set itself, and the finale of a game."""

import struct
from pathlib import Path

import pytest
from playwright.sync_api import expect

from deadwood import Game
from deadwood.engine.events import Acted, SceneWrapped
from deadwood.finale import finale

from .conftest import USUAL
from .playing import DRAWN_LAST, drop, resize
from .test_pages import BOTH, problems

RECORD = (Path(__file__).parents[1] / "engine" / "golden" / "03-4p.deadwood").read_text("utf-8")
GAME = Game.from_record(RECORD)
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
LONG = 60_000  # milliseconds: enough time to show anything
SHARING = """
  window.shared = [];
  navigator.canShare = (what) => what.files?.length === 1;
  navigator.share = async (what) => void shared.push({ name: what.files[0].name, kind: what.files[0].type });
"""


def step_with(kind, wanted):
    """The number of the first step with such an event, and the event."""
    return next(
        (number, event)
        for number, step in enumerate(GAME.steps, 1)
        for event in step.events
        if isinstance(event, kind) and wanted(event)
    )


@pytest.fixture
def replay(visitors, server):
    """Opens the record just before a step, on a page whose clock stands still."""

    def before(number, **options):
        chosen = {"settings": {"speed": "normal"}, "stopped_clock": True, **options}
        page = visitors(server.url, path="/replay", **chosen)
        drop(page, RECORD)
        page.get_by_role("slider").fill(str(number - 1))
        expect(page.locator(".where")).to_contain_text(f"step {number - 1} of")
        page.evaluate("document.activeElement.blur()")
        page.locator(DRAWN_LAST).first.wait_for()
        return page

    return before


def middle(box):
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def inside(page, wanted, outer):
    """The boxes of these elements that lie in an outer one, from left to right."""
    boxes = (one.bounding_box() for one in page.locator(wanted).all())
    left, top, right, bottom = outer["x"], outer["y"], outer["x"] + outer["width"], outer["y"] + outer["height"]
    found = [box for box in boxes if left < middle(box)[0] < right and top < middle(box)[1] < bottom]
    return sorted(found, key=lambda box: box["x"])


def card_in(page, area):
    (card,) = inside(page, ".board .card", page.locator(f"#place-{area}").bounding_box())
    return card


def is_over_card(page, area):
    """Whether the rolled die lies on the head of the card there."""
    felt, card = page.locator(".drama .felt").bounding_box(), card_in(page, area)
    return card["x"] < middle(felt)[0] < card["x"] + card["width"] and abs(felt["y"] - card["y"]) < felt["height"]


@pytest.mark.parametrize("screen", [{}, PHONE], ids=["desktop", "phone"])
def test_a_roll_lands_on_its_card_in_the_players_colour_and_follows_every_zoom(replay, screen):
    number, event = step_with(Acted, lambda acted: acted.success and acted.kind == "star" and acted.shots_left)
    page = replay(number, **screen)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".drama .bubble")).to_contain_text(event.line)
    landed = page.locator(".drama .felt svg.die")
    expect(landed).to_be_visible()
    expect(page.locator(".drama .verdict")).to_contain_text("Success!")
    expect(page.locator(".drama .shot .clapper")).to_be_visible()
    seat = GAME.state.table.names.index(event.player)
    body = "svg.die rect:nth-of-type(2)"
    painted = page.locator(f".drama .felt {body}").get_attribute("fill")
    assert painted == page.locator(f"[data-piece='{seat}'] {body}").get_attribute("fill")
    assert is_over_card(page, event.area_id)
    page.keyboard.press("+")
    assert is_over_card(page, event.area_id)
    page.clock.run_for(LONG)
    expect(page.locator(".drama > *")).to_have_count(0)


def test_a_gain_is_green_also_after_a_miss(replay):
    number, _ = step_with(Acted, lambda acted: not acted.success and acted.dollars)
    page = replay(number)
    page.keyboard.press("ArrowRight")
    gain = page.locator(".drama .verdict b")
    expect(gain).to_have_text("+1")
    red, green, _ = gain.evaluate("(one) => getComputedStyle(one).color.match(/[0-9]+/g).map(Number)")
    assert green > 1.5 * red


def test_bonus_dice_lie_below_their_roles_with_their_sums(replay):
    number, event = step_with(
        SceneWrapped, lambda wrap: len(wrap.shares) > 1 and sum(share.player is not None for share in wrap.shares)
    )
    page = replay(number, reduced_motion="reduce")
    page.get_by_label("Speed").select_option("1×")
    page.get_by_role("button", name="Play", exact=True).click()  # with less motion, stepping shows only the end
    page.clock.run_for(2_000)
    expect(page.locator(".drama .stamp")).to_be_visible()
    expect(page.locator(".drama svg.die")).to_have_count(len(event.dice))
    sums = [f"+{sum(share.dice)}" for share in event.shares if share.player and share.dice]
    expect(page.locator(".drama .sum")).to_have_text(sums)
    card = card_in(page, event.area_id)
    stars = inside(page, ".role.star", card)
    roles = [stars[share.role_number] for share in event.shares]
    for number, die in enumerate(page.locator(".drama svg.die").all()):
        box, role = die.bounding_box(), roles[number % len(roles)]
        assert abs(middle(box)[0] - middle(role)[0]) < 60
        assert box["y"] > card["y"]


def test_nothing_moves_where_motion_is_reduced(replay):
    number, event = step_with(Acted, lambda acted: acted.success)
    page = replay(number, reduced_motion="reduce")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".where")).to_contain_text(f"step {number} of")
    expect(page.locator(".sentences")).to_contain_text(event.line)
    page.get_by_role("button", name="Play", exact=True).click()
    page.locator(".drama, .sentences p").first.wait_for()
    assert page.evaluate("document.getAnimations().length") == 0


def test_a_replay_is_skipped_and_stepped_back(replay):
    number, event = step_with(Acted, lambda acted: acted.success)
    page = replay(number)
    page.get_by_role("button", name="Next step").click()
    expect(page.locator(".drama .verdict")).to_be_attached()
    expect(page.locator(".sentences")).not_to_contain_text(event.line)
    page.get_by_role("button", name="Skip").click()
    expect(page.locator(".drama")).to_have_count(0)
    expect(page.locator(".sentences")).to_contain_text(event.line)
    page.get_by_role("button", name="Back a step").click()
    expect(page.locator(".where")).to_contain_text(f"step {number - 1} of")
    expect(page.get_by_label("Speed").locator("option")).to_have_text(["0.5×", "1×", "2×", "4×"])


def test_a_replay_that_has_played_ends_with_the_finale(replay):
    page = replay(len(GAME.steps) - 1)
    page.get_by_label("Speed").select_option("4×")
    page.get_by_role("button", name="Play", exact=True).click()
    dialog = page.get_by_role("dialog")
    for _ in range(30):
        page.clock.run_for(1_000)
        if dialog.count():
            break
    expect(dialog.get_by_role("img")).to_have_accessible_name(f"Movie poster: “{poster_title()}”, starring {winner()}")
    expect(page.locator(".board")).to_contain_text("Unfinished")
    dialog.get_by_role("button", name="View the board").click()
    expect(dialog).to_have_count(0)
    page.get_by_role("button", name="Finale").click()
    expect(dialog).to_be_visible()


def winner():
    return GAME.standings()[0].name


def poster_title():
    part = finale(GAME.state, GAME.events).poster.part
    return next(card.title for card in GAME.state.table.cards if card.number == part.card)


# --- the finale of a table


def png_size(data):
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    return struct.unpack(">II", data[16:24])


def test_the_poster_is_saved_and_shared(visitors, server, finished, tmp_path):
    page = visitors(server.url, path=f"/t/{finished}", scripts=[SHARING])
    dialog = page.get_by_role("dialog")
    with page.expect_download() as loading:
        dialog.get_by_role("button", name="Save the poster").click()
    loading.value.save_as(tmp_path / "poster.png")
    data = (tmp_path / "poster.png").read_bytes()
    assert png_size(data) == (1000, 1500)
    assert len(data) > 50_000  # a drawing, not an empty page
    dialog.get_by_role("button", name="Share").click()
    page.wait_for_function("() => shared.length")
    assert page.evaluate("shared[0]") == {"name": loading.value.suggested_filename, "kind": "image/png"}


def test_the_finale_shows_what_the_server_counted_and_leaves_the_board(visitors, server, finished):
    page = visitors(server.url, path=f"/t/{finished}", settings={"speed": "off"})
    view = server.get(f"/api/tables/{finished}")
    end, dialog = view["finale"], page.get_by_role("dialog")
    expect(dialog.locator(".cash .total")).to_have_text([f"${one['total']}" for one in end["cashed_out"]])
    assert [one["total"] for one in end["cashed_out"]] == [one["score"] for one in view["standings"]]
    rows = dialog.get_by_role("listitem")
    expect(rows).to_have_count(len(end["awards"]))
    for award, row in zip(end["awards"], rows.all(), strict=True):
        for player in award["players"]:
            expect(row).to_contain_text(player)
    reel = dialog.get_by_role("group", name="Credits")
    for billing in end["billing"]:
        expect(reel).to_contain_text(billing["player"])
    expect(page.locator(".credits").get_by_role("button", name="Roll the credits")).to_be_visible()
    assert reel.evaluate("(one) => one.scrollTop") == 0  # nothing moves by itself
    page.get_by_role("button", name="View the board").click()  # there, only finished scenes are stamped
    sets = len(view["position"]["state"]["sets"])
    expect(page.locator(".board").get_by_text("Unfinished")).to_have_count(1)
    expect(page.locator(".board .stamp")).to_have_count(sets - 1)
    page.get_by_role("button", name="Final scores", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_credits_roll_until_somebody_stops_them(visitors, server, finished):
    page = visitors(server.url, path=f"/t/{finished}", settings={"speed": "normal"})
    reel = page.get_by_role("group", name="Credits")
    reel.wait_for()
    assert reel.evaluate("(one) => one.scrollTop") == 0  # nobody has seen them yet
    reel.scroll_into_view_if_needed()
    page.wait_for_function("() => document.querySelector('.reel').scrollTop > 3")
    page.locator(".credits").get_by_role("button", name="Pause").click()
    expect(page.locator(".credits").get_by_role("button", name="Roll the credits")).to_be_visible()


def test_credits_that_nobody_sees_cost_nothing(visitors, server, finished):
    page = visitors(server.url, path=f"/t/{finished}", settings={"speed": "normal"}, stopped_clock=True)
    page.get_by_role("group", name="Credits").wait_for(state="attached")
    page.clock.run_for(1_000)  # let pending frames be drawn
    page.evaluate(
        """() => {
          const real = requestAnimationFrame;
          window.drawn = 0;
          window.requestAnimationFrame = (callback) => (window.drawn++, real(callback));
        }"""
    )
    page.clock.run_for(1_000)
    assert page.evaluate("drawn") == 0
    page.get_by_role("group", name="Credits").scroll_into_view_if_needed()
    page.locator(".credits").get_by_role("button", name="Pause").wait_for()
    page.wait_for_function("() => drawn > 0")


def test_the_finale_shuts_nobody_out(visitors, server, finished):
    """Only the finale is checked, because nothing else can be used while it is shown."""
    page = visitors(server.url, path=f"/t/{finished}", bypass_csp=True)
    page.locator("dialog .poster").wait_for()
    for size, themes in ((USUAL["viewport"], BOTH), (PHONE["viewport"], BOTH[:1])):
        resize(page, **size)
        assert problems(page, part="dialog", themes=themes) == []
        inner, whole = page.locator("dialog").evaluate("(one) => [one.clientWidth, one.scrollWidth]")
        assert whole <= inner
