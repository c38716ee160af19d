from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from msgspec.structs import replace

from deadwood import Options
from deadwood.engine import rules
from deadwood.engine.actions import ACT, TakeRole
from deadwood.engine.chance import FastDice, ScriptedDice
from deadwood.engine.events import Acted, BonusPaid
from deadwood.engine.legality import role_number
from deadwood.engine.odds import (
    act_odds,
    dealt_dice,
    expectation,
    expected_bonus,
    expected_pay,
    full_cast_bonus,
    needed_die,
    role_odds,
    success_chance,
    wrap_bonus,
)
from deadwood.engine.options import Purse
from deadwood.engine.table import FIRST_EXTRA, role_kind

from ..strategies import positions


@pytest.mark.parametrize("budget", range(2, 7))
@pytest.mark.parametrize("chips", range(6))
def test_chances_by_counting_the_faces(budget, chips):
    good = [die for die in range(1, 7) if die + chips >= budget]
    assert success_chance(budget, chips) == Fraction(len(good), 6)
    assert needed_die(budget, chips) == good[0]


@pytest.mark.parametrize(("dice", "places"), [(2, 1), (2, 3), (3, 2), (4, 3), (5, 3), (5, 2)])
def test_dealt_dice_by_rolling_them_all(dice, places):
    for place in range(places):
        ways = Counter(sum(sorted(rolled, reverse=True)[place::places]) for rolled in product(range(1, 7), repeat=dice))
        assert dealt_dice(dice, places, place) == {total: Fraction(count, 6**dice) for total, count in ways.items()}


def test_expectations():
    assert expectation(dealt_dice(1, 1, 0)) == Fraction(7, 2)
    assert expectation(dealt_dice(6, 1, 0)) == 21
    assert sum(expectation(dealt_dice(5, 3, place)) for place in range(3)) == Fraction(35, 2)
    assert expectation({}) == 0


@given(positions())
def test_odds_are_what_the_rules_then_do(state):
    """Every face is tried; the share of successes, the pay and the player's bonus must match the odds."""
    odds = act_odds(state)
    player = state.players[state.active]
    if player.role is None:
        assert odds is None
        return
    name = state.table.names[state.active]
    successes = 0
    for die in range(1, 7):
        _, events = rules.apply(state, rules.legal_actions(state)[0], ScriptedDice([die, *[3] * 6]))
        acted = events[0]
        assert isinstance(acted, Acted)
        successes += acted.success
        assert Purse(acted.dollars, acted.credits) == (odds.success if acted.success else odds.failure)
        assert acted.success == (die >= odds.needed)
        assert odds.wraps == state.is_last_shot(player.area)
        assert (odds.wraps and acted.success) == (acted.shots_left == 0)
        for event in events:
            if isinstance(event, BonusPaid) and event.player == name:
                assert odds.bonus[event.dollars] > 0
    assert odds.chance == Fraction(successes, 6)
    assert odds.chance_rehearsed == min(Fraction(1), odds.chance + Fraction(1, 6))
    assert sum(odds.bonus.values()) == 1


@given(positions())
def test_the_odds_of_a_role_are_those_after_taking_it(state):
    for action in rules.legal_actions(state):
        if isinstance(action, TakeRole):
            after, _ = rules.apply(state, action, ScriptedDice(()))
            assert role_odds(state, role_number(action)) == act_odds(after, state.active)


@given(positions())
def test_an_act_is_expected_to_bring_the_mean_over_all_dice(state):
    odds = act_odds(state)
    if odds is None:
        return
    paid = []
    for die in range(1, 7):
        _, (acted, *_) = rules.apply(state, ACT, ScriptedDice([die, *[3] * 6]))
        paid.append(acted.dollars + acted.credits)
    player, card = state.players[state.active], state.card(state.players[state.active].area)
    assert expected_pay(card.budget, player.chips, role_kind(player.role)) == Fraction(sum(paid), 6)
    bonus = odds.chance * expectation(odds.bonus) if odds.wraps else 0
    assert odds.expected == Fraction(sum(paid), 6) + bonus


@given(positions())
def test_everybodys_odds_can_be_asked(state):
    for seat, player in enumerate(state.players):
        assert (act_odds(state, seat) is None) == (player.role is None)


def on_set(bonus, *roles):
    """Players on roles of card 4 ($5M, ranks 3, 4, 6) at the Train Station."""
    dice = FastDice(0)
    state, _ = rules.start([f"P{n}" for n in range(max(2, len(roles)))], Options(bonus=bonus), dice)
    area = state.table.area_numbers["train-station"]
    scenes = tuple(3 if number == area else scene for number, scene in enumerate(state.scenes))
    players = tuple(
        replace(player, area=area, role=roles[seat] if seat < len(roles) else None, rank=6)
        for seat, player in enumerate(state.players)
    )
    return replace(state, scenes=scenes, players=players), area


def test_bonus_of_roles():
    state, area = on_set("roles", 2, FIRST_EXTRA + 3)
    assert wrap_bonus(state, area, 2) == dealt_dice(5, 3, 0)
    assert wrap_bonus(state, area, 0) == dealt_dice(5, 3, 2)
    assert wrap_bonus(state, area, FIRST_EXTRA + 3) == {4: 1}


def test_bonus_of_actors():
    state, area = on_set("actors", 1, FIRST_EXTRA)
    assert wrap_bonus(state, area, 1) == dealt_dice(5, 1, 0)
    assert wrap_bonus(state, area, 0) == dealt_dice(5, 2, 1)


@pytest.mark.parametrize("bonus", ["roles", "actors"])
def test_the_bonus_of_a_full_cast_is_the_same_with_either_option(bonus):
    state, area = on_set(bonus, 0, 1, 2)
    for role in range(3):
        assert full_cast_bonus(state.card(area), role) == wrap_bonus(state, area, role)


def test_the_expected_bonus_is_the_mean():
    state, area = on_set("roles", 2, FIRST_EXTRA + 3)
    for role in (0, 1, 2, FIRST_EXTRA + 3):
        assert expected_bonus(state, area, role) == expectation(wrap_bonus(state, area, role))


def test_no_bonus_without_a_star():
    state, area = on_set("roles", FIRST_EXTRA)
    assert wrap_bonus(state, area, FIRST_EXTRA) == {0: 1}
    assert wrap_bonus(state, area, FIRST_EXTRA + 1) == {0: 1}


def test_no_bonus_where_no_scene_is_shot():
    state, _ = on_set("roles", 0)
    with pytest.raises(ValueError, match="no scene to wrap at Jail"):
        wrap_bonus(state, state.table.area_numbers["jail"], 0)


def test_no_odds_when_the_game_is_over():
    state, _ = on_set("roles", 0)
    assert act_odds(replace(state, over=True, active=-1), 0) is None
