"""Every lesson is played from start to end through the engine, and every action is tried at every step."""

import re

import msgspec
import pytest

from deadwood import Game, narrate
from deadwood.bots.role_value import Work, acting, rehearsing
from deadwood.engine import rules
from deadwood.engine.actions import ACT, REHEARSE
from deadwood.engine.legality import plausible_actions
from deadwood.engine.notation import format_action, parse_action
from deadwood.engine.odds import act_odds, expectation
from deadwood.engine.refusal import Refusal
from deadwood.lessons import LESSONS, built_in_lesson
from deadwood.lessons.lesson import DATA
from deadwood.narration import TEXTS, languages

STEPS = [(name, step) for name in LESSONS for step in range(built_in_lesson(name).steps)]
TURN = 1.5  # about how many points a turn is worth elsewhere


@pytest.fixture(params=LESSONS)
def lesson(request):
    return built_in_lesson(request.param)


@pytest.fixture(params=STEPS, ids=lambda one: f"{one[0]}-{one[1] + 1}")
def stop(request):
    name, step = request.param
    return built_in_lesson(name).stops[step]


def test_every_file_is_a_lesson_that_is_listed():
    assert {path.stem for path in DATA.iterdir()} == set(LESSONS)


def test_a_lesson_is_played_from_start_to_end(lesson):
    """Taking the steps, while the others play as the record says, leads to every stop and to the end."""
    begin = lesson.stops[0].number
    lines = lesson.script.record.splitlines()
    blank = lines.index("")
    game = Game.from_record("\n".join(lines[: blank + 1 + begin]))
    for step, coaching in enumerate(lesson.script.steps):
        assert game.state == lesson.stops[step].state
        assert game.state.active == lesson.seat
        after = lesson.stops[step + 1]
        assert lesson.objection(step, parse_action(coaching.action)) is None
        for played in after.played:
            assert (played.step.seat == lesson.seat) == (played is after.played[0])
            assert not game.over
            prefix = lines[: blank + 1 + played.number]
            closing = lines[-1:] if played.after.over else []
            game = Game.from_record("\n".join([*prefix, *closing]))
            assert game.last_step == played.step
            assert game.state == played.after
    assert game.state == lesson.stops[-1].state == lesson.game.state
    assert lesson.stops[-1].coaching is None


@pytest.mark.parametrize(("name", "step"), STEPS)
def test_every_action_at_every_step_goes_on_or_gets_a_reason(name, step):
    lesson = built_in_lesson(name)
    state = lesson.stops[step].state
    goes_on = []
    for action in plausible_actions(state):
        objection = lesson.objection(step, action)
        if objection is None:
            goes_on.append(format_action(action))
        elif isinstance(objection, Refusal):
            assert objection == rules.refusal(state, action)
            assert all(narrate(objection, language) for language in languages())
        else:
            assert action in rules.legal_actions(state)
            assert set(objection) == set(languages())
    assert goes_on == [lesson.script.steps[step].action]


def test_nothing_is_asked_when_a_lesson_is_over(lesson):
    with pytest.raises(ValueError, match="is over"):
        lesson.objection(lesson.steps, ACT)


def test_the_first_lesson_teaches_a_whole_day():
    lesson = built_in_lesson("first-scene")
    assert 5 <= lesson.steps <= 7
    happened = {type(event).__name__ for stop in lesson.stops for one in stop.played for event in one.step.events}
    taught = {"Moved", "CardTurned", "RoleTaken", "Rehearsed", "Acted", "SceneWrapped", "BonusPaid", "Upgraded"}
    assert happened >= {*taught, "DayEnded", "DayStarted"}


def test_chances_in_captions_are_those_of_the_engine(stop):
    odds = act_odds(stop.state)
    chances = {round(100 * chance) for chance in (odds.chance, odds.chance_rehearsed)} if odds else set()
    for texts in (stop.coaching.caption, *stop.coaching.not_now.values()):
        for text in texts.values():
            assert {int(number) for number in re.findall(r"(\d+)\s?%", text)} <= chances, text


def test_the_director_rehearses_and_acts_as_the_exact_solution_does(stop):
    """A role alone on a set is solved exactly. If two choices are equally good, the director may take either."""
    player, odds = stop.state.players[stop.state.active], act_odds(stop.state)
    if odds is None:
        return
    area = player.area
    budget = stop.state.card(area).budget
    bonus = float(expectation(odds.bonus))
    work = Work(player.starring, budget, stop.state.shots[area], player.chips, bonus)
    better = acting(work, TURN) - rehearsing(work, TURN)
    chosen = parse_action(stop.coaching.action)
    assert chosen in (ACT, REHEARSE)
    assert (better if chosen == ACT else -better) >= -1e-9


@pytest.mark.parametrize("language", languages())
def test_sums_are_right_at_the_end_of_a_game(language):
    lesson = built_in_lesson("ranks")
    first, second = lesson.game.standings()[:2]
    price = lesson.game.state.table.board.prices.credits[2]
    numbers = [int(number) for number in re.findall(r"\d+", lesson.script.closing[language])]
    assert numbers[:4] == [first.score, first.score - second.score, 4, first.score - price + 5]


@pytest.mark.parametrize("language", [language for language in languages() if language != "en"])
def test_places_have_the_name_of_the_language(lesson, language):
    places = msgspec.toml.decode((TEXTS / f"{language}.toml").read_text("utf-8"))["places"]
    foreign = [name for name, own in places.items() if name not in str(own)]
    assert foreign
    for _, texts in lesson.script.texts():
        assert not any(re.search(rf"\b{name}\b", texts[language]) for name in foreign), texts[language]
