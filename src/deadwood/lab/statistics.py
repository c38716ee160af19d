"""Shares and how sure they are."""

from collections.abc import Sequence
from fractions import Fraction
from math import comb, sqrt
from typing import NamedTuple

SURE = 1.959964  # standard errors on either side that make a 95% interval


class Share(NamedTuple):
    """A share of so many trials, with its 95% interval (Wilson)."""

    share: float
    low: float
    high: float


def share_of(successes: float, trials: float) -> Share:
    """Of no trials nothing is known."""
    if not trials:
        return Share(float("nan"), 0.0, 1.0)
    share, square = successes / trials, SURE**2
    middle = (share + square / (2 * trials)) / (1 + square / trials)
    spread = SURE * sqrt(share * (1 - share) / trials + square / (4 * trials**2)) / (1 + square / trials)
    return Share(share, min(share, max(0.0, middle - spread)), max(share, min(1.0, middle + spread)))


def share_by_groups(groups: Sequence[tuple[float, float]]) -> Share:
    """A share of trials that hang together in groups: Wilson's interval for as many trials as they are worth.

    Each group has so many successes in so many trials; the spread from group to group says what that is.
    """
    successes, trials = (sum(column) for column in zip(*groups, strict=True))
    share = successes / trials
    errors = sum((own - share * count) ** 2 for own, count in groups)
    if len(groups) < 2 or not errors:
        return share_of(share * len(groups), len(groups))
    variance = errors * len(groups) / (len(groups) - 1) / trials**2
    worth = min(trials, max(1.0, share * (1 - share) / variance))
    return share_of(share * worth, worth)._replace(share=share)


def luck_alone(successes: int, trials: int) -> float:
    """The chance that a fair coin does as well or better: an exact binomial test."""
    as_well = sum(comb(trials, count) for count in range(successes, trials + 1))
    return float(Fraction(as_well, 2**trials))
