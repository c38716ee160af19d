"""SharedPeers: the peers of a process that shares its store with others.

Every process reports each second that it is alive. One that has not done so for three seconds counts as dead: its
connections are gone, and its leases are free. Leases belong to a life, so that one report renews them all. A process
that was only slow begins a new life, and entries of its old life are fenced off: the store checks the number of the
lease in the transaction of the entry.

Bulletins are sent in groups: those that arise while a group is on its way go with the next one. None is lost unless a
connection breaks, and then the process sends and requests everything again. Every process also checks each second how
far the logs go.
"""

import asyncio
import logging
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Protocol

import msgspec
from msgspec import Struct

from ..metrics import Counters
from ..protocol.refusals import StoreFailed
from .bulletins import AnyBulletin, Appended, Asking, Attending, CarriedAction, Freed, Parting, Spoken
from .chores import in_portions, survived
from .ports import PeerTable

log = logging.getLogger("deadwood.server")
LIFE = 3.0  # seconds for which a process counts as alive after its last report
BEAT = 1.0  # seconds
RETRY = 0.5  # seconds until the next try after the database failed
MOST_ADOPTED = 1_000  # tables of dead processes that wait to be woken, besides those that somebody visits
MOST_WAITING = 10_000  # bulletins, while the database does not answer
MOST_BYTES = 7_000  # of a letter; PostgreSQL allows 8,000
AT_ONCE = 1_000  # tables in one statement


class Exchange(Protocol):
    """How processes on one store reach each other. Everything raises `StoreFailed` if the database does not answer."""

    async def open(self, receive: Callable[[str], None]) -> None:
        """Connect, or reconnect; from now on `receive` gets what others send."""

    async def send(self, texts: Collection[str]) -> None:
        """Send texts to everybody who is connected, in order."""

    async def enter(self, server: str, before: str, seconds: float) -> None:
        """Begin a life that lasts `seconds`, and end the one before it."""

    async def renew(self, server: str, seconds: float) -> bool:
        """Let a life last `seconds` from now. False if it has already ended."""

    async def living(self) -> set[str]:
        """All lives that have not ended."""

    async def part(self, server: str) -> None:
        """End a life; its leases are free."""

    async def claim(self, server: str, codes: Collection[str]) -> dict[str, int]:
        """Take the leases of these tables that are free; returns the number of each lease taken."""

    async def release(self, server: str, codes: Collection[str]) -> None:
        """Give leases up."""

    async def fence(self, server: str, code: str) -> int | None:
        """The number of a lease, if this life has it."""

    async def orphans(self, limit: int) -> list[str]:
        """Tables whose leases belong to ended lives."""

    async def latest(self, codes: Collection[str]) -> dict[str, int]:
        """The latest number in the log of each table."""

    async def close(self) -> None:
        """Disconnect."""


class Letter(Struct, frozen=True):
    """Bulletins on their way."""

    sender: str
    bulletins: tuple[AnyBulletin, ...]


class _Packed(Struct, frozen=True):
    sender: str
    bulletins: list[msgspec.Raw]


_decode = msgspec.json.Decoder(Letter).decode


class SharedPeers:
    """One task that talks to the others, and looks after the leases of the tables in memory."""

    def __init__(self, exchange: Exchange, random_bytes: Callable[[int], bytes], counters: Counters) -> None:
        self._exchange = exchange
        self._random_bytes = random_bytes
        self._counters = counters
        self._id = ""  # of the present life
        self._renewed = float("-inf")  # when the last successful renewal began
        self._next_beat = 0.0
        self._others: set[str] = set()
        self._heard: set[str] = set()  # who has reported anything
        self._tables: dict[str, PeerTable] = {}
        self._attended: dict[str, set[str]] = {}  # tables that somebody visits in another process, by its life
        self._fences: dict[str, int] = {}
        self._wanted: set[str] = set()  # leases to take at once; the others with the next beat
        self._freed: set[str] = set()  # leases to give up
        self._outgoing: dict[object, AnyBulletin] = {}
        self._work = asyncio.Event()
        self._refreshing: asyncio.Task[None] | None = None

    @property
    def possible(self) -> bool:
        return True

    @property
    def others(self) -> int:
        return len(self._others)

    @property
    def leases(self) -> int:
        return len(self._fences)

    @property
    def cut_off(self) -> bool:
        return bool(self._others) and not self._lives

    @property
    def _lives(self) -> bool:
        """Whether our life goes on. For others it never ends earlier: they count from when the database heard of us."""
        return _now() - self._renewed < LIFE

    # --- tables

    def join(self, code: str, table: PeerTable, is_new: bool = False) -> None:
        self._tables[code] = table
        self._freed.discard(code)
        self._wanted.add(code)
        if not is_new:
            self.tell(Asking(code))
        self._work.set()

    def leave(self, code: str) -> None:
        self._tables.pop(code, None)
        for attended in self._attended.values():
            attended.discard(code)
        if self._fences.pop(code, None) is not None:
            self._freed.add(code)
            self._work.set()

    def tell(self, bulletin: AnyBulletin) -> None:
        self._outgoing[_subject(bulletin)] = bulletin
        if len(self._outgoing) > MOST_WAITING:
            del self._outgoing[next(iter(self._outgoing))]
        self._work.set()

    def fence(self, code: str) -> int | None:
        return self._fences.get(code) if self._lives else None

    async def claim(self, codes: Collection[str]) -> set[str]:
        await self._take(code for code in codes if code not in self._fences)
        return {code for code in codes if self.fence(code) is not None}

    async def check(self, code: str) -> None:
        life = self._id
        found = await self._exchange.fence(life, code)
        if life == self._id:
            self._fences.pop(code, None)
            self._fences.update({} if found is None else {code: found})

    async def _take(self, codes: Iterable[str]) -> None:
        life = self._id
        for some in _batches(codes):
            taken = await self._exchange.claim(life, some)
            if life == self._id:
                self._fences.update(taken)
                await self._wake_tables(taken)

    async def _wake_tables(self, codes: Iterable[str]) -> None:
        async for code in in_portions(codes):
            if code in self._tables:
                with survived(self._counters, "waking a table"):
                    self._tables[code].wake()

    # --- living

    async def live(self, wake: Callable[[str], None]) -> None:
        reachable = True
        try:
            while True:
                with survived(self._counters, "the exchange with other processes"):
                    try:
                        await self._exchange.open(self._receive)
                        await self._begin()
                        reachable = True
                        await self._serve(wake)
                    except StoreFailed as error:
                        if reachable:
                            log.warning("the other processes are out of reach: %s", error)
                        reachable = False
                await asyncio.sleep(RETRY)
        finally:
            if self._refreshing is not None:
                self._refreshing.cancel()

    async def close(self) -> None:
        """Others take over at once."""
        try:
            await self._exchange.open(self._receive)
            await self._exchange.part(self._id)
            self._outgoing[Parting] = Parting()
            await self._send()
        except StoreFailed as error:
            log.warning("the other processes will notice later that this one has ended: %s", error)
        await self._exchange.close()

    async def _begin(self) -> None:
        """Begin a new life. The leases of the old one are free, because we cannot be sure which we still have."""
        started, before = _now(), self._id
        self._fences.clear()
        self._freed.clear()
        self._id = self._random_bytes(8).hex()
        await self._exchange.enter(self._id, before, LIFE)
        self._renewed, self._next_beat = started, started
        if self._refreshing is not None:
            self._refreshing.cancel()
        self._refreshing = asyncio.create_task(self._refresh(), name="refreshing")

    async def _refresh(self) -> None:
        for code in tuple(self._tables):
            with survived(self._counters, "refreshing a table"):
                try:
                    if code in self._tables:  # it may have left meanwhile
                        await self._tables[code].refresh()
                except StoreFailed as error:
                    log.warning("what others said may be missing: %s", error)
                    return

    async def _serve(self, wake: Callable[[str], None]) -> None:
        while True:
            if _now() >= self._next_beat:
                await self._beat(wake)
            await self._send()  # one group: with more, the next report that we are alive might have to wait
            await self._release()
            wanted, self._wanted = self._wanted, set()
            await self._take(wanted & self._tables.keys() - self._fences.keys())
            await self._wait()

    async def _wait(self) -> None:
        """Wait for work, or for the next beat. Whatever arose while we did something else ends this at once."""
        try:
            async with asyncio.timeout_at(self._next_beat):
                await self._work.wait()
        except TimeoutError:
            pass
        self._work.clear()

    async def _beat(self, wake: Callable[[str], None]) -> None:
        """Report that we are alive, see who else is, and take the leases that nobody has."""
        started, heard = _now(), set(self._heard)
        if not await self._exchange.renew(self._id, LIFE):
            log.warning("this process was too slow; others may have taken over its tables")
            await self._begin()
        await self._go_on(started)
        living = await self._exchange.living()
        self._others, before = living - {self._id}, self._others
        await self._forget(heard - living)
        await self._take(self._tables.keys() - self._fences.keys())
        await self._adopt(wake)
        if self._others or before:  # processes that are gone may not have reported everything
            await self._look()

    async def _go_on(self, started: float) -> None:
        """Our life was renewed. If it had run out in the meantime, bots and clocks stood still: wake them."""
        stood_still = not self._lives
        self._renewed, self._next_beat = started, started + BEAT
        if stood_still:
            await self._wake_tables(tuple(self._fences))

    async def _adopt(self, wake: Callable[[str], None]) -> None:
        """Wake the tables of dead processes, and those whose waking failed."""
        asleep = self._fences.keys() - self._tables.keys()
        if len(asleep) < MOST_ADOPTED:
            await self._take(await self._exchange.orphans(MOST_ADOPTED - len(asleep)))
        for code in sorted(self._fences.keys() - self._tables.keys()):
            wake(code)

    async def _look(self) -> None:
        for some in _batches(self._tables):
            for code, seq in (await self._exchange.latest(some)).items():
                if code in self._tables:
                    with survived(self._counters, "looking at a log"):
                        self._tables[code].hear(self._id, Appended(code, seq))

    async def _release(self) -> None:
        for some in _batches(self._freed):
            await self._exchange.release(self._id, some)
            self._freed.difference_update(some)
            for code in some:
                self.tell(Freed(code))

    # --- bulletins

    async def _send(self) -> None:
        """Send what waits now; what arises meanwhile goes with the next group."""
        sent = dict(self._outgoing)
        if sent:
            await self._exchange.send(list(_letters(self._id, sent.values())))
        for subject, bulletin in sent.items():
            if self._outgoing.get(subject) is bulletin:
                del self._outgoing[subject]

    def _receive(self, text: str) -> None:
        try:
            letter = _decode(text)
        except msgspec.DecodeError as error:
            log.warning("a bulletin is not understood; do all processes run the same version? %s", error)
            return
        if letter.sender == self._id:
            return
        self._heard.add(letter.sender)
        self._others.add(letter.sender)  # at once: by the next beat we might be cut off
        for bulletin in letter.bulletins:
            with survived(self._counters, "hearing a bulletin"):
                self._hear(letter.sender, bulletin)

    def _hear(self, sender: str, bulletin: AnyBulletin) -> None:
        if isinstance(bulletin, Parting):  # its life has ended, so the next beat forgets it
            self._others.discard(sender)
            self._next_beat = _now()
            self._work.set()
        elif bulletin.code in self._tables:
            if isinstance(bulletin, Freed):
                self._wanted.add(bulletin.code)
                self._work.set()
            if isinstance(bulletin, Attending):
                self._note(sender, bulletin)
            self._tables[bulletin.code].hear(sender, bulletin)

    def _note(self, sender: str, attending: Attending) -> None:
        """Remember where a process has people, so that its end concerns only those tables."""
        attended = self._attended.setdefault(sender, set())
        if attending.watched:
            attended.add(attending.code)
        else:
            attended.discard(attending.code)

    async def _forget(self, ended: set[str]) -> None:
        """Tell the tables whose people have lost their process. One that is heard of again is forgotten again later."""
        self._heard -= ended
        for sender in sorted(ended):
            async for code in in_portions(sorted(self._attended.pop(sender, ()))):
                if code in self._tables:
                    with survived(self._counters, "forgetting another process"):
                        self._tables[code].lose(sender)


def _now() -> float:
    return asyncio.get_running_loop().time()


def _batches(codes: Iterable[str]) -> Iterator[list[str]]:
    """Sorted codes in batches; the fixed order prevents deadlocks."""
    ordered = sorted(codes)
    return (ordered[at : at + AT_ONCE] for at in range(0, len(ordered), AT_ONCE))


def _subject(bulletin: AnyBulletin) -> object:
    """What a bulletin is about: a later one about the same subject replaces it."""
    match bulletin:
        case Parting():
            return Parting
        case Spoken(line=line):
            return Spoken, bulletin.code, line.number
        case Appended(seq=seq, action=CarriedAction()):
            return Appended, bulletin.code, seq
        case _:
            return type(bulletin), bulletin.code, 0


def _letters(sender: str, bulletins: Iterable[AnyBulletin]) -> Iterator[str]:
    some, size = list[msgspec.Raw](), 0
    for bulletin in bulletins:
        encoded = msgspec.json.encode(bulletin)
        if some and size + len(encoded) > MOST_BYTES:
            yield msgspec.json.encode(_Packed(sender, some)).decode()
            some, size = [], 0
        some.append(msgspec.Raw(encoded))
        size += len(encoded) + 1
    yield msgspec.json.encode(_Packed(sender, some)).decode()
