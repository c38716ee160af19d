"""What a report is made of: questions, each with an answer in a sentence, a plot and a table."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from ..run_file import RunHeader
from .estimates import Estimate, Sums
from .names import Names
from .plots import Figure
from .questions import Answers
from .wording import Format, interval


class NumberTable(Struct, frozen=True):
    """A plot's numbers; the first cell of a row names it."""

    caption: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]


class Section(Struct, frozen=True):
    """A question about the run, what the games say, and how sure it is. Without a plot there is nothing to plot."""

    id: str
    title: str
    finding: str
    figure: Figure | None = None
    table: NumberTable | None = None
    note: str = ""


class Findings(Struct, frozen=True):
    """All that the games of a run say, in small tables."""

    header: RunHeader
    names: Names
    answers: Answers
    finished: int

    def rows(self, question: str) -> list[Sums]:
        """The sums of an answer, without those that measure nothing."""
        return [row for row in self.answers[question].to_dicts() if row.get("x", 1) > 0]

    def style(self, bot: str) -> int:
        """The colour and sign of a bot in all plots."""
        return self.header.bots.index(bot)

    def seats_of(self, bot: str) -> int:
        """How many seats a bot has."""
        return self.header.seats.count(bot)


def cells(estimate: Estimate, form: Format) -> list[Any]:
    """An estimate in a table: the value and its interval."""
    return [form(estimate.value), interval(estimate, form)]
