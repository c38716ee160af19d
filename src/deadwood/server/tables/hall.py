"""Hall: all tables of this process. Those in use are in memory; the others sleep in the store."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import msgspec

from ..protocol.codes import new_code, parse_code
from ..protocol.commands import NewPerson, NewTable
from ..protocol.messages import Goodbye
from ..protocol.refusals import ServerRefused, StoreFailed, refuse
from . import summaries
from .caller import Listener
from .chores import in_portions
from .listing import NUMBERS_PER_SECOND
from .lobby import open_table, start_at_once
from .log import Entry
from .ports import Append, GameRow, Listing
from .room import Room
from .services import Services
from .sitting import Sitting, sitting_of

log = logging.getLogger("deadwood.server")
_SHOWN = 20  # characters of a wrong code
_LONG = 500  # entries; replaying more would hold up everybody else
_LOOKING = 2.0  # seconds to read a log before somebody is let in
_WAKERS = 4  # tables that are woken at the same time, so that a thousand do not hold up everybody else
_TO_OTHERS = 0.1, 1.0  # seconds until clients reconnect, if another process is still serving
_UNTIL_BACK = 1.0, 5.0  # if none is


class Hall:
    """Finds, opens and wakes tables, and puts unused ones to sleep."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.rooms: dict[str, Room] = {}
        self.closing = False
        self._unvisited: dict[str, Room] = {}  # only these may go to sleep
        self._waking: dict[str, asyncio.Task[Room]] = {}
        self._asleep: dict[str, None] = {}  # to be woken, in order
        self._wakers = 0

    async def open(self, new: NewTable) -> Room:
        """A new table. One that can start at once does so, and is refused if it cannot."""
        starts = new.start or not any(isinstance(one, NewPerson) for one in new.chairs)
        self.services.demand_writable()
        opened = open_table(new, self.services.random_bytes)
        while True:
            now = self.services.now()
            entry = Entry(new_code(self.services.random_bytes), 1, now, 0, "", opened)
            sitting = Sitting(entry)
            if starts:
                start_at_once(sitting)
            number = round(now * NUMBERS_PER_SECOND)
            summary = summaries.encode_table(sitting, number / NUMBERS_PER_SECOND)
            listing = Listing(entry.code, number, opened.public, "waiting", summary)
            if await self.services.append(Append(entry, listing, GameRow(entry.code, 1, 1))):
                break
        self.services.counters.tables_made += 1
        room = await self._add(entry.code, Room(listing, sitting, self.services), is_new=True)
        if starts:
            await room.clerk.start_at_once()
        return room

    async def code(self, typed: str) -> str:
        """The code of an existing table, without waking it."""
        code = _parse(typed)
        if code not in self.rooms and await self.services.store.listing(code) is None:
            raise refuse("table_unknown", code=code)
        return code

    @asynccontextmanager
    async def visit(self, typed: str) -> AsyncIterator[Room]:
        """A table by its code, kept in memory inside the `with` block."""
        room = await self._room(typed)
        code = room.sitting.code
        room.visits += 1
        self._unvisited.pop(code, None)
        try:
            await self._see_all(room)
            room.wake()  # bots may have paused
            yield room
        finally:
            room.visits -= 1
            room.used = room.seen = self.services.monotonic()
            if not room.visits and self.rooms.get(code) is room:
                self._unvisited[code] = room

    async def _see_all(self, room: Room) -> None:
        """Read what other processes have stored: a client may have seen it. Without others, a failure is harmless."""
        if not self.services.peers.possible:
            return
        try:
            async with asyncio.timeout(_LOOKING):
                await room.follower.look()
        except (TimeoutError, StoreFailed) as error:
            if self.services.peers.others:
                raise StoreFailed(f"The log of a table cannot be read: {error}") from error

    def listeners(self) -> Iterator[Listener]:
        """Everybody who listens to any table."""
        return (listener for room in self.rooms.values() for listener in room.audience.listeners())

    def put_to_sleep(self) -> None:
        """Forget tables that nobody uses; their logs bring them back. Looks only at unvisited ones."""
        long_ago = self.services.monotonic() - self.services.settings.asleep
        for code, room in tuple(self._unvisited.items()):
            if room.idle and room.used <= long_ago:
                room.rest()
                self._drop(code)

    def _drop(self, code: str) -> None:
        self.services.grapevine.leave(code)
        self.services.peers.leave(code)
        del self.rooms[code]
        self._unvisited.pop(code, None)

    async def look_again(self, code: str) -> None:
        """Somebody else changed a table: read its log again, if it is in memory."""
        room = self.rooms.get(code)
        if room is None:
            return
        try:
            await room.follower.look()
            room.wake()
        except ServerRefused as error:
            if not room.gone:
                log.warning("a table could not be read again: %s", error)
            elif self.rooms.get(code) is room:
                self._drop(code)

    async def wake_all(self) -> None:
        """Let all tables go on after a time in which nothing could happen."""
        async for code in in_portions(tuple(self.rooms)):
            if code in self.rooms:  # it may have left memory meanwhile
                self.rooms[code].go_on()

    async def wake_due(self, now: float, limit: int) -> None:
        """Wake sleeping tables whose time has come: a clock has run out, or only bots are left.

        Time while no server was running does not count.
        """
        due = list[str]()
        for listing in await self.services.store.due(now, limit):
            if listing.code in self.rooms or listing.since is None or listing.due is None:
                continue
            left = listing.due - listing.since - self.services.served(listing.since)
            if left > 0:
                await self.services.store.postpone(listing, now, now + left)
            else:
                due.append(listing.code)
        for code in sorted(await self.services.peers.claim(due)):
            self.wake(code)

    def wake(self, code: str) -> None:
        """Let a table that nobody is visiting go on, after those that were named before."""
        self._asleep[code] = None
        if self._wakers < _WAKERS:
            self._wakers += 1
            self.services.spawn(self._wake_some())

    async def _wake_some(self) -> None:
        try:
            while self._asleep and not self.closing:
                code = next(iter(self._asleep))
                del self._asleep[code]
                await self._wake_alone(code)
        finally:
            self._wakers -= 1

    async def _wake_alone(self, code: str) -> None:
        try:
            await self._room(code)
        except StoreFailed as error:
            log.warning("table %s could not be woken: %s", code, error)
        except ServerRefused as error:  # it is gone or damaged, and a retry would not help
            log.warning("table %s could not be woken: %s", code, error)
            self.services.peers.leave(code)

    def dismiss(self, soonest: float, latest: float) -> None:
        """Tell all clients when to reconnect, each at a different moment."""
        for listener in tuple(self.listeners()):
            share = int.from_bytes(self.services.random_bytes(2), "big") / 2**16
            wait = soonest + (latest - soonest) * share
            listener.dismiss(msgspec.json.encode(Goodbye(retry_after=round(wait, 2))))

    def send_to_others(self) -> None:
        """Nobody can play here while the database is out of reach; another process may still reach it."""
        if self.services.peers.cut_off and not self.closing:
            self.dismiss(*_TO_OTHERS)

    def close(self) -> None:
        """Send everybody away: to other processes, or until this one is back."""
        self.closing = True
        for room in self.rooms.values():
            room.rest()
        self.dismiss(*(_TO_OTHERS if self.services.peers.others else _UNTIL_BACK))

    async def _add(self, code: str, room: Room, is_new: bool = False) -> Room:
        await self.services.grapevine.join(code, room.hear_talk, is_new)
        self.rooms[code] = self._unvisited[code] = room
        self.services.peers.join(code, room.peering, is_new)
        return room

    async def _room(self, typed: str) -> Room:
        code = _parse(typed)
        if code in self.rooms and self.rooms[code].gone:
            self._drop(code)
        if code not in self.rooms:
            if code not in self._waking:
                self._waking[code] = asyncio.create_task(self._wake(code))
            await asyncio.shield(self._waking[code])
        return self.rooms[code]

    async def _wake(self, code: str) -> Room:
        try:
            store = self.services.store
            listing, games = await store.listing(code), await store.games(code, None, 1)
            if listing is None or not games:
                raise refuse("table_unknown", code=code)
            sitting = await self._replayed(code, await store.entries(code, games[0].first_seq))
            room = await self._add(code, Room(listing, sitting, self.services))
            room.wake()
            return room
        finally:
            del self._waking[code]

    async def _replayed(self, code: str, entries: list[Entry]) -> Sitting:
        sitting: Sitting
        try:
            sitting = sitting_of(entries) if len(entries) < _LONG else await self.services.offload(sitting_of, entries)
        except ServerRefused as error:
            if error.__cause__ is not None:
                log.error("the log of table %s cannot be replayed: %s", code, type(error.__cause__).__name__)
            raise
        return sitting


def _parse(typed: str) -> str:
    code = parse_code(typed)
    if code is None:
        raise refuse("table_unknown", code=typed[:_SHOWN])
    return code
