"""Follower: keeps a room up to date with its log, to which other processes and operators may write as well.

It takes entries from the bulletins that carry them, in the order of their numbers. Where one is missing, it reads the
log. It also finds out about a commit whose result is unknown.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any, Protocol

import msgspec

from ..protocol.commands import ChangeCommand, FileCommand, GameCommand
from ..protocol.messages import Goodbye
from ..protocol.refusals import ServerRefused, StoreFailed, refuse
from ..protocol.views import PendingOutcome
from .audience import Audience
from .log import Deleted, Entry, Rewritten
from .services import Services
from .sitting import Sitting, advanced, sitting_of
from .timekeeper import RETRY

_SOON = 1.0  # seconds until clients of a deleted table reconnect
_MOST_CARRIED = 100  # entries from bulletins that wait for those before them


class FollowingRoom(Protocol):
    """What a follower needs from its room."""

    sitting: Sitting
    audience: Audience
    pending: PendingOutcome | None
    lock: asyncio.Lock
    gone: bool

    def show_read(self, entry: Entry) -> None:
        """Show everybody an entry that somebody else has written."""

    def go_on(self) -> None:
        """Do what could not be done before."""

    def rest(self) -> None:
        """Stop the timer: nothing becomes due any more."""

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run a background task, during which the room stays in memory."""


class Follower:
    """Reads entries that the room does not have yet, and applies them to the room."""

    def __init__(self, room: FollowingRoom, services: Services) -> None:
        self.unsure = False  # whether the log may hold more than we know
        self._latest = 0  # the highest number that other processes have reported
        self._carried: dict[int, Entry] = {}  # entries from bulletins, by their numbers
        self._healing = False
        self._room = room
        self._services = services

    @property
    def behind(self) -> bool:
        """Whether the log may hold more than we know."""
        return self.unsure or self._latest > self._room.sitting.seq

    def learn(self, seq: int, entry: Entry | None = None) -> None:
        """Another process reports that the log goes up to this number at least, perhaps with that entry."""
        self._latest = max(self._latest, seq)
        if self._latest > self._room.sitting.seq:
            if entry is not None and len(self._carried) < _MOST_CARRIED:
                self._carried[seq] = entry
            self.heal_soon()

    def heed(self, command: ChangeCommand | FileCommand) -> None:
        """The sender of a command may know of entries that we do not have, perhaps from another process."""
        if isinstance(command, GameCommand) and command.seq > self._room.sitting.seq + 1:
            self.unsure = True

    async def look(self) -> None:
        """Read what others have written, even if nobody has reported it."""
        async with self._room.lock:
            await self._read_on()

    async def catch_up(self) -> None:
        """Read entries we do not have yet, if there may be any; the caller holds the lock."""
        if self._room.gone:
            raise refuse("table_unknown", code=self._room.sitting.code)
        if not self.unsure:
            await self._take_carried()
        if self.behind:
            try:
                await self._read_on()
            except StoreFailed:
                self.heal_soon()  # a table that is behind never leaves memory
                raise

    def heal_soon(self) -> None:
        """Catch up in the background, however long the database takes."""
        if not self._healing:
            self._healing = True
            self._room.spawn(self._heal())

    async def _heal(self) -> None:
        try:
            while self.behind and not self._room.gone:
                await self._try()
        finally:
            self._healing = False
        if not self._room.gone:
            self._room.go_on()

    async def _try(self) -> None:
        try:
            async with self._room.lock:
                await self.catch_up()
        except StoreFailed:
            await asyncio.sleep(RETRY)
        except ServerRefused:
            if not self._room.gone:
                raise

    async def _take_carried(self) -> None:
        while (entry := self._carried.pop(self._room.sitting.seq + 1, None)) is not None:
            await self._take(entry)

    async def _read_on(self) -> None:
        latest, sitting = self._latest, self._room.sitting
        for entry in await self._services.store.entries(sitting.code, sitting.seq + 1):
            await self._take(entry)
        self.unsure = False
        self._carried.clear()
        if self._latest == latest:
            self._latest = 0  # even if somebody reported more entries than there are

    async def _take(self, entry: Entry) -> None:
        room = self._room
        if isinstance(entry.body, Deleted):
            self._vanish()
            raise refuse("table_unknown", code=room.sitting.code)
        position = room.sitting.position_seq
        if isinstance(entry.body, Rewritten):
            await self._reread(entry.seq)
        else:
            room.sitting = advanced(room.sitting, entry)
        if room.sitting.position_seq != position:
            room.pending = None
        room.show_read(entry)

    async def _reread(self, last: int) -> None:
        """An operator has rewritten entries that we know."""
        before = self._room.sitting
        entries = await self._services.store.entries(before.code, before.first_seq, last)
        sitting: Sitting = await self._services.offload(sitting_of, entries)
        self._room.sitting = sitting
        old, new = ({chair.name for chair in one.chairs} for one in (before, sitting))
        await self._services.grapevine.forget(before.code, old - new)

    def _vanish(self) -> None:
        """An operator has deleted the table; listeners reconnect, and learn of it then."""
        self._room.gone = True
        self.unsure, self._latest = False, 0  # there is nothing more to read
        self._room.rest()
        for listener in self._room.audience.listeners():
            listener.dismiss(msgspec.json.encode(Goodbye(retry_after=_SOON)))
