"""Careers: how points grow, and how many turns are left."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from deadwood.bots.career import INCOME, Career, turns_left
from deadwood.engine import rules, scoring
from deadwood.engine.actions import Upgrade
from deadwood.engine.chance import FastDice
from deadwood.engine.options import Options
from deadwood.engine.scoring import score
from deadwood.engine.state import Player

TABLE = rules.start(["Ada", "Bo"], Options(first="Ada"), FastDice(1))[0].table
CAREER = Career(TABLE.upgrades)
purses = st.integers(0, 40)


@given(st.integers(1, 6), purses, purses, st.integers(0, 90))
def test_more_is_never_worse_in_a_career(rank, dollars, credits, turns):
    """Except for what rounding a purse to whole dollars can cost."""
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


def test_the_turns_left_go_down_to_none():
    state, _ = rules.start(["Ada", "Bo", "Cy"], Options(first="Ada"), FastDice(1))
    assert turns_left(state) == 75
    assert turns_left(replace(state, day=3, scenes_left=1)) == 0


def test_income_counts_as_money_does_at_the_end(monkeypatch):
    monkeypatch.setattr(scoring, "credit_points", lambda earned: 2 * earned)
    points = Career(((),) * 7).points(Player(area=0, rank=1, dollars=3, credits=2), 10)
    assert points == score(Player(area=0, rank=1, dollars=3, credits=2)) + 10 * (INCOME[1][0] + 2 * INCOME[1][1])
