"""Portions: how many games a worker plays before it reports, so that little is lost and little is waited for."""

from collections.abc import Iterable, Iterator
from itertools import islice

SECONDS = 0.5  # that a portion should take
MOST_GAMES = 200


class Portions:
    """Games in portions, which grow from one game as it is learned how long a game takes."""

    def __init__(self, games: Iterable[int]) -> None:
        self._games = iter(games)
        self._size = 1

    def __iter__(self) -> Iterator[list[int]]:
        while portion := list(islice(self._games, self._size)):
            yield portion

    def learn(self, games: int, seconds: float) -> None:
        """Take note of how long a portion took."""
        wanted = int(SECONDS * games / max(seconds, 1e-9))
        self._size = max(1, min(wanted, 2 * self._size, MOST_GAMES))
