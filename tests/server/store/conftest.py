import asyncio

import pytest

from deadwood.server.store.database import DatabaseStore

from ..memory import MemoryStore


@pytest.fixture(params=["sqlite", "postgres", "memory"])
def opening(request):
    """A function that opens the same store each time: SQLite, PostgreSQL, or the one in memory."""
    if request.param == "memory":
        store = MemoryStore()
        return lambda: asyncio.sleep(0, store)
    url = request.getfixturevalue(f"{request.param}_url")
    return lambda: DatabaseStore.open(url)
