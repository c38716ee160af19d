"""What a server counts and measures, in the text format of Prometheus."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping

from msgspec import Struct, field, structs

_BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # seconds


class Histogram:
    """How long something took: a count for each bucket, and the total time."""

    __slots__ = ("_counts", "total")

    def __init__(self) -> None:
        self._counts = [0] * (len(_BOUNDS) + 1)
        self.total = 0.0

    def observe(self, seconds: float) -> None:
        """Count one more."""
        self._counts[bisect_left(_BOUNDS, seconds)] += 1
        self.total += seconds

    @property
    def count(self) -> int:
        """How often it happened."""
        return sum(self._counts)

    def lines(self, name: str) -> Iterator[str]:
        """Its values; each bucket includes the counts of all smaller ones."""
        so_far = 0
        for bound, count in zip((*map(str, _BOUNDS), "+Inf"), self._counts, strict=True):
            so_far += count
            yield f'{name}_bucket{{le="{bound}"}} {so_far}'
        yield f"{name}_sum {self.total:.6f}"
        yield f"{name}_count {so_far}"


class Tallies(Struct):
    """Counts by the values of one label, of which there are few."""

    label: str
    counts: dict[str, int]

    def add(self, value: str) -> None:
        """Count one more."""
        self.counts[value] = self.counts.get(value, 0) + 1


def _actions() -> Tallies:
    return Tallies("by", {"person": 0, "bot": 0})


def _refusals() -> Tallies:
    return Tallies("code", {})


class Counters(Struct):
    """Totals since the server started."""

    commits: int = 0
    entries: int = 0
    commands: int = 0
    actions: Tallies = field(default_factory=_actions)
    refusals: Tallies = field(default_factory=_refusals)
    tables_made: int = 0
    tables_deleted: int = 0
    games_finished: int = 0
    talk_lines: int = 0
    connections_made: int = 0
    connections_dropped: int = 0
    bot_decisions: int = 0
    bot_failures: int = 0
    notices_sent: int = 0
    notices_failed: int = 0
    notices_dropped: int = 0
    errors: int = 0
    commit_seconds: Histogram = field(default_factory=Histogram)
    command_seconds: Histogram = field(default_factory=Histogram)
    request_seconds: Histogram = field(default_factory=Histogram)

    def committed(self, entries: int, seconds: float) -> None:
        """A commit succeeded."""
        self.commits += 1
        self.entries += entries
        self.commit_seconds.observe(seconds)

    def dropped(self) -> None:
        """A client that did not read was dropped."""
        self.connections_dropped += 1


def exposition(counters: Counters, totals: Mapping[str, int], gauges: Mapping[str, float]) -> str:
    """All values in the text format of Prometheus; `totals` are counted elsewhere."""
    counted = {**structs.asdict(counters), **totals}
    counted_lines = (line for name, value in counted.items() for line in _counter(f"deadwood_{name}", value))
    gauge_lines = (line for name, value in gauges.items() for line in _one(f"deadwood_{name}", "gauge", value))
    return "\n".join((*counted_lines, *gauge_lines, ""))


def _counter(name: str, value: int | Tallies | Histogram) -> Iterator[str]:
    match value:
        case Histogram():
            yield f"# TYPE {name} histogram"
            yield from value.lines(name)
        case Tallies():
            yield f"# TYPE {name}_total counter"
            for label, count in value.counts.items():
                yield f'{name}_total{{{value.label}="{label}"}} {count}'
        case _:
            yield from _one(f"{name}_total", "counter", value)


def _one(name: str, kind: str, value: float) -> Iterator[str]:
    yield f"# TYPE {name} {kind}"
    yield f"{name} {value}"
