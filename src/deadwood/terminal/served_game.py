"""What happens at a served table, kept for a screen that looks at it when it can."""

import asyncio
from collections import deque
from collections.abc import Callable

from ..client import ServedTable, Watcher
from ..client.connection import Status
from ..engine.events import Events
from ..engine.state import State
from ..server.protocol.messages import Problem, Update
from ..server.protocol.talk import TalkLine
from .served_views import talk_line
from .wording import phrase

_MOST_SHOWN = 8  # updates at once; whoever missed more reads the log, and sees the table as it is
_MOST_LINES = 2_000


def _nothing() -> None:
    pass


class ServedGame(Watcher):
    """Others act at any time; the screen takes what happened in order, and is told whenever something changes."""

    def __init__(self) -> None:
        self.state: State | None = None
        self.seq = -1  # of the entry with which the state came about
        self.news = asyncio.Event()
        self.on_change: Callable[[], None] = _nothing
        self._lines: deque[str] = deque(maxlen=_MOST_LINES)
        self._happened: deque[Update] = deque(maxlen=_MOST_SHOWN + 1)
        self._lost = False

    def take_lines(self) -> list[str]:
        """What to write into the log: sentences, talk, and news of the connection."""
        lines = [*self._lines]
        self._lines.clear()
        return lines

    def take_events(self) -> Events:
        """What to show on its own screen; nothing after a long absence."""
        happened = () if len(self._happened) > _MOST_SHOWN else tuple(self._happened)
        self._happened.clear()
        return tuple(event for update in happened for event in update.events)  # type: ignore[misc]

    async def look(self, table: ServedTable) -> None:
        """Bring the state up to date."""
        seq = table.view.seq
        self.state = await table.state()
        self.seq = seq

    def forget(self) -> None:
        """Tell nobody any more."""
        self.on_change = _nothing

    # --- what the table says

    def status_changed(self, status: Status) -> None:
        if status == "lost" and not self._lost:
            self._lost = True
            self._lines.append(phrase("served.lost"))
        self._tell()

    def caught_up(self, missed: tuple[Update, ...], first: bool) -> None:
        if self._lost:
            self._lost = False
            self._lines.append(phrase("served.back"))
        for update in missed:
            self._lines.extend(update.sentences)
            if not first:
                self._happened.append(update)
        self._tell()

    def updated(self, update: Update) -> None:
        self._lines.extend(update.sentences)
        self._happened.append(update)
        self._tell()

    def said(self, line: TalkLine) -> None:
        self._lines.append(talk_line(line))
        self._tell()

    def changed(self) -> None:
        self._tell()

    def refused(self, problem: Problem) -> None:
        self._lines.append(problem.sentence)
        self._tell()

    def _tell(self) -> None:
        self.news.set()
        self.on_change()
