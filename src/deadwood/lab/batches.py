"""Batches: the games a worker plays before it reports. Small batches lose little and keep nobody waiting."""

from collections.abc import Iterable, Iterator
from itertools import islice

SECONDS = 0.5  # target duration of a batch
MOST_GAMES = 200


class Batches:
    """Splits games into batches, which grow from one game to about half a second of work."""

    def __init__(self, games: Iterable[int]) -> None:
        self._games = iter(games)
        self._size = 1

    def __iter__(self) -> Iterator[list[int]]:
        while batch := list(islice(self._games, self._size)):
            yield batch

    def learn(self, games: int, seconds: float) -> None:
        """Adapt the batch size to how long a batch took."""
        wanted = int(SECONDS * games / max(seconds, 1e-9))
        self._size = max(1, min(wanted, 2 * self._size, MOST_GAMES))
