"""Values with 95% intervals, and the chi-square test for dice.

Events within one game are not independent, so the game is the unit of every estimate: values are summed within each
game first, and the variance between games gives the interval.
"""

from collections.abc import Sequence
from math import erfc, exp, inf, isfinite, pi, sqrt
from typing import Any

from msgspec import Struct

from ..statistics import ratio_error, share_by_spread, share_of, student

Sums = dict[str, Any]  # a row of `questions.over_games`


class Estimate(Struct, frozen=True):
    """A value and its 95% interval, which is infinite if there is only one game."""

    value: float
    low: float = -inf
    high: float = inf

    @property
    def is_bounded(self) -> bool:
        """Whether the interval is finite."""
        return isfinite(self.low) and isfinite(self.high)

    @property
    def is_exact(self) -> bool:
        """Whether this is no estimate but an exact value."""
        return self.low == self.high

    def scaled(self, factor: float) -> "Estimate":
        """The estimate in different units."""
        low, high = sorted((self.low * factor, self.high * factor))
        return Estimate(self.value * factor, low, high)

    def is_above(self, other: "Estimate | float") -> bool:
        """Whether the whole interval is above the other. This is conservative, for dependent estimates too."""
        return self.low > (other.high if isinstance(other, Estimate) else other)

    def is_below(self, other: "Estimate | float") -> bool:
        """Whether the whole interval is below the other."""
        return self.high < (other.low if isinstance(other, Estimate) else other)


def wilson(successes: float, trials: float) -> Estimate:
    """A share of independent trials. Shared wins are fractions, which makes the interval slightly too wide."""
    return Estimate(*share_of(min(successes, trials), trials))


def evened(groups: Sequence[tuple[float, float]]) -> Estimate:
    """The mean share of groups of trials, with equal weight for each group regardless of its size.

    The variance uses shares pulled slightly towards the middle, because 0 or 1 out of few trials would have none.
    """
    value = sum(successes / trials for successes, trials in groups) / len(groups)
    smoothed = [((successes + 1) / (trials + 2), trials) for successes, trials in groups]
    variance = sum(share * (1 - share) / trials for share, trials in smoothed) / len(groups) ** 2
    effective = max(1.0, value * (1 - value) / variance)
    return wilson(value * effective, effective)


def ratio(sums: Sums) -> Estimate:
    """A ratio of sums, such as points per turn, with games as the unit."""
    return _around(sums["y"] / sums["x"], _ratio_error(sums), sums["games"])


def share(sums: Sums) -> Estimate:
    """Like `ratio`, for shares: Wilson's interval for the effective number of independent trials."""
    return Estimate(*share_by_spread(sums["y"] / sums["x"], sums["x"], _ratio_error(sums), sums["games"]))


def per_game(sums: Sums, games: int) -> Estimate:
    """The mean of y over this many games; games without a row count as 0."""
    mean = sums["y"] / games
    if games < 2:
        return Estimate(mean)
    variance = max(0.0, sums["yy"] - games * mean**2) / (games - 1)
    return _around(mean, sqrt(variance / games), games)


def _ratio_error(sums: Sums) -> float:
    value = sums["y"] / sums["x"]
    squares = max(0.0, sums["yy"] - 2 * value * sums["xy"] + value**2 * sums["xx"])
    return ratio_error(squares, float(sums["x"]), sums["games"])


def _around(value: float, error: float, games: float) -> Estimate:
    if games < 2:
        return Estimate(value)
    margin = error * student(games - 1)
    return Estimate(value, value - margin, value + margin)


def chi_square(counts: Sequence[float]) -> float:
    """The chi-square statistic of counts that should be equal."""
    even = sum(counts) / len(counts)
    return sum((count - even) ** 2 for count in counts) / even


def p_value(chi: float) -> float:
    """The probability that a fair die gives this statistic or more: chi-square with 5 degrees of freedom."""
    return erfc(sqrt(chi / 2)) + sqrt(2 / pi) * exp(-chi / 2) * (sqrt(chi) + sqrt(chi) ** 3 / 3)
