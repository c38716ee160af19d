"""A semaphore with two priorities: requests that people wait for go first. Among equals, addresses take turns."""

import asyncio
import heapq
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count


class PrioritySemaphore:
    """Lets a number of tasks in at once; patient ones wait until nobody else does.

    Every request is assigned to a round. Each address has one request per round, so that one that sends a hundred
    waits for them itself, and others hardly notice.
    """

    def __init__(self, at_once: int) -> None:
        self._free = at_once
        self._numbers = count()
        self._waiting: list[tuple[bool, int, int, str, asyncio.Future[None]]] = []
        self._round = 0
        self._latest: dict[str, int] = {}  # the latest round of each address, until it has come

    @asynccontextmanager
    async def acquire(self, patient: bool, address: str = "") -> AsyncIterator[None]:
        """Hold the semaphore."""
        await self._enter(patient, address)
        try:
            yield
        finally:
            self._leave()

    async def _enter(self, patient: bool, address: str) -> None:
        if self._free:
            self._free -= 1
            return
        called: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (patient, self._next_round(address), next(self._numbers), address, called))
        try:
            await called
        except asyncio.CancelledError:
            if called.done() and not called.cancelled():
                self._leave()  # it was let in, but has been cancelled
            raise

    def _next_round(self, address: str) -> int:
        self._latest[address] = max(self._round, self._latest.get(address, self._round) + 1)
        return self._latest[address]

    def _leave(self) -> None:
        while self._waiting:
            _, self._round, _, address, called = heapq.heappop(self._waiting)
            if self._latest.get(address) == self._round:
                del self._latest[address]
            if not called.done():
                called.set_result(None)
                return
        self._free += 1
