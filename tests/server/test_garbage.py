"""Unreachable cycles are freed: young ones soon, old ones after many connections have closed."""

import asyncio
import contextlib
import gc
import weakref
from types import SimpleNamespace

from deadwood.server import garbage

from .people import together

YOUNG, ALL = 0, 2  # generations


class Cycle:
    """A reference cycle, which only the collector can free."""

    def __init__(self):
        self.itself = self


@contextlib.asynccontextmanager
async def collecting(monkeypatch, lines):
    """Run the collector; yields a function that waits for its next collection, young or full."""
    monkeypatch.setattr(garbage, "_OFTEN", 0.001)
    monkeypatch.setattr(garbage, "_MOST_CLOSED", 3)
    searches = asyncio.Queue()

    def note(phase, info):
        if phase == "stop":
            searches.put_nowait(info["generation"])

    async def search(generation):
        while not searches.empty():
            searches.get_nowait()
        while await searches.get() != generation:
            pass

    gc.callbacks.append(note)
    garbage.set_garbage_aside()
    assert searches.get_nowait() == ALL
    task = asyncio.create_task(garbage.collect_garbage(lines))
    try:
        yield search
    finally:
        task.cancel()
        gc.callbacks.remove(note)
        gc.unfreeze()
        gc.enable()


@together
async def test_young_cycles_are_freed_soon(monkeypatch):
    async with collecting(monkeypatch, SimpleNamespace(closed=0)) as search:
        reference = weakref.ref(Cycle())
        await search(YOUNG)
        assert reference() is None


@together
async def test_old_cycles_are_freed_once_many_connections_have_gone(monkeypatch):
    lines = SimpleNamespace(closed=0)
    async with collecting(monkeypatch, lines) as search:
        cycle = Cycle()
        await search(YOUNG)  # it survives, and is old now
        reference = weakref.ref(cycle)
        del cycle
        lines.closed = 2
        await search(YOUNG)
        await search(YOUNG)
        assert reference() is not None, "a search of all objects costs too much for two connections"
        lines.closed = 3
        await search(ALL)
        assert reference() is None
