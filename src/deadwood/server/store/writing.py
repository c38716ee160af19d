"""The writing connection: SQLite in its own thread, PostgreSQL in the event loop."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Protocol, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

T = TypeVar("T")
_DISCARDING = 0.5  # seconds to close a connection properly
Work = Callable[[Connection], T]


class Writing(Protocol):
    """A connection, opened when needed and kept open: taking one from a pool each time is a third slower."""

    async def connect(self) -> None:
        """Open it, if it is not open."""

    async def run(self, work: Work[T]) -> T:
        """Run a function with it."""

    async def drop(self) -> None:
        """Discard it after a failure."""

    async def close(self) -> None:
        """Close it."""


class ThreadWriting:
    """A whole commit is one call to the thread; an asynchronous driver needs several for each statement."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="writer")
        self._connection: Connection | None = None

    async def connect(self) -> None:
        if self._connection is None:
            self._connection = await self._in_thread(self._engine.connect)

    async def run(self, work: Work[T]) -> T:
        assert self._connection is not None
        return await self._in_thread(work, self._connection)

    async def drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            self._thread.submit(_discard, connection)  # the thread may still wait for the disk; nobody waits for it

    async def close(self) -> None:
        if self._connection is not None:
            await self._in_thread(self._connection.close)
        self._engine.dispose()
        self._thread.shutdown()

    async def _in_thread(self, work: Callable[..., T], *given: object) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, *given)


def _discard(connection: Connection) -> None:
    with suppress(Exception):
        connection.invalidate()
        connection.close()


class LoopWriting:
    """The driver does not block the event loop."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._connection: AsyncConnection | None = None

    async def connect(self) -> None:
        if self._connection is None:
            self._connection = await self._engine.connect()

    async def run(self, work: Work[T]) -> T:
        assert self._connection is not None
        return await self._connection.run_sync(work)

    async def drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):
                async with asyncio.timeout(_DISCARDING):
                    await connection.invalidate()
                    await connection.close()

    async def close(self) -> None:
        if self._connection is not None:
            await self._connection.close()
