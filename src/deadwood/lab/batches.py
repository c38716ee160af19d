"""Batches: how many games a worker plays before it reports; small enough to lose and to wait for little."""

from collections.abc import Iterable, Iterator
from itertools import islice

SECONDS = 0.5  # that a batch should take
MOST_GAMES = 200


class Batches:
    """Games in batches that grow from one game to as many as take half a second."""

    def __init__(self, games: Iterable[int]) -> None:
        self._games = iter(games)
        self._size = 1

    def __iter__(self) -> Iterator[list[int]]:
        while batch := list(islice(self._games, self._size)):
            yield batch

    def learn(self, games: int, seconds: float) -> None:
        """Adapt the size to how long a batch took."""
        wanted = int(SECONDS * games / max(seconds, 1e-9))
        self._size = max(1, min(wanted, 2 * self._size, MOST_GAMES))
