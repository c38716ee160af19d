"""Shares and how sure they are."""

from collections.abc import Sequence
from fractions import Fraction
from math import comb, sqrt
from typing import NamedTuple

SURE = 1.959964  # standard errors on either side that make a 95% interval
_FEWEST = {1: 12.7062, 2: 4.3027}  # Student's t where its expansion is too coarse


class ShareEstimate(NamedTuple):
    """A share of so many trials, with its 95% interval (Wilson)."""

    share: float
    low: float
    high: float


def share_of(successes: float, trials: float) -> ShareEstimate:
    """Of no trials nothing is known."""
    if not trials:
        return ShareEstimate(float("nan"), 0.0, 1.0)
    share, square = successes / trials, SURE**2
    middle = (share + square / (2 * trials)) / (1 + square / trials)
    spread = SURE * sqrt(share * (1 - share) / trials + square / (4 * trials**2)) / (1 + square / trials)
    return ShareEstimate(share, min(share, max(0.0, middle - spread)), max(share, min(1.0, middle + spread)))


def share_by_groups(groups: Sequence[tuple[float, float]]) -> ShareEstimate:
    """A share of trials that hang together in groups: Wilson's interval for as many trials as they are worth.

    Each group has so many successes in so many trials; the spread from group to group says what that is.
    """
    successes, trials = (sum(column) for column in zip(*groups, strict=True))
    share = successes / trials
    squares = sum((own - share * count) ** 2 for own, count in groups)
    return share_by_spread(share, trials, ratio_error(squares, trials, len(groups)), len(groups))


def share_by_spread(share: float, trials: float, error: float, groups: int) -> ShareEstimate:
    """As `share_by_groups`, where the standard error from group to group is known; 0 says nothing of it."""
    if not error:
        return share_of(share * groups, groups)
    worth = share * (1 - share) / error**2 * (SURE / student(groups - 1)) ** 2
    worth = max(1.0, min(worth, trials))
    return share_of(share * worth, worth)._replace(share=share)


def ratio_error(squares: float, total: float, groups: int) -> float:
    """The standard error of one sum over another, from the squares of what groups stray from it."""
    return sqrt(squares * groups / (groups - 1)) / total if groups > 1 else 0.0


def student(freedom: float) -> float:
    """The 97.5% point of Student's t, by its expansion around the normal distribution's."""
    if freedom in _FEWEST:
        return _FEWEST[int(freedom)]
    first = (SURE**3 + SURE) / 4
    second = (5 * SURE**5 + 16 * SURE**3 + 3 * SURE) / 96
    third = (3 * SURE**7 + 19 * SURE**5 + 17 * SURE**3 - 15 * SURE) / 384
    return float(SURE + first / freedom + second / freedom**2 + third / freedom**3)


def luck_alone(successes: int, trials: int) -> float:
    """The chance that a fair coin does as well or better: an exact binomial test."""
    as_well = sum(comb(trials, count) for count in range(successes, trials + 1))
    return float(Fraction(as_well, 2**trials))
