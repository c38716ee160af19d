import asyncio

import pytest

from deadwood.server.store.database import DatabaseStore

from ..memory import MemoryStore


@pytest.fixture(params=["sqlite", "postgres", "memory"])
def opening(request):
    """How to open one store again and again: SQLite, PostgreSQL, and the one in memory that the simulation uses."""
    if request.param == "memory":
        store = MemoryStore()
        return lambda: asyncio.sleep(0, store)
    url = request.getfixturevalue(f"{request.param}_url")
    return lambda: DatabaseStore.open(url)
