"""The connections of a store: one that writes, and as many as needed that read. No call takes longer than it may."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from ...phrases import first_line
from ..protocol.refusals import StoreFailed, StoreGone
from .writing import Work, Writing

T = TypeVar("T")
CLOSING = 1.0  # seconds to close the writing connection, and as many for the reading ones


class Connections:
    """Everything that a store reads and writes goes through here, and its failures are counted."""

    def __init__(self, engine: AsyncEngine, writing: Writing, patience: float) -> None:
        self.engine = engine
        self.failures = 0
        self._writing = writing
        self._patience = patience
        self._one_writer = asyncio.Lock()

    async def write(self, work: Work[T]) -> T:
        """Run a transaction on the writing connection. After a timeout, it is unknown whether it was committed."""
        try:
            async with asyncio.timeout(self._patience), self._one_writer:
                await self._connect()
                return await self._transaction(work)
        except TimeoutError as error:
            raise self._late() from error

    async def _connect(self) -> None:
        try:
            await self._writing.connect()
        except Exception as error:
            self.failures += 1
            raise StoreGone(f"There is no connection to the database: {first_line(error)}") from error

    async def _transaction(self, work: Work[T]) -> T:
        try:
            return await self._writing.run(work)
        except BaseException as error:
            await self._writing.drop()
            if isinstance(error, Exception):
                self.failures += 1
                raise StoreFailed(f"A commit failed: {first_line(error)}") from error
            raise

    async def rows(self, statement: Any) -> Sequence[Any]:
        """All rows of a query."""

        async def rows(connection: AsyncConnection) -> Sequence[Any]:
            return (await connection.execute(statement)).all()

        return await self.read(rows)

    async def read(self, work: Callable[[AsyncConnection], Awaitable[T]]) -> T:
        """Run a function with a connection that reads."""
        return await self._pooled(work, "The database cannot be read")

    async def write_beside(self, work: Work[T]) -> T:
        """Run a transaction for which no entry has to wait. SQLite has only one writer, so it has to be short there."""
        if self.engine.dialect.name == "sqlite":
            return await self.write(work)
        return await self._pooled(lambda connection: connection.run_sync(work), "A transaction failed")

    async def _pooled(self, work: Callable[[AsyncConnection], Awaitable[T]], failed: str) -> T:
        try:
            async with asyncio.timeout(self._patience), self.engine.connect() as connection:
                return await work(connection)
        except TimeoutError as error:
            raise self._late() from error
        except Exception as error:
            self.failures += 1
            raise StoreFailed(f"{failed}: {first_line(error)}") from error

    def _late(self) -> StoreGone:
        self.failures += 1
        return StoreGone(f"The database did not answer within {self._patience:g} s.")

    async def close(self) -> None:
        """Disconnect, without waiting for a database that does not answer."""
        for close in (self._writing.close, self.engine.dispose):
            with suppress(Exception):
                async with asyncio.timeout(CLOSING):
                    await close()
