"""Learning to play: the lessons in a real browser, by mouse, by keyboard and on a phone."""

import json
import re

import pytest
from playwright.sync_api import expect

from deadwood.lessons import LESSONS, built_in_lesson

from .playing import DRAWN_LAST, go
from .test_pages import BOTH, problems

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
LOOKED_AT = "ranks"  # the lesson that axe checks, step by step
STEPS = built_in_lesson("first-scene").script.steps
IS_NARROW = f"document.documentElement.scrollWidth <= {PHONE['viewport']['width']}"
# Whether the director points at something in sight, and nothing lies over the middle of what is in sight.
IS_UNCOVERED = """() => {
  const all = [...document.querySelectorAll(".lit, .pointed")];
  const middle = (one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return [(left + right) / 2, (top + bottom) / 2];
  };
  const inSight = all.filter((one) => middle(one)[0] < innerWidth && middle(one)[1] < innerHeight);
  const isOnTop = (one) => {
    const found = document.elementFromPoint(...middle(one));
    return one === found || one.contains(found) || (one.closest(".board") && found?.closest(".board"));
  };
  return inSight.length > 0 && inSight.every(isOnTop);
}"""


def is_asked(page, step, language="en", script=STEPS):
    """Expect the director to ask for this step's decision."""
    expect(page.locator(f".coach[data-step='{step}'] .caption")).to_have_text(script[step].caption[language])


def choose(page, action):
    page.locator(f'.actions [data-action="{action}"]').click()


@pytest.fixture
def lesson(visitors, server):
    """Opens a lesson at one of its steps."""

    def start(name="first-scene", step=0, **more):
        kept = json.dumps(json.dumps({name: {"step": step, "done": False}}))
        once = f"localStorage.getItem('deadwood lessons') ?? localStorage.setItem('deadwood lessons', {kept})"
        return visitors(server.url, path=f"/learn/{name}", scripts=[once], **more)

    return start


def test_the_first_lesson_by_mouse(visitors, server):
    """On the board where possible; every step has a wrong choice that costs nothing."""
    page = visitors(server.url)
    page.get_by_role("link", name="Learn to play").first.click()
    is_asked(page, 0)
    expect(page.locator("#place-ranch")).to_have_class(re.compile(r"\blit\b"))
    page.locator("#place-saloon").click()
    expect(page.locator(".objection")).to_have_text(STEPS[0].not_now["move"]["en"])
    page.locator("#place-hotel").click(position={"x": 150, "y": 300})
    expect(page.locator(".inspector")).to_contain_text("There is no doorway")
    page.locator("#place-ranch").click(position={"x": 200, "y": 180})
    is_asked(page, 1)
    expect(page.locator(".objection")).to_have_count(0)
    page.locator(".role", has_text="Union Scarecrow").click()
    expect(page.locator(".objection")).to_have_text(STEPS[1].not_now["take extra"]["en"])
    page.locator(".role.pointed", has_text="Breakaway Chair").click()
    is_asked(page, 2)
    expect(page.locator(".actions .lit")).to_have_count(2)
    choose(page, "act")
    expect(page.locator(".objection")).to_have_text(STEPS[2].not_now["act"]["en"])
    for step in range(2, 5):
        is_asked(page, step)
        choose(page, STEPS[step].action)
    is_asked(page, 5)
    page.locator(".prices .allowed").click()
    is_asked(page, 6)
    page.get_by_role("tab", name="Log").click()
    expect(page.locator(".log")).to_contain_text("Frankie rises from rank 1 to rank 2")
    choose(page, "end")
    ending = page.locator(".ending")
    expect(ending).to_contain_text(built_in_lesson("first-scene").script.closing["en"])
    expect(ending.get_by_role("listitem")).to_have_count(len(built_in_lesson("first-scene").script.learned))
    expect(page.locator(".actions")).to_have_count(0)
    expect(page.locator(".turn")).to_contain_text("Day 2 of 3")
    ending.get_by_role("link", name="Next lesson").click()
    is_asked(page, 0, script=built_in_lesson(LESSONS[1]).script.steps)
    page.get_by_role("link", name="Leave").click()
    expect(page.get_by_role("listitem").filter(has_text="Your first scene")).to_contain_text("done")
    page.get_by_role("link", name="Deadwood, home").click()
    expect(page.get_by_text("New here?")).to_have_count(0)
    expect(page.get_by_role("link", name="Learn to play")).to_be_visible()


def test_the_first_lesson_by_keyboard_on_a_phone_in_german(visitors, server):
    page = visitors(server.url, settings={"language": "de"}, **PHONE)

    def tab_to(selector):
        page.locator(selector).first.wait_for()
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
                return
        raise AssertionError(f"Tab does not reach {selector}")

    tab_to("a[href='/learn/first-scene']")
    page.keyboard.press("Enter")
    for step, coaching in enumerate(STEPS):
        is_asked(page, step, "de")
        assert page.evaluate(IS_NARROW)
        page.locator(DRAWN_LAST).first.wait_for()  # the board is drawn after the director
        page.wait_for_function(IS_UNCOVERED)
        if step:
            expect(page.locator(".coach:focus, .bar :focus")).to_have_count(1)  # nothing was lost
        tab_to(f"[data-action='{coaching.action}']")
        page.keyboard.press("Enter")
    expect(page.locator(".ending h2")).to_be_focused()
    tab_to("a[href='/learn/rehearse-or-act']")
    tab_to(".ending button")
    page.keyboard.press("Enter")
    page.locator(".game.mine").wait_for()
    expect(page).to_have_url(re.compile("/t/"))
    expect(page.locator(".coach")).to_have_count(0)


def test_an_objection_is_in_sight_on_a_phone_on_its_side(lesson):
    page = lesson(**PHONE | {"viewport": {"width": 844, "height": 390}})
    is_asked(page, 0)
    page.locator(".side").evaluate("(side) => side.scrollTo(0, side.scrollHeight)")
    expect(page.locator(".caption")).not_to_be_in_viewport()
    page.locator(".actions [data-action=end]").dispatch_event("click")  # tapping would scroll back
    expect(page.locator(".objection")).to_be_in_viewport(ratio=1)


def is_taken(page, name):
    """Expect the lesson to be over."""
    found = built_in_lesson(name)
    expect(page.locator(".ending")).to_contain_text(found.script.closing["en"])
    expect(page.locator(".ending .ranking")).to_have_count(int(found.game.over))


@pytest.mark.parametrize("name", [name for name in LESSONS[1:] if name != LOOKED_AT])
def test_every_other_lesson_is_taken_to_its_end(lesson, name):
    script = built_in_lesson(name).script
    page = lesson(name)
    for step, coaching in enumerate(script.steps):
        is_asked(page, step, script=script.steps)
        choose(page, coaching.action)
    is_taken(page, name)


def test_a_lesson_can_be_left_and_resumed_and_started_over(lesson, server):
    page = lesson()
    for step in range(2):
        is_asked(page, step)
        choose(page, STEPS[step].action)
    is_asked(page, 2)
    page.get_by_role("link", name="Leave").click()
    page.get_by_role("link", name="Resume at decision 3 of 7").click()
    is_asked(page, 2)
    expect(page.locator(".log")).to_contain_text("Mabel")
    page.reload()
    is_asked(page, 2)
    page.get_by_role("button", name="Start over").click()
    is_asked(page, 0)
    page.reload()
    is_asked(page, 0)
    assert page.evaluate("localStorage.getItem('deadwood visits')") is None  # a lesson is no table


def test_the_director_waits_until_everything_was_shown(lesson):
    page = lesson(step=3, settings={"speed": "normal"}, stopped_clock=True)
    is_asked(page, 3)
    choose(page, "act")
    expect(page.locator(".coach .rolling")).to_be_visible()
    expect(page.locator(".coach .caption")).to_have_count(0)
    expect(page.locator(".lit")).to_have_count(0)
    page.keyboard.press("s")
    is_asked(page, 4)


def test_nothing_moves_where_motion_is_reduced(lesson):
    page = lesson(settings={"speed": "normal"}, reduced_motion="reduce")
    is_asked(page, 0)
    moving = "(all) => all.map((one) => getComputedStyle(one).animationName)"
    names = page.locator(".lit, .director *").evaluate_all(moving)
    assert set(names) == {"none"}


def test_keys_that_help_in_a_game_do_nothing_in_a_lesson(lesson):
    page = lesson(step=1)
    is_asked(page, 1)
    for key in "uh":
        page.keyboard.press(key)
    page.keyboard.press("?")  # this key is handled after the others
    expect(page.get_by_role("dialog")).to_be_visible()
    is_asked(page, 1)
    for name in ("Undo", "Hint"):
        expect(page.locator(".actions").get_by_role("button", name=name)).to_have_count(0)


def test_the_language_can_change_in_the_middle(lesson):
    page = lesson(step=2)
    is_asked(page, 2)
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Language").select_option("de")
    page.keyboard.press("Escape")
    is_asked(page, 2, "de")
    choose(page, STEPS[2].action)
    is_asked(page, 3, "de")


def test_a_lesson_that_does_not_exist_gets_a_sentence_and_a_way_back(visitors, server):
    page = visitors(server.url, path="/learn/juggling", forgiven=("404",))
    expect(page.get_by_role("alert")).to_contain_text("There is no lesson 'juggling'")
    page.get_by_role("link", name="All lessons").click()
    expect(page.get_by_role("listitem")).to_have_count(len(LESSONS))


def test_people_who_have_played_are_not_newcomers(visitors, server):
    page = visitors(server.url)
    expect(page.get_by_text("New here?")).to_be_visible()
    page.get_by_role("button", name="Play now").click()
    page.locator(".game.mine").wait_for()
    page.goto(server.url)
    expect(page.get_by_role("button", name="Play now")).to_be_visible()
    expect(page.get_by_text("New here?")).to_have_count(0)


@pytest.mark.parametrize(("screen", "themes"), [({}, BOTH), (PHONE, BOTH[:1])], ids=["desktop", "phone"])
def test_no_lesson_shuts_anybody_out(lesson, server, screen, themes):
    """Checks the whole page at first, then what the director changes, to the end of the lesson."""
    page = lesson(LOOKED_AT, bypass_csp=True, **screen)
    script = built_in_lesson(LOOKED_AT).script
    part = None
    for step, coaching in enumerate(script.steps):
        is_asked(page, step, script=script.steps)
        assert problems(page, part=part, themes=themes) == []
        part = {"include": [[".side"], [".lit"], [".pointed"]]}
        if step == 0:
            choose(page, "upgrade 2 dollars")
            page.locator(".objection").wait_for()
            assert problems(page, part=part, themes=themes) == []
        choose(page, coaching.action)
    is_taken(page, LOOKED_AT)
    assert problems(page, themes=themes) == []
    go(page, "/learn")
    page.locator(".lessons .mark").wait_for()
    assert problems(page, themes=themes) == []
