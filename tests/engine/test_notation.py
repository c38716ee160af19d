"""Actions as texts and back.

Holds `engine.actions`.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadwood import Act, EndTurn, Move, NotationError, OutcomeError, Rehearse, TakeRole, Upgrade
from deadwood.engine import rules
from deadwood.engine.chance import FastDice
from deadwood.engine.notation import format_action, format_outcome, parse_action, parse_outcome
from deadwood.engine.options import Options
from deadwood.engine.refusal import shortened

from ..strategies import actions, games

START, _ = rules.start(["Ada", "Bo"], Options(first="Ada"), FastDice(0))


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("move saloon", Move("saloon")),
        ("MOVE Train Station", Move("train-station")),
        ("  move   train-station ", Move("train-station")),
        ("take star 2", TakeRole("star", 2)),
        ("Take Extra 1", TakeRole("extra", 1)),
        ("act", Act()),
        ("rehearse", Rehearse()),
        ("upgrade 3 dollars", Upgrade(3, "dollars")),
        ("upgrade 6 CREDITS", Upgrade(6, "credits")),
        ("end", EndTurn()),
    ],
)
def test_texts_of_actions(text, action):
    assert parse_action(text) == action


@given(actions)
def test_every_action_reads_back(action):
    assert parse_action(format_action(action)) == action


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "move",
        "move '",
        "take",
        "take star",
        "take star two",
        "take lead 1",
        "take star -1",
        "take star 1 2",
        "take star 1000",
        "take star \N{SUPERSCRIPT TWO}",
        "act now",
        "upgrade 3",
        "upgrade 3 euros",
        "upgrade dollars 3",
        "upgrade 3.0 dollars",
        "end turn",
        "\0",
        "\ud800",
        "end\nend",
    ],
)
def test_invalid_actions_are_refused(text):
    with pytest.raises(NotationError) as caught:
        parse_action(text)
    assert caught.value.refusal.key == "not_an_action"


@given(st.text())
def test_any_text_is_an_action_or_a_clear_error(text):
    try:
        assert parse_action(format_action(parse_action(text))) == parse_action(text)
    except NotationError as error:
        assert error.refusal.values["text"].isprintable()


def test_an_error_repeats_at_most_sixty_characters():
    assert shortened("x" * 60) == "x" * 60
    assert shortened("x" * 61) == "x" * 59 + "…"
    assert shortened("a\tb") == "a\N{REPLACEMENT CHARACTER}b"


@given(games(decisions=120))
def test_outcomes_read_back(game):
    """Replaying every step with its own outcome gives the results that were used."""
    for step in game.steps:
        outcome = format_outcome(step.events)
        assert bool(outcome) == any(type(event).__name__ in ("Acted", "CardTurned") for event in step.events)
        if outcome.startswith("card"):
            assert len(outcome.split()) == 2


def test_outcomes():
    assert parse_outcome("card 17", Move("saloon"), START) == [16]
    assert parse_outcome("5", Act(), START) == [5]
    assert parse_outcome("5 / 6 5 3", Act(), START) == [5, 6, 5, 3]


@pytest.mark.parametrize(
    ("action", "text", "key"),
    [
        (Move("saloon"), "17", "not_a_card"),
        (Move("saloon"), "card", "not_a_card"),
        (Move("saloon"), "card x", "not_a_card"),
        (Move("saloon"), "card 41", "card_unknown"),
        (Move("saloon"), "card 0", "card_unknown"),
        (Act(), "card 3", "not_dice"),
        (Act(), "", "not_dice"),
        (Act(), "5 /", "not_dice"),
        (Act(), "5 6", "not_dice"),
        (Act(), "5 / six", "not_dice"),
        (EndTurn(), "3", "no_outcome_expected"),
    ],
)
def test_invalid_outcomes_are_refused(action, text, key):
    with pytest.raises(OutcomeError) as caught:
        parse_outcome(text, action, START)
    assert caught.value.refusal.key == key


def test_a_card_that_was_turned_cannot_be_turned_again():
    state, _ = rules.apply(START, Move("saloon"), FastDice(3))
    turned = (set(START.unseen) - set(state.unseen)).pop() + 1
    with pytest.raises(OutcomeError) as caught:
        parse_outcome(f"card {turned}", Move("hotel"), state)
    assert caught.value.refusal.rule == "R10.5"
