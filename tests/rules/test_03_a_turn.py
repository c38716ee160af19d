"""RULES section 3: a turn."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deadwood import Game, IllegalAction, Options, narrate
from deadwood.engine import rules
from deadwood.engine.chance import FairDice
from deadwood.engine.events import TurnEnded

from .positions import (
    active,
    all_actions,
    assert_refused,
    begin,
    event_of,
    legal,
    place,
    play,
    played_at_random,
    player,
    put,
    put_card,
)


@pytest.fixture
def on_a_role():
    """Ada plays an extra in a scene with a budget of 5."""
    return put(put_card(begin(), "saloon", 17), "Ada", "saloon", "extra 1")


@pytest.mark.rule("R3.1")
def test_one_who_is_not_working_may_move_or_take_a_role_or_end():
    state = put(put_card(begin(), "saloon", 17), "Ada", "saloon")
    assert sorted(legal(state)) == [
        "end",
        "move bank",
        "move general-store",
        "move main-street",
        "move trailers",
        "take extra 1",
    ]


@pytest.mark.rule("R3.1")
def test_a_turn_may_be_move_then_role():
    state = play(begin(), "move saloon = card 17", "take extra 1")
    assert place(state, "Ada") == "saloon"
    assert player(state, "Ada").role is not None


@pytest.mark.rule("R3.1")
def test_a_turn_may_be_upgrade_then_move_then_role():
    state = put(begin(), "Ada", "casting-office", dollars=4)
    state = play(state, "upgrade 2 dollars", "move ranch = card 17", "take star 1")
    assert player(state, "Ada").rank == 2
    assert player(state, "Ada").starring


@pytest.mark.rule("R3.1")
def test_a_turn_may_be_move_then_upgrade():
    state = put(begin(), "Ada", "ranch", credits=5)
    assert player(play(state, "move casting-office", "upgrade 2 credits"), "Ada").rank == 2


@pytest.mark.rule("R3.1")
def test_end_ends_the_turn_at_any_time_also_at_once():
    state = put(begin(), "Ada", "casting-office", dollars=4)
    for before in ([], ["upgrade 2 dollars"], ["upgrade 2 dollars", "move ranch = card 17"]):
        here = play(state, *before)
        assert "end" in legal(here)
        assert active(play(here, "end")) == "Bo"


@pytest.mark.rule("R3.1", "R3.2")
def test_a_role_comes_last_because_taking_it_ends_the_turn():
    state = play(begin(), "move saloon = card 17", "take extra 1")
    assert active(state) == "Bo"


@pytest.mark.rule("R3.2")
def test_moving_does_not_end_the_turn_even_when_only_end_is_left():
    state = play(put(begin(), "Ada", "ranch"), "move casting-office")
    assert active(state) == "Ada"
    assert legal(state) == ["end"]


@pytest.mark.rule("R3.2")
def test_upgrading_does_not_end_the_turn_even_when_only_end_is_left():
    state = put(begin(), "Ada", "ranch", dollars=40)
    state = play(state, "move casting-office", "upgrade 6 dollars")
    assert active(state) == "Ada"
    assert legal(state) == ["end"]


@pytest.mark.rule("R3.2")
@pytest.mark.parametrize("line", ["act = 6", "act = 1", "rehearse"])
def test_acting_and_rehearsing_end_the_turn_at_once(on_a_role, line):
    assert active(play(on_a_role, line)) == "Bo"
    assert event_of(on_a_role, line, TurnEnded) == TurnEnded("Ada", "Bo")


@pytest.mark.rule("R3.3")
def test_one_who_is_working_must_act_or_rehearse(on_a_role):
    assert sorted(legal(on_a_role)) == ["act", "rehearse"]


@pytest.mark.rule("R3.3")
def test_ending_the_turn_without_either_is_refused_with_a_message_that_says_so(on_a_role):
    assert_refused(on_a_role, "end", "R3.3", "act or rehearse")


@pytest.mark.rule("R3.4")
def test_a_role_taken_this_turn_is_first_worked_on_next_turn():
    state = play(begin(2), "move saloon = card 17", "take extra 1")
    assert active(state) == "Bo"
    assert_refused(state, "act", "R6.1", "not working")
    state = play(state, "end")
    assert active(state) == "Ada"
    assert sorted(legal(state)) == ["act", "rehearse"]


@pytest.mark.rule("R3.5")
@pytest.mark.parametrize("count", range(2, 9))
def test_after_the_last_seat_it_is_the_first_seats_turn_again(count):
    state = begin(count)
    names = state.table.names
    for name in names:
        assert active(state) == name
        state = play(state, "end")
    assert active(state) == "Ada"


@pytest.mark.rule("R3.5")
def test_a_new_turn_allows_a_new_move():
    state = play(begin(2), "move saloon = card 17", "end", "end")
    assert "move bank" in legal(state)


@pytest.mark.rule("R3.5")
def test_there_is_no_limit_to_the_number_of_turns():
    state = begin(2)
    after = play(state, *["end"] * 2000)
    assert after == state
    assert not after.over


@pytest.mark.rule("R3.6")
@pytest.mark.parametrize(
    "refused",
    [
        "move bank",
        "move moon",
        "take star 1",
        "take extra 2",
        "act",
        "rehearse",
        "upgrade 2 dollars",
        "upgrade 9 credits",
    ],
)
def test_a_refused_choice_costs_nothing_and_the_turn_goes_on(refused):
    game = Game.new(["Ada", "Bo"], Options(first="Ada"), seed=7)
    state, record = game.state, game.record()
    with pytest.raises(IllegalAction) as caught:
        game.play(refused)
    assert caught.value.refusal.rule
    assert (game.state, game.record()) == (state, record)
    game.play("move saloon")
    assert place(game.state, "Ada") == "saloon"


@pytest.mark.rule("R3.6")
def test_a_refused_choice_does_not_use_up_dice():
    dice = FairDice(7)
    game = Game.new(["Ada", "Bo"], Options(first="Ada"), dice=dice)
    with pytest.raises(IllegalAction):
        game.play("move bank")
    assert dice.drawn == 0


@pytest.mark.rule("R3.6")
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6), count=st.integers(2, 8))
def test_an_action_is_legal_or_a_clause_says_why_not(seed, count):
    everything = tuple(all_actions())
    for state in played_at_random(begin(count), seed, 500):
        listed = rules.legal_actions(state)
        allowed = set(listed)
        assert len(allowed) == len(listed)
        for action in everything:
            problem = rules.refusal(state, action)
            assert (problem is None) == (action in allowed)
            assert problem is None or problem.rule.startswith("R")


@pytest.mark.rule("R3.6")
@pytest.mark.parametrize("role", [None, "star 1", "extra 1"])
@pytest.mark.parametrize("area", ["saloon", "trailers", "casting-office"])
def test_every_refusal_has_a_full_sentence(area, role):
    state = put_card(begin(), "saloon", 17)
    state = put(state, "Ada", area, role if area == "saloon" else None)
    problems = filter(None, (rules.refusal(state, action) for action in all_actions()))
    assert all(narrate(problem).endswith(".") for problem in problems)
