"""The sections of a report: each answers a question with a sentence, a plot and a table."""

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
    """The numbers of a plot; the first cell of a row is its label."""

    caption: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]


class Section(Struct, frozen=True):
    """A question about a run and its answer. `figure` is None if there is too little to plot."""

    id: str
    title: str
    finding: str
    figure: Figure | None = None
    table: NumberTable | None = None
    note: str = ""


class Findings(Struct, frozen=True):
    """The answers to all questions about a run, in small tables."""

    header: RunHeader
    names: Names
    answers: Answers
    finished: int

    def rows(self, question: str) -> list[Sums]:
        """The rows of an answer, without those whose denominator is 0."""
        return [row for row in self.answers[question].to_dicts() if row.get("x", 1) > 0]

    def style(self, bot: str) -> int:
        """The style of a bot in all plots: colour, symbol and dashes."""
        return self.header.bots.index(bot)

    def seats_of(self, bot: str) -> int:
        """The number of seats of a bot."""
        return self.header.seats.count(bot)


def cells(estimate: Estimate, form: Format) -> list[Any]:
    """An estimate in a table: the value and its interval."""
    return [form(estimate.value), interval(estimate, form)]
