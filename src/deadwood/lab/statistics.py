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
FEWEST_GROUPS = 20  # with fewer, weights that are fitted to the same groups explain too much, and errors look too small
FEWEST_RESULTS = 10  # successes or failures: with fewer, a ratio of variances is little more than chance
_NO_ERROR = 1e-6  # smaller errors are rounding
_FEW_DEGREES = {1: 12.7062, 2: 4.3027}  # exact values, where the expansion is too coarse


class ShareEstimate(NamedTuple):
    """A share of a number of trials, with its 95% interval (Wilson)."""

    share: float
    low: float
    high: float


class ShareWithout(NamedTuple):
    """A share without what its causes explain, and how many plain trials give the same certainty as one of these."""

    share: ShareEstimate
    worth: float | None  # None if that cannot be told


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
    effective = min(trials, _effective(share, error, groups - 1))
    return share_of(share * effective, effective)._replace(share=share)


def _effective(share: float, error: float, freedom: float) -> float:
    """How many independent trials have this standard error; fewer if the error is known from few groups."""
    return max(1.0, share * (1 - share) / error**2 * (Z_95 / student(freedom)) ** 2)


def share_without(causes: Sequence[Sequence[float]], groups: Sequence[Group]) -> ShareWithout | None:
    """A share like `share_by_groups`, without what its causes explain: sums by group, whose expectation is 0.

    With fewer than FEWEST_GROUPS there is no answer. The interval is Wilson's for the effective number of trials: as
    many as give a plain share the variance that is left. If none is left, each group counts as one trial.
    """
    if len(groups) < FEWEST_GROUPS:
        return None
    successes, trials = (sum(column) for column in zip(*groups, strict=True))
    plain, (mean, error) = successes / trials, mean_without(causes, groups)
    share, freedom = min(1.0, max(0.0, mean)), len(groups) - 1 - len(causes)
    effective = _effective(plain, error, freedom) if error > _NO_ERROR else len(groups)
    found = share_of(share * effective, effective)._replace(share=share)
    is_telling = min(successes, trials - successes) >= FEWEST_RESULTS
    return ShareWithout(found, _worth(groups, error) if is_telling else None)


def _worth(groups: Sequence[Group], error: float) -> float | None:
    plain = mean_without((), groups)[1]
    return (plain / error) ** 2 if min(plain, error) > _NO_ERROR else None


def mean_without(causes: Sequence[Sequence[float]], groups: Sequence[Group]) -> tuple[float, float]:
    """A mean without what its causes explain, and its standard error.

    Each cause gets the weight that explains most (least squares). The error follows from what the mean would be without
    each of the groups (the jackknife), so it allows for weights that come from the same groups.
    """
    rows = np.array([(count, *given, total) for (total, count), *given in zip(groups, *causes, strict=True)])
    totals, products = rows.sum(0), rows.T @ rows
    fewer = _unexplained(totals - rows, products - rows[:, :, None] * rows[:, None, :])
    return float(_unexplained(totals, products)), float(np.sqrt((len(rows) - 1) * np.var(fewer)))


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
