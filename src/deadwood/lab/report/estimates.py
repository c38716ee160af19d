"""How sure a number is: values with 95% intervals, and the test of dice.

What happens within one game hangs together, so a game is always the unit: sums are taken over a game
first, and their spread from game to game makes the interval.
"""

from collections.abc import Sequence
from math import erfc, exp, inf, isfinite, pi, sqrt
from typing import Any

from msgspec import Struct

from ..statistics import SURE, share_of

Sums = dict[str, Any]  # a row of `questions.over_games`
_FEWEST = {1: 12.7062, 2: 4.3027}  # Student's t where the expansion below is too coarse


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
    part = sums["y"] / sums["x"]
    error = _ratio_error(sums)
    worth = part * (1 - part) / error**2 * (SURE / _student(sums["games"] - 1)) ** 2 if error else sums["games"]
    trials = max(1.0, min(worth, sums["x"]))
    return wilson(part * trials, trials)


def per_game(sums: Sums, games: int) -> Estimate:
    """The mean of y over so many games; games without a row count as 0."""
    mean = sums["y"] / games
    if games < 2:
        return Estimate(mean)
    variance = max(0.0, sums["yy"] - games * mean**2) / (games - 1)
    return _around(mean, sqrt(variance / games), games)


def _ratio_error(sums: Sums) -> float:
    if sums["games"] < 2:
        return 0.0
    value = sums["y"] / sums["x"]
    squares = max(0.0, sums["yy"] - 2 * value * sums["xy"] + value**2 * sums["xx"])
    return sqrt(squares * sums["games"] / (sums["games"] - 1)) / float(sums["x"])


def _around(value: float, error: float, games: float) -> Estimate:
    if games < 2:
        return Estimate(value)
    margin = error * _student(games - 1)
    return Estimate(value, value - margin, value + margin)


def _student(freedom: float) -> float:
    """The 97.5% point of Student's t, by its expansion around the normal distribution's."""
    if freedom in _FEWEST:
        return _FEWEST[int(freedom)]
    first = (SURE**3 + SURE) / 4
    second = (5 * SURE**5 + 16 * SURE**3 + 3 * SURE) / 96
    third = (3 * SURE**7 + 19 * SURE**5 + 17 * SURE**3 - 15 * SURE) / 384
    return float(SURE + first / freedom + second / freedom**2 + third / freedom**3)


def chi_square(counts: Sequence[float]) -> float:
    """How far six counts are from even."""
    even = sum(counts) / len(counts)
    return sum((count - even) ** 2 for count in counts) / even


def chance_of(chi: float) -> float:
    """How often six fair faces come out this uneven or more: the tail of chi-square with 5 degrees of freedom."""
    return erfc(sqrt(chi / 2)) + sqrt(2 / pi) * exp(-chi / 2) * (sqrt(chi) + sqrt(chi) ** 3 / 3)
