"""Estimates: values with their intervals, and the test of dice."""

from math import inf, sqrt
from statistics import mean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadwood.lab.report.estimates import Estimate, chi_square, evened, p_value, per_game, ratio, share, wilson

from .small_runs import sums


def test_a_ratio_by_ones_is_a_mean_with_students_interval():
    values = [3.0, 5.0, 8.0, 4.0, 5.0]
    estimate = ratio(sums(values, [1.0] * 5))
    margin = 2.776 * stdev(values) / sqrt(5)  # Student's t with 4 degrees of freedom
    assert estimate.value == mean(values)
    assert estimate.high - estimate.value == pytest.approx(margin, rel=0.01)
    assert per_game(sums(values, [1.0] * 5), 5).high == pytest.approx(estimate.high)


def test_games_without_a_row_count_as_nothing_in_a_mean_per_game():
    assert per_game({"y": 6.0, "yy": 36.0}, 3) == per_game(sums([6.0, 0.0, 0.0], [1.0] * 3), 3)


def test_one_game_has_no_interval():
    assert ratio(sums([3.0], [2.0])) == Estimate(1.5, -inf, inf)
    assert not per_game({"y": 3.0, "yy": 9.0}, 1).is_bounded


def test_groups_that_count_alike():
    """A strong seat gains nothing by going first twice as often as a weak one."""
    first = evened([(800, 800), (0, 400)])
    assert first.value == 0.5
    assert first.high - first.low < 0.01
    plain = evened([(50, 100), (50, 100)])
    assert plain.low == pytest.approx(wilson(100, 200).low, abs=0.001)


def test_acts_of_one_game_make_a_share_less_certain():
    """Ten acts in each of 20 games, all alike within a game: worth 20 trials, not 200."""
    wins = [10.0 * (at % 2) for at in range(20)]
    estimate = share(sums(wins, [10.0] * 20))
    alone = wilson(10, 20)
    assert estimate.value == 0.5
    assert estimate.high - estimate.low == pytest.approx(alone.high - alone.low, rel=0.1)


@given(st.lists(st.integers(0, 6).flatmap(lambda x: st.tuples(st.integers(0, x), st.just(x))), min_size=1, max_size=20))
def test_a_share_lies_in_its_interval(pairs):
    ys, xs = [float(y) for y, _ in pairs], [float(x) for _, x in pairs]
    if sum(xs):
        estimate = share(sums(ys, xs))
        assert 0 <= estimate.low <= estimate.value + 1e-9
        assert estimate.value - 1e-9 <= estimate.high <= 1


@pytest.mark.parametrize(("chi", "chance"), [(0.0, 1.0), (4.351, 0.5), (9.236, 0.1), (11.070, 0.05), (15.086, 0.01)])
def test_chi_square_has_the_tail_of_the_tables(chi, chance):
    assert p_value(chi) == pytest.approx(chance, abs=0.0005)


def test_chi_square_of_counts():
    assert chi_square([10, 10, 10, 10, 10, 10]) == 0
    assert chi_square([15, 5, 10, 10, 10, 10]) == 5


def test_a_value_is_above_another_only_where_intervals_do_not_touch():
    low, high, wide = Estimate(1, 0.9, 1.1), Estimate(2, 1.9, 2.1), Estimate(1.5, 1.0, 2.0)
    assert high.is_above(low)
    assert low.is_below(high)
    assert not wide.is_above(low)
    assert not wide.is_below(high)
    assert not Estimate(5).is_above(low)
