"""Hall: all tables of this process. Those in use are in memory; the others sleep in the database."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import msgspec

from ..limits import Buckets
from ..protocol.commands import NewTable
from ..protocol.messages import Goodbye
from ..protocol.refusals import refuse
from ..socket.connection import RESTART, Connection, Sending
from ..store.rows import Change, GameRow, Listing
from .codes import new_code, read_code
from .decisions import open_table
from .log import Entry
from .room import Room
from .services import NUMBERS_PER_SECOND, Services
from .sitting import Sitting, sitting_of
from .views import listed

SWEEP = 1.0
_SHOWN = 20  # of a wrong code
_LONG = 3_000  # entries


class Hall:
    """Finds, makes and wakes tables, and puts those to sleep that nobody uses."""

    def __init__(self, services: Services) -> None:
        limits = services.settings.limits
        self.services = services
        self.rooms: dict[str, Room] = {}
        self.sending: Sending = {}
        self._unvisited: dict[str, Room] = {}  # the only ones that may go to sleep
        self.seat_buckets = Buckets(limits.seat, services.monotonic)
        self.address_buckets = Buckets(limits.address, services.monotonic)
        self.table_buckets = Buckets(limits.new_tables, services.monotonic)
        self.heavy_buckets = Buckets(limits.heavy, services.monotonic)
        self.reading: set[asyncio.Timeout] = set()  # bodies of requests that are still to arrive
        self._jobs: Counter[str] = Counter()
        self.closing = False
        self._waking: dict[str, asyncio.Task[Room]] = {}
        self._sweeper = asyncio.create_task(self._sweep(), name="sweeper")

    async def make(self, new: NewTable) -> Room:
        """A new table; one with bots alone starts at once."""
        opened = open_table(new, self.services.random_bytes)
        while True:
            now = self.services.now()
            entry = Entry(new_code(self.services.random_bytes), 1, now, 0, "", opened)
            sitting = Sitting(entry)
            number = round(now * NUMBERS_PER_SECOND)
            summary = msgspec.json.encode(listed(sitting, number / NUMBERS_PER_SECOND)).decode()
            listing = Listing(entry.code, number, opened.public, "waiting", summary)
            if await self.services.append(Change(entry, listing, GameRow(entry.code, 1, 1))):
                break
        self.services.counters.tables_made += 1
        room = self._keep(entry.code, Room(listing, sitting, self.services))
        if new.host is None:
            await room.start_bots()
        return room

    async def code(self, typed: str) -> str:
        """The code of a table that there is, without waking it."""
        code = _read(typed)
        if code not in self.rooms and await self.services.store.listing(code) is None:
            raise refuse("table_unknown", code=code)
        return code

    @asynccontextmanager
    async def visit(self, typed: str) -> AsyncIterator[Room]:
        """A table by its code, in memory as long as one needs it."""
        room = await self._room(typed)
        code = room.sitting.code
        room.visits += 1
        self._unvisited.pop(code, None)
        room.wake()  # bots may have paused
        try:
            yield room
        finally:
            room.visits -= 1
            room.used = room.seen = self.services.monotonic()
            if not room.visits:
                self._unvisited[code] = room

    def _keep(self, code: str, room: Room) -> Room:
        self.rooms[code] = self._unvisited[code] = room
        return room

    async def _room(self, typed: str) -> Room:
        code = _read(typed)
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
            sitting = await _replayed(await store.entries(code, games[0].first_seq))
            room = self._keep(code, Room(listing, sitting, self.services))
            room.wake()
            return room
        finally:
            del self._waking[code]

    @contextmanager
    def heavy_job(self, address: str) -> Iterator[None]:
        """Work that takes a worker's time; one address may have few at once, so that others get their turn."""
        most = self.services.settings.limits.jobs
        if self._jobs[address] >= most:
            raise refuse("too_many_jobs", most=most, seconds=1)
        self._jobs[address] += 1
        try:
            yield
        finally:
            self._jobs[address] -= 1
            if not self._jobs[address]:
                del self._jobs[address]

    # --- sweeping

    # Sweeping looks only at what may have to go: with ten thousand connections a look at each would be felt.

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP)
            self.drop_stalled()
            self.put_to_sleep()
            for buckets in (self.seat_buckets, self.address_buckets, self.table_buckets, self.heavy_buckets):
                buckets.forget()

    def connections(self) -> list[Connection]:
        """Everybody who listens."""
        return [connection for room in self.rooms.values() for connection in room.connections]

    def drop_stalled(self) -> None:
        """Give up on clients that have stopped reading."""
        now, allowed = self.services.monotonic(), self.services.settings.stalled
        for connection, since in tuple(self.sending.items()):
            if now - since > allowed:
                connection.drop()

    def put_to_sleep(self) -> None:
        """Let go of tables that nobody looks at; their logs bring them back."""
        long_ago = self.services.monotonic() - self.services.settings.asleep
        for code, room in tuple(self._unvisited.items()):
            if room.idle and room.used <= long_ago:
                del self.rooms[code], self._unvisited[code]

    async def close(self) -> None:
        """Tell everybody when to come back, each at another moment, then stop."""
        self.closing = True
        for connection in self.connections():
            wait = 1 + int.from_bytes(self.services.random_bytes(2), "big") / 2**14  # 1 to 5 s
            connection.say(msgspec.json.encode(Goodbye(retry_after=round(wait, 2))))
            connection.close(RESTART, "the server restarts")
        for body in self.reading:
            body.reschedule(self.services.monotonic())
        self._sweeper.cancel()
        await asyncio.gather(self._sweeper, return_exceptions=True)


def _read(typed: str) -> str:
    code = read_code(typed)
    if code is None:
        raise refuse("table_unknown", code=typed[:_SHOWN])
    return code


async def _replayed(entries: list[Entry]) -> Sitting:
    """A sitting from its log; that of a very long game beside the loop, so that nobody waits for it."""
    return sitting_of(entries) if len(entries) < _LONG else await asyncio.to_thread(sitting_of, entries)
