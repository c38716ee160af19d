"""Shares and their confidence intervals."""

from collections.abc import Sequence
from fractions import Fraction
from math import comb, sqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]
Group = tuple[float, float]  # a sum of values, and how many
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


def share_by_groups(groups: Sequence[Group]) -> ShareEstimate:
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


def mean_by_groups(groups: Sequence[Group]) -> ShareEstimate:
    """A mean of values that are correlated within groups, with Student's interval for the variance between groups.

    Each group is a pair of a sum and a number of values. With too few groups the interval is everything.
    """
    total, count = (sum(column) for column in zip(*groups, strict=True))
    mean, freedom = total / count, len(groups) - 1
    if freedom < 1:
        return ShareEstimate(mean, 0.0, 1.0)
    squares = sum((total - mean * count) ** 2 for total, count in groups)
    return _interval(mean, ratio_error(squares, count, len(groups)), freedom)


def mean_without(causes: Sequence[Sequence[float]], groups: Sequence[Group]) -> ShareEstimate:
    """A mean like `mean_by_groups`, without what its causes explain: sums by group, whose expectation is 0.

    Each cause gets the weight that explains most (least squares). The interval follows from what the mean would be
    without each of the groups (the jackknife), so it allows for weights that come from the same groups.
    """
    rows = np.array([(count, *given, total) for (total, count), *given in zip(groups, *causes, strict=True)])
    freedom = len(rows) - 1 - len(causes)
    totals, products = rows.sum(0), rows.T @ rows
    mean = float(_unexplained(totals, products))
    if freedom < 1:
        return ShareEstimate(mean, 0.0, 1.0)
    fewer = _unexplained(totals - rows, products - rows[:, :, None] * rows[:, None, :])
    spread = float(np.sqrt((len(rows) - 1) * np.var(fewer)))
    return _interval(mean, spread, freedom)


def _unexplained(totals: Numbers, products: Numbers) -> Numbers:
    """The mean without its causes, from the sums of counts, causes and values, and of all their products."""
    means = totals / totals[..., :1]
    squares = (  # the products of what is left of every number if each value is the mean
        products
        - means[..., :, None] * products[..., :1, :]
        - products[..., :, :1] * means[..., None, :]
        + means[..., :, None] * means[..., None, :] * products[..., :1, :1]
    )
    given, wanted = squares[..., 1:-1, 1:-1], squares[..., 1:-1, -1:]
    weights = (np.linalg.pinv(given, hermitian=True) @ wanted)[..., 0]
    found: Numbers = means[..., -1] - (means[..., 1:-1] * weights).sum(-1)
    return found


def _interval(mean: float, error: float, freedom: float) -> ShareEstimate:
    spread = student(freedom) * error
    return ShareEstimate(mean, mean - spread, mean + spread)


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
