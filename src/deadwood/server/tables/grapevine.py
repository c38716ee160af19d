"""Grapevine: what people say at all tables of this process. It remembers the last lines, and stores them now and then.
Other processes that serve the same table hear of them by bulletins.

Talk must never slow down a game: lines are passed on at once, and stored a second later, those of all tables in one
transaction. A server that is killed loses that second. The stored lines let people who play over days read what was
said while they were away. They have their own database table, separate from the log, so that no record can hold them,
and clearing them is one cheap deletion.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Collection, Coroutine
from typing import Any

from msgspec.structs import replace

from ..protocol.refusals import StoreFailed
from ..protocol.talk import Said, TalkCleared, TalkLine
from .bulletins import Cleared, Spoken, TalkBulletin
from .ports import MOST_TALK, Hear, TalkRow, TalkStore

log = logging.getLogger("deadwood.server")
PAUSE = 1.0  # seconds until a line is stored
MOST_WAITING = 10_000  # lines of all tables kept in memory while the database fails


class _Channel:
    """The last lines of the players, or of those who watch, and the answers to those who said them."""

    def __init__(self) -> None:
        self.rows = deque[TalkRow](maxlen=MOST_TALK)
        self.answers = deque[tuple[str, str, int]](maxlen=MOST_TALK)

    def add(self, row: TalkRow) -> None:
        self.rows.append(row)
        self.answers.append((_speaker(row.line), row.command, row.line.number))


class _Ring:
    """The last lines of a table. Each channel has its own, so that spectators cannot push out what players said."""

    def __init__(self, hear: Hear, rows: list[TalkRow], cleared: int = 0) -> None:
        self.hear = hear
        self.newest = 0
        self.cleared = cleared
        self._players, self._spectators = _Channel(), _Channel()
        for row in rows:
            self.add(row)

    @property
    def rows(self) -> list[TalkRow]:
        return sorted([*self._players.rows, *self._spectators.rows], key=lambda row: row.line.number)

    def answer(self, line: TalkLine, command: str) -> int | None:
        """The number of the line that this one repeats, if any."""
        answers = self._channel(line).answers
        return next((number for *who, number in answers if who == [_speaker(line), command]), None)

    def knows(self, number: int) -> bool:
        return any(row.line.number == number for row in (*self._players.rows, *self._spectators.rows))

    def add(self, row: TalkRow) -> None:
        self._channel(row.line).add(row)
        self.newest = max(self.newest, row.line.number)

    def clear(self, number: int) -> None:
        self.cleared = max(self.cleared, number)
        for channel in (self._players, self._spectators):
            channel.rows = deque((row for row in channel.rows if row.line.number > number), MOST_TALK)

    def _channel(self, line: TalkLine) -> _Channel:
        return self._spectators if line.chair is None else self._players


class RingGrapevine:
    """The last lines of every table in memory."""

    def __init__(
        self,
        store: TalkStore,
        spawn: Callable[[Coroutine[Any, Any, None]], asyncio.Task[None]],
        tell: Callable[[TalkBulletin], None],
    ) -> None:
        self._store = store
        self._spawn = spawn
        self._tell = tell
        self._rings: dict[str, _Ring] = {}
        self._waiting: dict[tuple[str, int], TalkRow] = {}  # to be stored, in order
        self._one_writer = asyncio.Lock()
        self._storing = False

    async def join(self, code: str, hear: Hear, is_new: bool = False) -> None:
        rows = [] if is_new else await self._store.lines(code)
        self._rings[code] = _Ring(hear, self._with_waiting(code, rows))

    def _with_waiting(self, code: str, rows: list[TalkRow]) -> list[TalkRow]:
        known = {row.line.number for row in rows}
        waiting = [row for (owner, number), row in self._waiting.items() if owner == code and number not in known]
        return [*rows, *waiting]

    def leave(self, code: str) -> None:
        self._rings.pop(code, None)

    def lines(self, code: str) -> tuple[TalkLine, ...]:
        ring = self._rings.get(code)
        return tuple(row.line for row in ring.rows) if ring else ()

    def say(self, code: str, line: TalkLine, command: str) -> tuple[int, bool]:
        ring = self._rings[code]
        repeated = ring.answer(line, command)
        if repeated is not None:
            return repeated, False
        line = replace(line, number=max(line.number, ring.newest + 1))
        row = TalkRow(code, command, line)
        ring.add(row)
        self._waiting[code, line.number] = row
        self._store_soon()
        ring.hear(Said(line=line))
        self._tell(Spoken(code, command, line))
        return line.number, True

    async def clear(self, code: str) -> int:
        ring = self._rings[code]
        number = ring.newest
        await self._forget(code, number)
        ring.clear(number)
        ring.hear(TalkCleared(number=number))
        self._tell(Cleared(code, number))
        return number

    async def _forget(self, code: str, number: int) -> None:
        async with self._one_writer:
            await self._store.forget(code, number)
            self._drop([key for key in self._waiting if key[0] == code and key[1] <= number])

    # --- other processes

    def hear(self, bulletin: TalkBulletin) -> None:
        ring = self._rings.get(bulletin.code)
        if ring is None:
            return
        if isinstance(bulletin, Spoken):
            self._pass_on(ring, TalkRow(bulletin.code, bulletin.command, bulletin.line))
        else:
            ring.clear(bulletin.number)
            ring.hear(TalkCleared(number=bulletin.number))
            self._spawn(self._forget_here(bulletin.code, bulletin.number))

    def _pass_on(self, ring: _Ring, row: TalkRow) -> None:
        if row.line.number > ring.cleared and not ring.knows(row.line.number):
            ring.add(row)
            ring.hear(Said(line=row.line))

    async def _forget_here(self, code: str, number: int) -> None:
        """Delete lines that were about to be stored while another process cleared them."""
        try:
            await self._forget(code, number)
        except StoreFailed as error:
            log.warning("talk may not be cleared: %s", error)

    def repeat(self, code: str) -> None:
        for row in [row for row in self._waiting.values() if row.code == code]:
            self._tell(Spoken(code, row.command, row.line))

    async def refresh(self, code: str) -> None:
        for row in await self._store.lines(code):
            self.hear(Spoken(code, row.command, row.line))

    async def forget(self, code: str, names: Collection[str]) -> None:
        async with self._one_writer:
            self._drop([key for key, row in self._waiting.items() if key[0] == code and row.line.name in names])
            await self._store.forget_names(code, names)
            rows = await self._store.lines(code)
        ring = self._rings[code]
        self._rings[code] = _Ring(ring.hear, self._with_waiting(code, rows), ring.cleared)

    async def close(self) -> None:
        """Store what is left; if that fails, it is lost."""
        try:
            await self._write()
        except StoreFailed as error:
            log.warning("talk is not stored: %s", error)

    # --- storing

    def _store_soon(self) -> None:
        self._drop(list(self._waiting)[:-MOST_WAITING])
        if not self._storing:
            self._storing = True
            self._spawn(self._store_waiting())

    async def _store_waiting(self) -> None:
        try:
            while self._waiting:
                await asyncio.sleep(PAUSE)
                try:
                    await self._write()
                except StoreFailed as error:
                    log.warning("talk is not stored yet: %s", error)
        finally:
            self._storing = False

    async def _write(self) -> None:
        async with self._one_writer:
            rows = dict(self._waiting)
            if rows:
                await self._store.keep(list(rows.values()))
                self._drop(list(rows))

    def _drop(self, keys: list[tuple[str, int]]) -> None:
        for key in keys:
            self._waiting.pop(key, None)


def _speaker(line: TalkLine) -> str:
    return line.voice or f"chair {line.chair}"
