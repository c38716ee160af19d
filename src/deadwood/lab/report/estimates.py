"""How sure a number is: values with 95% intervals, and the test of dice.

What happens within one game hangs together, so a game is always the unit: sums are taken over a game
first, and their spread from game to game makes the interval.
"""

from collections.abc import Sequence
from math import erfc, exp, inf, isfinite, pi, sqrt
from typing import Any

from msgspec import Struct

from ..statistics import ratio_error, share_by_spread, share_of, student

Sums = dict[str, Any]  # a row of `questions.over_games`


class Estimate(Struct, frozen=True):
    """A value and its 95% interval, which is infinite where one game is all there is."""

    value: float
    low: float = -inf
    high: float = inf

    @property
    def is_bounded(self) -> bool:
        """Whether there is an interval to speak of."""
        return isfinite(self.low) and isfinite(self.high)

    def scaled(self, factor: float) -> "Estimate":
        """The estimate in other units."""
        low, high = sorted((self.low * factor, self.high * factor))
        return Estimate(self.value * factor, low, high)

    def is_above(self, other: "Estimate | float") -> bool:
        """Whether the intervals show it. For any two that do not overlap the difference is sure, dependent or not."""
        return self.low > (other.high if isinstance(other, Estimate) else other)

    def is_below(self, other: "Estimate | float") -> bool:
        """As is_above, the other way."""
        return self.high < (other.low if isinstance(other, Estimate) else other)


def wilson(successes: float, trials: float) -> Estimate:
    """A share of independent trials. A shared win counts as its part, which makes the interval a little too wide."""
    return Estimate(*share_of(min(successes, trials), trials))


def evened(groups: Sequence[tuple[float, float]]) -> Estimate:
    """The mean share of groups of trials, each group counting alike however many trials, and successes, it has.

    Shares of 0 and 1 are drawn in a little where spread is computed: from few trials they are not that sure.
    """
    value = sum(successes / trials for successes, trials in groups) / len(groups)
    drawn_in = [((successes + 1) / (trials + 2), trials) for successes, trials in groups]
    variance = sum(share * (1 - share) / trials for share, trials in drawn_in) / len(groups) ** 2
    worth = max(1.0, value * (1 - value) / variance)
    return wilson(value * worth, worth)


def ratio(sums: Sums) -> Estimate:
    """One sum over another, as points over turns; with games as the unit."""
    return _around(sums["y"] / sums["x"], _ratio_error(sums), sums["games"])


def share(sums: Sums) -> Estimate:
    """As ratio, for shares: Wilson's interval for as many independent trials as the games are worth."""
    return Estimate(*share_by_spread(sums["y"] / sums["x"], sums["x"], _ratio_error(sums), sums["games"]))


def per_game(sums: Sums, games: int) -> Estimate:
    """The mean of y over so many games; games without a row count as 0."""
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
    """How far six counts are from even."""
    even = sum(counts) / len(counts)
    return sum((count - even) ** 2 for count in counts) / even


def chance_of(chi: float) -> float:
    """How often six fair faces come out this uneven or more: the tail of chi-square with 5 degrees of freedom."""
    return erfc(sqrt(chi / 2)) + sqrt(2 / pi) * exp(-chi / 2) * (sqrt(chi) + sqrt(chi) ** 3 / 3)
