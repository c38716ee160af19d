"""A semaphore with two priorities: requests that people wait for go first."""

import asyncio
import heapq
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count


class PrioritySemaphore:
    """Lets a number of tasks in at once; patient ones wait until nobody else does."""

    def __init__(self, at_once: int) -> None:
        self._free = at_once
        self._numbers = count()
        self._waiting: list[tuple[bool, int, asyncio.Future[None]]] = []

    @asynccontextmanager
    async def acquire(self, patient: bool) -> AsyncIterator[None]:
        """Hold the semaphore."""
        await self._enter(patient)
        try:
            yield
        finally:
            self._leave()

    async def _enter(self, patient: bool) -> None:
        if self._free:
            self._free -= 1
            return
        called: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (patient, next(self._numbers), called))
        try:
            await called
        except asyncio.CancelledError:
            if called.done() and not called.cancelled():
                self._leave()  # it was let in, and will not come
            raise

    def _leave(self) -> None:
        while self._waiting:
            _, _, called = heapq.heappop(self._waiting)
            if not called.done():
                called.set_result(None)
                return
        self._free += 1
