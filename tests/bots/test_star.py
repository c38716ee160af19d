"""How `star` thinks: careers, chances to win, and a search that is an expectation."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from deadwood import bots
from deadwood.bots.career import Career, turns_left
from deadwood.bots.evaluation import Evaluation
from deadwood.bots.star import Given, Search, StarBot
from deadwood.engine import rules
from deadwood.engine.actions import ACT, Upgrade
from deadwood.engine.chance import FACES, FastDice
from deadwood.engine.options import Options
from deadwood.engine.scoring import score
from deadwood.engine.state import Player

from ..strategies import positions

TABLE = rules.start(["Ada", "Bo"], Options(first="Ada"), FastDice(1))[0].table
CAREER = Career(TABLE.prices)
purses = st.integers(0, 40)


@given(st.integers(1, 6), purses, purses, st.integers(0, 90))
def test_more_is_never_worse_in_a_career(rank, dollars, credits, turns):
    """But for what rounding a purse to whole dollars can cost."""
    player = Player(area=0, rank=rank, dollars=dollars, credits=credits)
    points = CAREER.points(player, turns)
    assert points >= score(player)
    assert CAREER.points(replace(player, dollars=dollars + 1), turns) >= points - 2
    assert CAREER.points(replace(player, credits=credits + 1), turns) >= points - 2
    assert CAREER.points(player, turns + 1) >= points


def test_a_career_with_no_time_is_the_score():
    player = Player(area=0, rank=3, dollars=12, credits=7)
    assert CAREER.points(player, 0) == score(player)
    assert CAREER.points_with(player, Upgrade(4, "credits"), 0) == score(player) + 5 - 15


@given(positions())
def test_chances_to_win_add_up_to_one(state):
    evaluation = Evaluation(state)
    chances = [evaluation.win_chance(state, seat) for seat in range(len(state.players))]
    assert sum(chances) == pytest.approx(1)
    assert all(0 <= chance <= 1 for chance in chances)


@given(positions(), st.integers(0, 7))
def test_who_is_richer_is_likelier_to_win(state, seat):
    seat %= len(state.players)
    richer = list(state.players)
    richer[seat] = replace(richer[seat], dollars=richer[seat].dollars + 10)
    evaluation = Evaluation(state)
    better = evaluation.win_chance(replace(state, players=tuple(richer)), seat)
    assert better >= evaluation.win_chance(state, seat) - 1e-9


@pytest.mark.parametrize(("ties", "share"), [("later", 0.0), ("shared", 0.5)])
def test_a_finished_game_is_won_or_lost(ties, share):
    state, _ = rules.start(["Ada", "Bo"], Options(first="Ada", ties=ties), FastDice(1))
    over = replace(state, over=True, active=-1)
    assert Evaluation(over).win_chance(over, 0) == share  # R11.2: of equals the later one is ahead
    rich = replace(over, players=(replace(over.players[0], credits=3), over.players[1]))
    assert Evaluation(rich).win_chance(rich, 0) == 1


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
    """The clock is the test's own: every look at it takes a tenth of a second."""
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


def test_the_turns_left_go_down_to_none():
    state, _ = rules.start(["Ada", "Bo", "Cy"], Options(first="Ada"), FastDice(1))
    assert turns_left(state) == 75
    assert turns_left(replace(state, day=3, scenes_left=1)) == 0


def test_given_dice_can_be_copied():
    dice = Given(4, (6, 5), 3).copy()
    assert (dice.pick(9), dice.roll(1), dice.roll(2)) == (3, (4,), (6, 5))
