"""Heartbeat: keeps the runs of the server, so that clocks survive restarts, and wakes tables whose time has come."""

import asyncio
import logging

from ..protocol.refusals import StoreFailed
from .hall import Hall
from .services import Services
from .uptime import Run, Uptime

log = logging.getLogger("deadwood.server")
BEAT = 5.0  # seconds: as much is forgotten of a run that is killed
_SKIPPED = 3 * BEAT  # a longer silence means that the machine slept
_MOST_AT_ONCE = 100  # tables to wake with one beat


class Heartbeat:
    """One task for the whole process."""

    def __init__(self, services: Services, hall: Hall) -> None:
        self._services = services
        self._hall = hall
        self._run = self._new_run()

    async def start(self) -> None:
        """Read the earlier runs."""
        try:
            earlier = await self._services.store.runs()
            self._services.uptime = Uptime(self._run.started, earlier)
            await self._services.store.beat(self._run)
        except StoreFailed as error:
            log.warning("the earlier runs are unknown, so clocks may run longer: %s", error)

    async def live(self) -> None:
        """Beat until the server ends."""
        while True:
            await asyncio.sleep(BEAT)
            try:
                await self.beat()
            except StoreFailed as error:
                log.warning("a heartbeat failed: %s", error)

    async def beat(self) -> None:
        """Say that the server is alive, and wake the tables that wait for nobody."""
        if self._services.read_only:
            return  # no clock runs then, as if no server ran
        now = self._services.now()
        if not 0 <= now - self._run.alive <= _SKIPPED:
            self._services.uptime.skip(self._run.alive, now)
            self._run = self._new_run()
        self._run = Run(self._run.id, self._run.started, now)
        await self._services.store.beat(self._run)
        await self._hall.wake_due(now, _MOST_AT_ONCE)

    def _new_run(self) -> Run:
        now = self._services.now()
        return Run(self._services.random_bytes(8).hex(), now, now)
