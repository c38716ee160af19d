"""Steward: carries out operators' orders in a running server, and deletes what is too old."""

import logging
from collections.abc import Awaitable, Callable, Collection

import msgspec

from .admission import Admission
from .networks import Networks
from .protocol.messages import Goodbye
from .protocol.refusals import StoreFailed
from .tables.chores import in_portions, keep_doing, survived
from .tables.hall import Hall
from .tables.ports import MOST_CHANGES, Age, Orders

log = logging.getLogger("deadwood.server")
_CLEAN = 3600.0  # seconds between two searches for what is too old
_MOST_AT_ONCE = 50  # tables to delete with one poll
_COME_BACK = 60.0  # seconds until banned clients reconnect, and are refused
_DAY = 86_400.0


class Steward:
    """One task for the whole process. It asks the store: operators may be on another machine."""

    def __init__(self, hall: Hall, admission: Admission) -> None:
        self._hall = hall
        self._admission = admission
        self._services = hall.services
        self._known: frozenset[str] = frozenset()  # changes of tables that we have seen
        self._cleaned: float | None = None

    async def start(self) -> None:
        """Read the orders in force before anybody connects. No table is in memory yet, so none must be read again."""
        try:
            orders = await self._services.store.orders(self._services.now())
        except StoreFailed as error:
            log.warning("bans and switches are unknown yet: %s", error)
            return
        self._known = frozenset(orders.touched)
        await self._obey(orders)

    async def live(self) -> None:
        """Poll until the server ends."""
        await keep_doing(self._work, self._services.settings.admin_poll, self._services.counters, "the steward")

    async def _work(self) -> None:
        await self._try(self.poll, "what operators said is unknown")
        await self._try(self._clean, "what is too old cannot be deleted")
        await self._try(self._tidy, "what was deleted cannot be removed from the database")

    async def _try(self, work: Callable[[], Awaitable[None]], problem: str) -> None:
        """Whatever happens, the rest goes on."""
        with survived(self._services.counters, "the steward"):
            try:
                await work()
            except StoreFailed as error:
                log.warning("%s: %s", problem, error)

    async def poll(self) -> None:
        """Carry out what is new. Bans do not wait for tables, which may take long to read."""
        orders = await self._services.store.orders(self._services.now())
        await self._obey(orders)
        new = [code for change, code in orders.touched.items() if change not in self._known]
        complete = len(new) < MOST_CHANGES
        for code in dict.fromkeys(new if complete else self._hall.rooms):
            await self._hall.look_again(code)
        self._known = frozenset(orders.touched)

    async def _obey(self, orders: Orders) -> None:
        await self._ban(orders.bans)
        if self._services.read_only != orders.read_only:
            self._services.read_only = orders.read_only
            log.warning("the server is read-only now" if orders.read_only else "the server is no longer read-only")
            if not orders.read_only:
                await self._hall.wake_all()

    async def _ban(self, networks: tuple[str, ...]) -> None:
        if networks == self._admission.banned:
            return
        bans = await self._services.offload(Networks, networks)  # there may be ten thousand
        self._admission.ban(networks, bans)
        addresses = dict.fromkeys(listener.address for listener in self._hall.listeners())
        banned = {address async for address in in_portions(addresses) if address in bans}
        async for code in in_portions(tuple(self._hall.rooms) if banned else ()):
            self._dismiss(code, banned)

    def _dismiss(self, code: str, banned: Collection[str]) -> None:
        """Send people away from a table, if it is still in memory."""
        room = self._hall.rooms.get(code)
        for listener in () if room is None else room.audience.listeners():
            if listener.address in banned:
                listener.dismiss(msgspec.json.encode(Goodbye(retry_after=_COME_BACK)))

    async def _clean(self) -> None:
        """Delete what is too old: some tables now, and if there are more, some with the next poll."""
        settings, now = self._services.settings, self._services.now()
        kept = settings.keep_unstarted, settings.keep_finished, settings.keep_keys
        age = Age(*(_before(now, days) for days in kept))
        if age == Age() or self._services.read_only or not self._is_time:
            return
        gone = await self._services.store.delete_old(age, now, _MOST_AT_ONCE)
        for code in gone:
            await self._hall.look_again(code)
        self._services.counters.tables_deleted += len(gone)
        if len(gone) < _MOST_AT_ONCE:
            self._cleaned = self._services.monotonic()

    async def _tidy(self) -> None:
        await self._services.store.tidy(self._services.now())

    @property
    def _is_time(self) -> bool:
        return self._cleaned is None or self._services.monotonic() - self._cleaned >= _CLEAN


def _before(now: float, days: float | None) -> float | None:
    return None if days is None else now - days * _DAY
