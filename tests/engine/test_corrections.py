"""Correcting a mistyped die or card: the last action is played again, and the record says what was corrected.

Holds `engine.steps`.
"""

import random

import pytest

from deadwood import (
    CorrectionError,
    Game,
    Options,
    OutcomeError,
    OutcomeNeeded,
    RecordError,
    UndoError,
    narrate,
    verify,
)
from deadwood.engine.events import Acted, CardTurned, OutcomeCorrected, SceneWrapped
from deadwood.engine.game import MOST_CORRECTIONS
from deadwood.narration import languages

from ..random_games import play_one, random_policy


def played(*lines, **options):
    game = Game.new(["Ada", "Bo"], Options(first="Ada", dice="table", **options))
    for line in lines:
        game.play(line)
    return game


def acting(*lines):
    """Ada works on card 2 (budget 3) at the Saloon, which has two shots; it is her turn."""
    return played("move saloon = card 2", "take star 1", "end", *lines)


def lines_of(game):
    return [line for line in game.record().split("\n") if "=" in line and ":" in line and not line.startswith("opt")]


def again(game):
    """The game read back from its record, which must be the same."""
    other = Game.from_record(game.record())
    assert other.record() == game.record()
    assert other.state == game.state
    assert other.events == game.events
    assert {check.verdict for check in verify(game.record())} <= {"passed", "unknown"}
    return other


@pytest.mark.rule("R12.7")
def test_a_mistyped_die_is_corrected():
    game = acting("act = 3")
    assert game.state.players[0].credits == 2
    events = game.correct("2")
    assert game.state.players[0].credits == 0
    assert [type(event) for event in events[:2]] == [OutcomeCorrected, Acted]
    assert events[0] == OutcomeCorrected("Ada", "dice", "2", "3", ("3",))
    assert lines_of(game)[-1] == "Ada: act = 2 (corrected from 3)"
    again(game)


@pytest.mark.rule("R12.7")
def test_a_mistyped_card_is_corrected():
    game = played("move saloon = card 17")
    game.correct("card 12")
    assert game.state.snapshot().sets["saloon"].scene == 12
    assert 17 in game.state.snapshot().unseen
    assert lines_of(game)[-1] == "Ada: move saloon = card 12 (corrected from card 17)"
    game.play("end")
    again(game).play("move hotel = card 17")


@pytest.mark.rule("R12.7")
def test_several_corrections_are_listed_in_order():
    game = acting("act = 3")
    for die in ("2", "4", "3", "6"):
        game.correct(die)
    assert lines_of(game)[-1] == "Ada: act = 6 (corrected from 3, 2, 4, 3)"
    assert again(game).last_step.corrected == ("3", "2", "4", "3")


@pytest.mark.rule("R12.7")
def test_corrections_of_one_outcome_are_limited():
    game = acting("act = 3")
    for die in ("2", "4") * (MOST_CORRECTIONS // 2):
        game.correct(die)
    with pytest.raises(CorrectionError) as refused:
        game.correct("2")
    assert narrate(refused.value) == "That has been corrected 20 times; it stays as it is now."
    again(game)


@pytest.mark.rule("R12.7")
def test_a_corrected_die_may_wrap_the_scene_and_need_bonus_dice():
    game = acting("act = 3", "end", "act = 2")
    before = game.state
    with pytest.raises(OutcomeNeeded) as caught:
        game.correct("6")
    assert (caught.value.kind, caught.value.count) == ("dice", 3)
    assert game.state is before
    game.correct("6 / 5 1 3")
    assert any(isinstance(event, SceneWrapped) for event in game.last_step.events)
    assert lines_of(game)[-1] == "Ada: act = 6 / 5 3 1 (corrected from 2)"
    again(game).correct("6 / 5 3 2")


@pytest.mark.rule("R12.7")
def test_bonus_dice_are_corrected_and_a_wrap_may_vanish():
    game = acting("act = 3", "end", "act = 6 / 5 3 1")
    game.correct("6 / 4 3 1")
    game.correct("1")
    assert game.state.snapshot().sets["saloon"].shots == 1
    assert lines_of(game)[-1] == "Ada: act = 1 (corrected from 6 / 5 3 1, 6 / 4 3 1)"
    again(game)


@pytest.mark.rule("R12.7")
@pytest.mark.parametrize(
    ("outcome", "words"), [("card 17", "already"), ("card 3", "lies at the Saloon"), ("card 99", "no card 99")]
)
def test_impossible_outcomes_are_refused(outcome, words):
    game = played("move saloon = card 3", "end", "move hotel = card 17")
    before = game.record()
    with pytest.raises(OutcomeError) as caught:
        game.correct(outcome)
    assert words in narrate(caught.value)
    assert game.record() == before


@pytest.mark.rule("R12.7")
@pytest.mark.parametrize("outcome", ["3", " 3 "])
def test_the_same_again_corrects_nothing(outcome):
    game = acting("act = 3")
    with pytest.raises(OutcomeError, match="unchanged"):
        game.correct(outcome)
    assert "corrected" not in game.record()


@pytest.mark.rule("R12.7")
def test_the_same_bonus_dice_in_another_order_correct_nothing():
    game = acting("act = 3", "end", "act = 6 / 5 3 1")
    with pytest.raises(OutcomeError, match="unchanged"):
        game.correct("6 / 1 3 5")


@pytest.mark.rule("R12.7")
def test_only_the_last_outcome_can_be_corrected_until_somebody_acts():
    game = acting("act = 3")
    assert game.correct_refusal() is None
    game.play("end")
    with pytest.raises(CorrectionError) as caught:
        game.correct("4")
    assert "Bo has played 'end' since" in narrate(caught.value)
    game.undo()
    game.correct("4")
    with pytest.raises(UndoError):
        game.undo()


@pytest.mark.rule("R12.7")
def test_without_an_outcome_there_is_nothing_to_correct():
    game = played()
    for _ in range(2):
        with pytest.raises(CorrectionError) as caught:
            game.correct("4")
        assert "Nothing has been rolled or turned" in narrate(caught.value)
        game.play("end")


@pytest.mark.rule("R12.7")
def test_with_fair_dice_nothing_can_be_corrected():
    game = Game.new(["Ada", "Bo"], Options(first="Ada"), 7)
    game.play("move saloon")
    with pytest.raises(CorrectionError) as caught:
        game.correct("card 3")
    assert "The program rolls" in narrate(caught.value)
    with pytest.raises(CorrectionError):
        game.read_correction("3")


@pytest.mark.rule("R12.7")
def test_a_corrected_die_may_end_the_day_or_take_it_back():
    game, rng = played(days=1), random.Random(1)
    choose = random_policy(rng)
    while not game.over:
        before = game.copy()
        play_one(game, choose(game.legal_actions()), rng)
    last = game.last_step
    outcome = game.record().rstrip("\n").split("\n")[-2].partition("= ")[2]
    failed = next((die for die in "123456" if _fails(before, last.action, die)), None)
    assert failed, "a die must be able to fail in this game"
    game.correct(failed)
    assert not game.over
    assert "result:" not in game.record()
    game = again(game)
    game.correct(outcome)
    assert game.over
    assert f"= {outcome} (corrected from {outcome}, {failed})\nresult: " in game.record()
    again(game)


def _fails(game, action, die):
    trial = game.copy()
    try:
        trial.play(action, die)
    except OutcomeNeeded:
        return False
    return not trial.over


def test_a_copy_is_corrected_alone():
    game = acting("act = 3")
    twin = game.copy()
    twin.correct("5")
    assert "corrected" not in game.record()
    game.correct("6")
    assert lines_of(twin)[-1] == "Ada: act = 5 (corrected from 3)"


def test_states_of_a_corrected_game():
    game = acting("act = 3")
    game.correct("2")
    *_, last = game.states()
    assert last == game.state


def test_whole_games_with_corrections_read_back():
    rng = random.Random(1)
    game = played(days=1)
    choose = random_policy(rng)
    while not game.over:
        play_one(game, choose(game.legal_actions()), rng)
        for _ in range(rng.randrange(3)):
            _correct_at_random(game, rng)
    assert sum(len(step.corrected) for step in game.steps) > 20
    again(game)


def _correct_at_random(game, rng):
    if game.correct_refusal() is not None:
        return
    before = game.last_outcome().before
    if isinstance(game.last_step.events[-1], CardTurned):
        card = before.table.cards[rng.choice(before.unseen)].number
        outcome = f"card {card}"
    else:
        outcome = str(rng.randint(1, 6))
    try:
        game.correct(outcome)
    except OutcomeNeeded as needed:
        game.correct(f"{outcome} / {' '.join(str(rng.randint(1, 6)) for _ in range(needed.count))}")
    except OutcomeError:
        pass


@pytest.mark.parametrize(
    ("correction", "words"),
    [
        ("(corrected from 5)", "already"),
        ("(corrected from 7)", "1 to 6"),
        ("(corrected from card 3)", "not a roll"),
        ("(corrected from 3 / 6 5)", "too many"),
        ("(corrected from )", "not a roll"),
        ("(corrected from 3, 3)", "already"),
        ("(corrected from 3,)", "does not say everything"),
        ("(corrected)", "not a roll"),
        ("(corrected from 3) (corrected from 2)", "not a roll"),
    ],
)
def test_a_broken_correction_is_refused_with_its_line(correction, words):
    game = acting("act = 5")
    with pytest.raises(RecordError) as caught:
        Game.from_record(game.record().replace("act = 5", f"act = 5 {correction}"))
    assert words in narrate(caught.value)
    assert caught.value.line == game.record()[: game.record().index("act =")].count("\n") + 1


def test_a_correction_may_be_spelled_freely():
    game = acting("act = 5")
    text = game.record().replace("act = 5", "act = 5 ( Corrected  from 3,2 )")
    assert lines_of(Game.from_record(text))[-1] == "Ada: act = 5 (corrected from 3, 2)"


def test_fair_dice_are_never_corrected_in_a_record():
    game = Game.new(["Ada", "Bo"], Options(first="Ada"), 7)
    game.play("move saloon")
    text = game.record().rstrip("\n") + " (corrected from card 3)\n"
    with pytest.raises(RecordError) as caught:
        Game.from_record(text)
    assert "The program rolls" in narrate(caught.value)


@pytest.mark.parametrize("language", languages())
def test_a_correction_has_a_sentence(language):
    game = acting("act = 3")
    assert narrate(game.correct("2")[0], language).endswith(": 2, not 3." if language == "en" else ": 2, nicht 3.")
    game = played("move saloon = card 17")
    sentence = narrate(game.correct("card 12")[0], language)
    assert sentence.endswith(": card 12, not card 17." if language == "en" else ": Karte 12, nicht Karte 17.")
