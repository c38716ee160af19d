"""Attendance: which seats have a connection. It is counted as they come and go, so that nobody looks through all."""

from collections import Counter
from collections.abc import Iterable


class Attendance:
    """How many connections hold each seat. Nothing of it is kept: a server that restarts waits for people anew."""

    def __init__(self) -> None:
        self._holders: Counter[int] = Counter()

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that somebody holds just now."""
        return tuple(sorted(self._holders))

    def come(self, seats: Iterable[int]) -> bool:
        """Count a connection; whether a seat is held now that was not."""
        before = len(self._holders)
        self._holders.update(seats)
        return len(self._holders) > before

    def go(self, seats: Iterable[int]) -> bool:
        """Count it no more; whether a seat is held by nobody now."""
        before = len(self._holders)
        self._holders -= Counter(seats)  # which also forgets those at zero
        return len(self._holders) < before
