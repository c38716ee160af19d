"""Heartbeat: keeps the runs of the server, so that clocks survive restarts, and wakes tables whose time has come."""

import asyncio
import logging

from ..protocol.refusals import StoreFailed
from .chores import keep_doing
from .hall import Hall
from .services import Services
from .uptime import Run, Uptime

log = logging.getLogger("deadwood.server")
BEAT = 5.0  # seconds; a run that is killed loses up to this much
FRESH = 1.0  # seconds for which a stored beat shows that the database can be written to
_SKIPPED = 3 * BEAT  # a longer silence means that the machine slept
_MOST_AT_ONCE = 100  # tables to wake with one beat


class Heartbeat:
    """One task for the whole process."""

    def __init__(self, services: Services, hall: Hall) -> None:
        self._services = services
        self._hall = hall
        self._run = self._new_run()
        self._stored = -FRESH
        self._checking: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Read the earlier runs."""
        try:
            earlier = await self._services.store.runs()
            self._services.uptime = Uptime(self._run.started, earlier)
            await self._store()
        except StoreFailed as error:
            log.warning("the earlier runs are unknown, so clocks may run longer: %s", error)

    async def live(self) -> None:
        """Beat until the server ends."""
        await keep_doing(self._try, BEAT, self._services.counters, "the heartbeat")

    async def _try(self) -> None:
        try:
            await self.beat()
        except StoreFailed as error:
            log.warning("a heartbeat failed: %s", error)

    async def beat(self) -> None:
        """Store that the server is alive, and wake the tables that are due."""
        await self._store()
        if not self._services.read_only:
            await self._hall.wake_due(self._services.now(), _MOST_AT_ONCE)

    async def check(self) -> None:
        """Raise an error if the database cannot be written to. However many ask, it is tried once a second at most."""
        if self._services.monotonic() - self._stored < FRESH:
            return
        if self._checking is None or self._checking.done():
            self._checking = asyncio.create_task(self._store())
        await asyncio.shield(self._checking)

    async def _store(self) -> None:
        if not self._services.read_only:  # while read-only, clocks stand still, as if no server ran
            self._live_on()
        await self._services.store.beat(self._run)
        self._stored = self._services.monotonic()

    def _live_on(self) -> None:
        now = self._services.now()
        if not 0 <= now - self._run.alive <= _SKIPPED:
            self._services.uptime.skip(self._run.alive, now)
            self._run = self._new_run()
        self._run = Run(self._run.id, self._run.started, now)

    def _new_run(self) -> Run:
        now = self._services.now()
        return Run(self._services.random_bytes(8).hex(), now, now)
