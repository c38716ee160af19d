"""How big the database is. One that grows until the disk is full stops everybody."""

import asyncio

from .protocol.refusals import StoreFailed
from .store.administration import size
from .store.database import DatabaseStore

_EVERY = 60.0  # seconds; a scrape must not wait for it


class DatabaseSize:
    """Measured once in a while; None if it is unknown."""

    def __init__(self, store: DatabaseStore) -> None:
        self.bytes: int | None = None
        self._store = store

    async def live(self) -> None:
        """Measure until the server ends."""
        while True:
            await asyncio.sleep(_EVERY)
            await self.measure()

    async def measure(self) -> None:
        """Measure now."""
        try:
            self.bytes = await self._store.administer(size)
        except StoreFailed:  # it is counted, and everybody else notices too
            self.bytes = None
