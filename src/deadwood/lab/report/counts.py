"""Distributions: how often each value was seen."""

from collections.abc import Sequence

from .estimates import Estimate, per_game

Counts = Sequence[tuple[int, int]]  # values, ascending, and how many there were of each


def quantile(counts: Counts, share: float) -> int:
    """The value that so large a share lies at or below."""
    wanted = share * sum(count for _, count in counts)
    reached = 0
    for value, count in counts:
        reached += count
        if reached >= wanted:
            return value
    return counts[-1][0]


def mean(counts: Counts) -> Estimate:
    """The mean of values of which every game has one."""
    games = sum(count for _, count in counts)
    y = sum(value * count for value, count in counts)
    return per_game({"y": y, "yy": sum(value**2 * count for value, count in counts)}, games)
