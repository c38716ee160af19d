"""Follower: keeps a room up to date with its log, to which other processes and operators may write as well.

It also finds out about a commit whose result is unknown.
"""

import asyncio
from typing import Protocol

from ..protocol.refusals import ServerRefused, StoreFailed, refuse
from .log import Entry
from .services import Services
from .sitting import Sitting
from .timekeeper import RETRY


class FollowingRoom(Protocol):
    """What a follower needs from its room."""

    sitting: Sitting
    lock: asyncio.Lock
    gone: bool

    async def take_read(self, entry: Entry) -> None:
        """Take an entry that somebody else has written."""

    def go_on(self) -> None:
        """Do what could not be done before."""


class Follower:
    """Reads entries that the room does not have yet."""

    def __init__(self, room: FollowingRoom, services: Services) -> None:
        self.unsure = False  # whether the log may hold more than we know
        self._latest = 0  # the highest number that other processes have reported
        self._healing = False
        self._room = room
        self._services = services

    @property
    def behind(self) -> bool:
        """Whether the log may hold more than we know."""
        return self.unsure or self._latest > self._room.sitting.seq

    def learn(self, seq: int) -> None:
        """Another process reports that the log goes up to this number at least."""
        self._latest = max(self._latest, seq)
        if self._latest > self._room.sitting.seq:
            self.heal_soon()

    async def look(self) -> None:
        """Read what others have written, even if nobody has reported it."""
        async with self._room.lock:
            await self._read_on()

    async def catch_up(self) -> None:
        """Read entries we do not have yet, if there may be any; the caller holds the lock."""
        if self._room.gone:
            raise refuse("table_unknown", code=self._room.sitting.code)
        if self.behind:
            await self._read_on()

    def stop(self) -> None:
        """Stop: there is nothing more to read."""
        self.unsure, self._latest = False, 0

    def heal_soon(self) -> None:
        """Catch up in the background, however long the database takes."""
        if not self._healing:
            self._healing = True
            self._services.spawn(self._heal())

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

    async def _read_on(self) -> None:
        latest, sitting = self._latest, self._room.sitting
        for entry in await self._services.store.entries(sitting.code, sitting.seq + 1):
            await self._room.take_read(entry)
        self.unsure = False
        if self._latest == latest:
            self._latest = 0  # even if somebody reported more entries than there are
