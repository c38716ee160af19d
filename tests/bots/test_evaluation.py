"""Chances to win.

Holds `bots.prospects`.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from deadwood.bots.evaluation import Evaluation
from deadwood.engine import rules
from deadwood.engine.chance import FastDice
from deadwood.engine.options import Options

from ..strategies import positions


@given(positions())
def test_chances_to_win_add_up_to_one(state):
    evaluation = Evaluation(state)
    chances = [evaluation.win_chance(state, seat) for seat in range(len(state.players))]
    assert sum(chances) == pytest.approx(1)
    assert all(0 <= chance <= 1 for chance in chances)


@given(positions(), st.integers(0, 7))
def test_more_money_never_lowers_the_chance_to_win(state, seat):
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
    assert Evaluation(over).win_chance(over, 0) == share  # R11.2: among equals, the later one is ahead
    rich = replace(over, players=(replace(over.players[0], credits=3), over.players[1]))
    assert Evaluation(rich).win_chance(rich, 0) == 1
