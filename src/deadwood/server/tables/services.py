"""What every room is given: the store, the clock, chance, somebody to think, and a place for its tasks."""

import asyncio
import logging
import os
import time
from collections.abc import Callable, Coroutine
from typing import Any

from ..metrics import Counters
from ..settings import Settings
from ..store.rows import Change, Listing, Store
from ..store.writer import Writer
from ..workers.thinking import Thinker

log = logging.getLogger("deadwood.server")
NUMBERS_PER_SECOND = 1_000_000  # a table's number in lists is the microsecond in which it was made


class Services:
    """Shared by all rooms of a process."""

    def __init__(
        self,
        store: Store,
        thinker: Thinker,
        settings: Settings,
        *,
        counters: Counters | None = None,
        now: Callable[[], float] = time.time,
        random_bytes: Callable[[int], bytes] = os.urandom,
    ) -> None:
        self.store = store
        self.thinker = thinker
        self.settings = settings
        self.counters = counters or Counters()
        self.now = now
        self.random_bytes = random_bytes
        self._writer = Writer(store, self.counters.committed)
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def bot_pause(self) -> float:
        """How long a bot waits before it acts."""
        return self.settings.bot_pause

    def monotonic(self) -> float:
        """A clock for durations; a simulation has its own loop with its own time."""
        return asyncio.get_running_loop().time()

    def link(self, code: str) -> str:
        """The address of a table's page."""
        return f"{self.settings.url}/t/{code}"

    def created(self, listing: Listing) -> float:
        """When a table was made."""
        return listing.number / NUMBERS_PER_SECOND

    async def append(self, change: Change) -> bool:
        """Keep a change; True once it is durable."""
        return await self._writer.append(change)

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run a task that nobody waits for; what goes wrong in it is logged."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            self.counters.errors += 1
            log.error("a task failed", exc_info=task.exception())

    @property
    def tasks(self) -> int:
        """How many tasks run."""
        return len(self._tasks)

    async def close(self) -> None:
        """Stop all tasks, write what is waiting, and let go of everything."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._writer.close()
        self.thinker.close()
        await self.store.close()
