"""What happens at a served table, kept until a screen can show it."""

import asyncio
from collections import deque
from collections.abc import Callable

from msgspec import Struct

from ..client import Listener, ServedTable
from ..client.connection import Status
from ..engine.events import Events
from ..engine.state import State
from ..server.protocol.messages import Problem, Update
from ..server.protocol.talk import TalkLine
from .served_views import talk_line
from .wording import phrase

_MOST_SHOWN = 8  # updates to show one by one; if there are more, people read the log and see the table as it is
_MOST_LINES = 2_000


class ShownUpdate(Struct, frozen=True):
    """Something that happened: a sentence for each event. Without events, it appears only in the log."""

    sentences: tuple[str, ...]
    events: Events = ()


def _shown(update: Update) -> ShownUpdate:
    """An update with an event for each sentence; if the numbers differ, only the sentences are used."""
    events = update.events if len(update.events) == len(update.sentences) else ()
    return ShownUpdate(update.sentences, events)  # type: ignore[arg-type] # what happens at the table beside the game, too


def _nothing() -> None:
    pass


class ServedGame(Listener):
    """Others act at any time; the screen takes what happened in order, and is told whenever something changes."""

    def __init__(self) -> None:
        self.state: State | None = None
        self.seq = -1  # of the entry that led to the state
        self.news = asyncio.Event()
        self.on_change: Callable[[], None] = _nothing
        self._lines: deque[str] = deque(maxlen=_MOST_LINES)
        self._updates: deque[ShownUpdate] = deque(maxlen=_MOST_LINES)
        self._lost = False

    def take_lines(self) -> list[str]:
        """What to write into the log at once: talk, and news of the connection."""
        lines = [*self._lines]
        self._lines.clear()
        return lines

    def take_update(self) -> ShownUpdate | None:
        """What happened next, if anything; after a long absence, everything at once as sentences only."""
        if len(self._updates) > _MOST_SHOWN:
            return ShownUpdate(self.take_sentences())
        return self._updates.popleft() if self._updates else None

    def take_sentences(self) -> tuple[str, ...]:
        """Everything that happened, for use where nobody has to see the dice first."""
        sentences = tuple(sentence for update in self._updates for sentence in update.sentences)
        self._updates.clear()
        return sentences

    async def look(self, table: ServedTable) -> None:
        """Bring the state up to date."""
        seq = table.view.seq
        self.state = await table.state()
        self.seq = seq

    def forget(self) -> None:
        """Stop reporting to the screen."""
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
            self._updates.append(ShownUpdate(update.sentences) if first else _shown(update))
        self._tell()

    def updated(self, update: Update) -> None:
        self._updates.append(_shown(update))
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
