"""Shares and their intervals."""

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadwood.lab.statistics import luck_alone, share_by_groups, share_of


def test_trials_that_depend_on_each_other_make_a_share_less_certain():
    """Ten games in each of 20 deals, all alike within a deal: worth 20 trials, not 200."""
    alike = share_by_groups([(10.0 * (deal % 2), 10.0) for deal in range(20)])
    alone = share_of(10, 20)
    assert alike.share == 0.5
    assert alike.high - alike.low == pytest.approx(alone.high - alone.low, rel=0.1)
    mixed = share_by_groups([(5.0 + deal % 2, 10.0) for deal in range(20)])
    assert mixed.high - mixed.low >= share_of(110, 200).high - share_of(110, 200).low - 1e-9


@given(st.integers(1, 60).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials))))
def test_shares_lie_in_their_intervals(case):
    successes, trials = case
    share = share_of(successes, trials)
    assert 0 <= share.low <= share.share <= share.high <= 1
    wider = share_of(successes * 4, trials * 4)
    assert wider.high - wider.low < share.high - share.low


@given(st.integers(1, 60).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials))))
def test_luck_alone_is_the_binomial_tail(case):
    successes, trials = case
    below = sum(Fraction(comb(trials, count), 2**trials) for count in range(successes))
    assert luck_alone(successes, trials) == pytest.approx(float(1 - below))


def test_a_share_of_no_trials_can_be_anything():
    share = share_of(0, 0)
    assert (share.low, share.high) == (0.0, 1.0)
