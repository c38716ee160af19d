"""Uptime: how long a server ran between two moments. Clocks stand still while no server runs."""

from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate

from msgspec import Struct


class Run(Struct, frozen=True):
    """One run of a server, from its start to its last sign of life."""

    id: str
    started: float
    alive: float


class Uptime:
    """The time in which a server ran: earlier runs, and the present one, which has not ended."""

    def __init__(self, started: float, earlier: Iterable[Run] = ()) -> None:
        """Runs may overlap, because several processes may share a database."""
        ended = (Run(run.id, run.started, min(run.alive, started)) for run in earlier)
        self._starts, self._ends = _merged(sorted((run.started, run.alive) for run in ended))
        self._starts.append(started)
        self._sum()

    def skip(self, last: float, now: float) -> None:
        """Leave out the time between two moments: the machine slept, or its clock was set."""
        self._ends.append(max(last, self._starts[-1]))
        while self._starts and self._starts[-1] >= now:  # the clock was set back, so these moments come again
            del self._starts[-1], self._ends[-1]
        if self._ends:
            self._ends[-1] = min(self._ends[-1], now)
        self._starts.append(now)
        self._sum()

    def seconds(self, since: float, now: float) -> float:
        """How long a server ran between two moments."""
        return max(0.0, self._until(now) - self._until(since))

    def _sum(self) -> None:
        lengths = (end - start for start, end in zip(self._starts, self._ends, strict=False))
        self._before = list(accumulate(lengths, initial=0.0))

    def _until(self, moment: float) -> float:
        number = bisect_right(self._starts, moment) - 1
        if number < 0:
            return 0.0
        end = self._ends[number] if number < len(self._ends) else moment
        return self._before[number] + min(moment, end) - self._starts[number]


def _merged(spans: list[tuple[float, float]]) -> tuple[list[float], list[float]]:
    """The starts and the ends of spans that do not overlap, in order."""
    starts, ends = list[float](), list[float]()
    for start, end in spans:
        if ends and start <= ends[-1]:
            ends[-1] = max(ends[-1], end)
        elif start < end:
            starts.append(start)
            ends.append(end)
    return starts, ends
