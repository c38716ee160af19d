"""Distributions: how often each value occurred."""

from collections.abc import Sequence

from .estimates import Estimate, per_game

Counts = Sequence[tuple[int, int]]  # values in ascending order, with their frequencies


def quantile(counts: Counts, share: float) -> int:
    """The smallest value with at least this share of all values at or below it."""
    wanted = share * sum(count for _, count in counts)
    reached = 0
    for value, count in counts:
        reached += count
        if reached >= wanted:
            return value
    return counts[-1][0]


def mean(counts: Counts) -> Estimate:
    """The mean of a value that occurs once per game."""
    games = sum(count for _, count in counts)
    y = sum(value * count for value, count in counts)
    return per_game({"y": y, "yy": sum(value**2 * count for value, count in counts)}, games)
