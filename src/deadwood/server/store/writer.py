"""One writer for all tables, with group commit: entries that arrive during a commit go into the next one together."""

import asyncio
from collections.abc import Callable
from time import perf_counter

from ..protocol.refusals import StoreGone
from ..tables.ports import Append, Store

MOST_IN_ONE_COMMIT = 500
FEW = 32  # with fewer entries it pays to wait for more: a commit costs as much processor time as fifty rows
GATHER = 0.002  # seconds
ONE_BY_ONE = 5.0  # seconds to retry the entries of a failed commit; after that, the database itself must be at fault

Waiting = tuple[Append, asyncio.Future[bool]]


class Writer:
    """Group commit: a durable commit costs about the same for one entry as for a hundred."""

    def __init__(self, store: Store, measure: Callable[[int, float], None] = lambda _entries, _seconds: None) -> None:
        self._store = store
        self._measure = measure
        self._waiting: list[Waiting] = []
        self._work = asyncio.Event()
        self._closing = False
        self._loop = asyncio.get_running_loop()
        self._task = self._loop.create_task(self._run(), name="writer")

    @property
    def waiting(self) -> int:
        """How many entries wait for the next commit."""
        return len(self._waiting)

    async def append(self, append: Append) -> bool:
        """Store an entry. True once it is durable; False if its number was taken, and nothing is stored."""
        done: asyncio.Future[bool] = self._loop.create_future()
        self._waiting.append((append, done))
        self._work.set()
        return await done

    async def _run(self) -> None:
        while self._waiting or not self._closing:
            await self._work.wait()
            if len(self._waiting) < FEW and not self._closing:
                await asyncio.sleep(GATHER)
            batch = self._waiting[:MOST_IN_ONE_COMMIT]
            del self._waiting[:MOST_IN_ONE_COMMIT]
            if not self._waiting:
                self._work.clear()
            if batch:
                await self._commit(batch)

    async def _commit(self, batch: list[Waiting]) -> None:
        begun = perf_counter()
        try:
            stored = await self._store.commit([append for append, _ in batch])
        except Exception as error:
            await self._failed(batch, error)
            return
        self._measure(len(batch), perf_counter() - begun)
        for (_, done), taken in zip(batch, stored, strict=True):
            if not done.done():  # the caller may be gone; the entry is stored all the same
                done.set_result(taken)

    async def _failed(self, batch: list[Waiting], error: Exception) -> None:
        """Retry each entry alone: one that the database cannot take must not fail the others."""
        deadline = self._loop.time() + ONE_BY_ONE
        for number, one in enumerate(batch):
            if len(batch) == 1 or isinstance(error, StoreGone) or self._loop.time() > deadline:
                _refuse(batch[number:], error)
                return
            await self._commit([one])

    async def close(self) -> None:
        """Write everything that waits, then stop."""
        self._closing = True
        self._work.set()
        await self._task


def _refuse(batch: list[Waiting], error: Exception) -> None:
    for _, done in batch:
        if not done.done():
            done.set_exception(error)
