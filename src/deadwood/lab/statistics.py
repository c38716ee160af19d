"""Shares and their confidence intervals."""

from collections.abc import Sequence
from fractions import Fraction
from math import comb, sqrt
from typing import NamedTuple

Z_95 = 1.959964  # half the width of a 95% interval, in standard errors
_FEW_DEGREES = {1: 12.7062, 2: 4.3027}  # exact values, where the expansion is too coarse


class ShareEstimate(NamedTuple):
    """A share of a number of trials, with its 95% interval (Wilson)."""

    share: float
    low: float
    high: float


def share_of(successes: float, trials: float) -> ShareEstimate:
    """A share of independent trials. With no trials it is NaN, between 0 and 1."""
    if not trials:
        return ShareEstimate(float("nan"), 0.0, 1.0)
    share, square = successes / trials, Z_95**2
    middle = (share + square / (2 * trials)) / (1 + square / trials)
    spread = Z_95 * sqrt(share * (1 - share) / trials + square / (4 * trials**2)) / (1 + square / trials)
    return ShareEstimate(share, min(share, max(0.0, middle - spread)), max(share, min(1.0, middle + spread)))


def share_by_groups(groups: Sequence[tuple[float, float]]) -> ShareEstimate:
    """A share of trials that are correlated within groups: Wilson's interval for the effective number of trials.

    Each group is a pair of successes and trials; the effective number follows from the variance between groups.
    """
    successes, trials = (sum(column) for column in zip(*groups, strict=True))
    share = successes / trials
    squares = sum((successes - share * trials) ** 2 for successes, trials in groups)
    return share_by_spread(share, trials, ratio_error(squares, trials, len(groups)), len(groups))


def share_by_spread(share: float, trials: float, error: float, groups: int) -> ShareEstimate:
    """Like `share_by_groups`, given the standard error between groups. If that is 0, each group counts as one trial."""
    if not error:
        return share_of(share * groups, groups)
    effective = share * (1 - share) / error**2 * (Z_95 / student(groups - 1)) ** 2
    effective = max(1.0, min(effective, trials))
    return share_of(share * effective, effective)._replace(share=share)


def mean_by_groups(groups: Sequence[tuple[float, float]], fitted: int = 0) -> ShareEstimate:
    """A mean of values that are correlated within groups, with Student's interval for the variance between groups.

    Each group is a pair of a sum and a number of values. `fitted` parameters were estimated from the same values. With
    too few groups the interval is everything.
    """
    total, count = (sum(column) for column in zip(*groups, strict=True))
    mean, freedom = total / count, len(groups) - 1 - fitted
    if freedom < 1:
        return ShareEstimate(mean, 0.0, 1.0)
    squares = sum((total - mean * count) ** 2 for total, count in groups) * (len(groups) - 1) / freedom
    spread = student(freedom) * ratio_error(squares, count, len(groups))
    return ShareEstimate(mean, mean - spread, mean + spread)


def slope(causes: Sequence[tuple[float, float]], effects: Sequence[tuple[float, float]]) -> float:
    """By how much the mean of a group's effects grows with the mean of its causes (least squares)."""
    given, found = _centred(causes), _centred(effects)
    squares = sum(one * one for one in given)
    return sum(one * other for one, other in zip(given, found, strict=True)) / squares if squares else 0.0


def _centred(groups: Sequence[tuple[float, float]]) -> list[float]:
    """The sums of the groups, less what the mean of all values would give them."""
    total, count = (sum(column) for column in zip(*groups, strict=True))
    return [one - total / count * number for one, number in groups]


def ratio_error(squares: float, total: float, groups: int) -> float:
    """The standard error of a ratio of two sums, from the squared residuals of the groups."""
    return sqrt(squares * groups / (groups - 1)) / total if groups > 1 else 0.0


def student(freedom: float) -> float:
    """The 97.5% quantile of Student's t, by its expansion around the normal quantile."""
    if freedom in _FEW_DEGREES:
        return _FEW_DEGREES[int(freedom)]
    first = (Z_95**3 + Z_95) / 4
    second = (5 * Z_95**5 + 16 * Z_95**3 + 3 * Z_95) / 96
    third = (3 * Z_95**7 + 19 * Z_95**5 + 17 * Z_95**3 - 15 * Z_95) / 384
    return float(Z_95 + first / freedom + second / freedom**2 + third / freedom**3)


def luck_alone(successes: int, trials: int) -> float:
    """The probability that a fair coin does at least as well: an exact one-sided binomial test."""
    as_well = sum(comb(trials, count) for count in range(successes, trials + 1))
    return float(Fraction(as_well, 2**trials))
