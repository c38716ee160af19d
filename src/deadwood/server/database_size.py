"""How big the database is. One that grows until the disk is full stops everybody."""

from .metrics import Counters
from .protocol.refusals import StoreFailed
from .store.administration import size
from .store.database import DatabaseStore
from .tables.chores import keep_doing

_EVERY = 60.0  # seconds; a scrape must not wait for it


class DatabaseSize:
    """Measured once in a while; None if it is unknown."""

    def __init__(self, store: DatabaseStore) -> None:
        self.bytes: int | None = None
        self._store = store

    async def live(self, counters: Counters) -> None:
        """Measure until the server ends."""
        await keep_doing(self.measure, _EVERY, counters, "measuring the database")

    async def measure(self) -> None:
        """Measure now."""
        try:
            self.bytes = await self._store.administer(size)
        except StoreFailed:  # it is counted, and everybody else notices too
            self.bytes = None
