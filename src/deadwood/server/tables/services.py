"""What all tables of a process share: storage, a clock, randomness, a thinker, talk, peers, background tasks."""

import asyncio
import logging
import os
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from ..metrics import Counters
from ..protocol.refusals import refuse
from ..settings import Settings
from .grapevine import RingGrapevine
from .local_peers import LocalPeers
from .ports import Append, Grapevine, Peers, Store, Thinker
from .uptime import Uptime

log = logging.getLogger("deadwood.server")
T = TypeVar("T")


class Services:
    """Shared by all rooms of a process. `append` stores an entry; it returns False if its number was taken."""

    def __init__(
        self,
        store: Store,
        append: Callable[[Append], Awaitable[bool]],
        thinker: Thinker,
        settings: Settings,
        *,
        peers: Peers | None = None,
        counters: Counters | None = None,
        now: Callable[[], float] = time.time,
        random_bytes: Callable[[int], bytes] = os.urandom,
        offload: Callable[..., Awaitable[Any]] = asyncio.to_thread,
    ) -> None:
        self.store = store
        self.append = append
        self.thinker = thinker
        self.settings = settings
        self.peers = LocalPeers() if peers is None else peers
        self.counters = counters or Counters()
        self.now = now
        self.random_bytes = random_bytes
        self.offload = offload  # runs a slow function without blocking the event loop
        self.uptime = Uptime(now())
        self.closing = False
        self.read_only = False
        self._time: Callable[[], float] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.grapevine: Grapevine = RingGrapevine(store.talk, self.spawn, self.peers.tell)

    def monotonic(self) -> float:
        """A clock for durations; a simulated loop has its own time."""
        if self._time is None:  # finding the loop takes a system call
            self._time = asyncio.get_running_loop().time
        return self._time()

    def served(self, since: float) -> float:
        """How many seconds a server has run since a moment."""
        return self.uptime.seconds(since, self.now())

    def demand_writable(self) -> None:
        """Refuse a change while the server is read-only."""
        if self.read_only:
            raise refuse("read_only")

    def link(self, code: str) -> str:
        """The address of a table's page."""
        return f"{self.settings.url}/t/{code}"

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run a background task; errors are logged."""
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
        """How many background tasks run."""
        return len(self._tasks)

    async def close(self) -> None:
        """Stop all background tasks; a room whose commit is interrupted starts one more, to find out its result."""
        self.closing = True
        while self._tasks:
            for task in tuple(self._tasks):
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
