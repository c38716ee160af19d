"""How `star` searches: its values are expectations, and time buys more searches."""

import random

import pytest
from hypothesis import given, settings

from deadwood import bots
from deadwood.bots.evaluation import Evaluation
from deadwood.bots.star import Given, Search, StarBot
from deadwood.engine import rules
from deadwood.engine.actions import ACT
from deadwood.engine.chance import FACES, FastDice
from deadwood.engine.options import Options

from ..strategies import positions


@settings(max_examples=60)
@given(positions())
def test_acting_is_the_mean_over_all_dice(state):
    """Where no scene can wrap, the search must equal trying all six faces."""
    player = state.players[state.active]
    if player.role is None or state.shots[player.area] == 1:
        return
    evaluation, search = Evaluation(state), Search(state, random.Random(1))
    faces = [rules.apply(state, ACT, Given(die))[0] for die in range(1, FACES + 1)]
    mean = sum(evaluation.win_chance(after, state.active) for after in faces) / FACES
    assert search.chance(state, ACT) == pytest.approx(mean)
    assert search.is_exact


def test_a_turn_in_thought_leaves_the_state_as_it_was():
    state, _ = rules.start(["Ada", "Bo"], Options(first="Ada"), FastDice(1))
    before = state.snapshot()
    StarBot(1).decide(state, rules.legal_actions(state))
    assert state.snapshot() == before


def test_with_seconds_it_searches_again_and_again(monkeypatch):
    """The clock is faked: every look at it takes a tenth of a second."""
    looks = iter(range(1000))
    monkeypatch.setattr("deadwood.bots.star.perf_counter", lambda: next(looks) / 10)
    searches = []
    original = Search.__init__
    monkeypatch.setattr(Search, "__init__", lambda self, *args: (searches.append(1), original(self, *args))[1])
    state, _ = rules.start(["Ada", "Bo"], Options(first="Ada"), FastDice(1))
    bot = bots.make("star", 1, seconds=0.5)
    bot.decide(state, rules.legal_actions(state))
    assert len(searches) == 5
    searches.clear()
    bots.make("star", 1).decide(state, rules.legal_actions(state))
    assert len(searches) == 1


def test_only_those_who_can_think_are_given_time():
    assert bots.make("star", 1, seconds=0.2).seconds == 0.2
    assert not hasattr(bots.make("regular", 1, seconds=0.2), "seconds")


def test_given_dice_can_be_copied():
    dice = Given(4, (6, 5), 3).copy()
    assert (dice.pick(9), dice.roll(1), dice.roll(2)) == (3, (4,), (6, 5))
