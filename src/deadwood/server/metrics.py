"""Counters, in the text format of Prometheus."""

from collections.abc import Iterator, Mapping

from msgspec import Struct, structs


class Counters(Struct):
    """Totals since the server started."""

    commits: int = 0
    entries: int = 0
    commands: int = 0
    refusals: int = 0
    tables_made: int = 0
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

    def committed(self, entries: int) -> None:
        """A commit succeeded."""
        self.commits += 1
        self.entries += entries

    def dropped(self) -> None:
        """A client that did not read was dropped."""
        self.connections_dropped += 1


def exposition(counters: Counters, gauges: Mapping[str, float]) -> str:
    """All values in the text format of Prometheus."""
    return "\n".join((*_lines(structs.asdict(counters), "counter", "_total"), *_lines(gauges, "gauge", ""), ""))


def _lines(values: Mapping[str, float], kind: str, ending: str) -> Iterator[str]:
    for name, value in values.items():
        yield f"# TYPE deadwood_{name}{ending} {kind}"
        yield f"deadwood_{name}{ending} {value}"
