"""Shares and their intervals."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadwood.lab.statistics import (
    FEWEST_GROUPS,
    luck_alone,
    mean_without,
    share_by_groups,
    share_of,
    share_without,
)


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


def by_hand(causes, groups):
    """The mean without what its causes explain."""
    total, count = np.transpose(groups)
    share = count / count.sum()
    left = total - total.sum() * share
    given = [np.asarray(cause) - sum(cause) * share for cause in causes]
    weights = np.linalg.lstsq(np.transpose(given), left, rcond=None)[0]
    return (total.sum() - weights @ [sum(cause) for cause in causes]) / count.sum()


def without(number, *lists):
    return [[*one[:number], *one[number + 1 :]] for one in lists]


@pytest.mark.parametrize("judges", [1, 2])
def test_the_error_of_a_mean_without_its_causes_is_the_jackknife(judges):
    causes = [[0.4, -0.2, 0.1, -0.7, 0.3, 0.2, -0.1], [0.1, 0.2, -0.3, -0.2, 0.5, -0.1, 0.2]][:judges]
    groups = [(2.0, 2), (0.0, 2), (1.5, 4), (0.0, 2), (2.0, 2), (1.0, 1), (1.0, 3)]
    mean, error = mean_without(causes, groups)
    assert mean == pytest.approx(by_hand(causes, groups))
    fewer = []
    for number in range(len(groups)):
        rest, *others = without(number, groups, *causes)
        fewer.append(by_hand(others, rest))
    squares = sum((one - np.mean(fewer)) ** 2 for one in fewer)
    assert error == pytest.approx((squares * (len(groups) - 1) / len(groups)) ** 0.5)


def test_causes_that_only_together_explain_a_share_are_both_used():
    """The second cause says how wrong the first one is."""
    chance = np.random.default_rng(1)
    true, wrong = chance.normal(0, 0.2, 40), chance.normal(0, 1, 40)
    groups = [(one, 1) for one in 0.6 + true + chance.normal(0, 0.02, 40)]
    first, second = list(true + wrong), list(true - wrong)
    together = share_without([first, second], groups)
    assert together.worth > 20
    assert max(share_without([first], groups).worth, share_without([second], groups).worth) < 2
    assert together.share.low < 0.6 < together.share.high


def dealt(chance, share, deals):
    """Wins in pairs of games, and what two judges think of the luck that partly decided them; the second errs more."""
    left = chance.beta(0.5 * share, 0.5 * (1 - share), (deals, 2))
    won = (chance.random((deals, 2)) < left).sum(1)
    errors = chance.normal(0, 0.3 * (share * (1 - share)) ** 0.5, (2, deals, 2))
    luck = [(left - share + errors[0]).sum(1), ((left - share) / 2 + errors[1]).sum(1)]
    return luck, [(float(one), 2) for one in won]


@pytest.mark.parametrize(("share", "deals"), [(0.6, 20), (0.9, 30), (0.97, 20), (0.97, 50), (0.99, 20), (0.99, 50)])
def test_intervals_without_luck_cover_the_truth(share, deals):
    chance, covered, tries = np.random.default_rng(1), 0, 500
    for _ in range(tries):
        found = share_without(*dealt(chance, share, deals)).share
        assert 0 <= found.low <= found.share <= found.high <= 1
        assert found.high - found.low > 0.001
        covered += found.low <= share <= found.high
    assert covered / tries > 0.93


def test_too_few_groups_give_no_interval():
    luck, groups = dealt(np.random.default_rng(1), 0.6, FEWEST_GROUPS)
    assert share_without(luck, groups) is not None
    assert share_without(*(without(0, *luck), groups[1:])) is None


def test_each_group_counts_as_one_trial_if_nothing_varies():
    luck, _ = dealt(np.random.default_rng(1), 0.6, 20)
    found = share_without(luck, [(2.0, 2)] * 20)
    assert found.share == pytest.approx(share_of(20, 20))
    assert found.worth is None
    explained = [(1 + one, 2) for one in luck[0]]
    assert share_without(luck, explained).share == pytest.approx(share_of(10, 20))


def test_the_worth_of_a_trial_is_a_ratio_of_variances():
    luck, groups = dealt(np.random.default_rng(1), 0.6, 60)
    plain, left = mean_without((), groups)[1], mean_without(luck, groups)[1]
    assert share_without(luck, groups).worth == pytest.approx((plain / left) ** 2)
    totals = [total for total, _ in groups]
    assert plain == pytest.approx(np.std(totals, ddof=1) / 2 / 60**0.5)
    rare = [(2.0, 2)] * 55 + [(1.0, 2)] * 5
    assert share_without(luck, rare).worth is None
