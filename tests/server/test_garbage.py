"""Circles that nobody uses are freed: young ones soon, old ones once many connections have gone."""

import asyncio
import gc
import weakref
from unittest.mock import Mock

import pytest

from deadwood.server import garbage
from deadwood.server.connection_limits import OpenConnections


class Circle:
    """What only a collector can free."""

    def __init__(self):
        self.itself = self


@pytest.fixture
def lines(monkeypatch):
    monkeypatch.setattr(garbage, "_OFTEN", 0.001)
    monkeypatch.setattr(garbage, "_MOST_CLOSED", 3)
    yield OpenConnections(100)
    gc.unfreeze()
    gc.enable()


def leave(lines, times):
    for _ in range(times):
        line = Mock()
        line.get_extra_info.return_value = ("127.0.0.1", 1)
        lines.enter(line)
        lines.leave(line)


async def collecting(lines, check):
    task = asyncio.create_task(garbage.collect_garbage(lines))
    await asyncio.sleep(0.05)
    await check()
    task.cancel()


async def freed(reference):
    async with asyncio.timeout(10):
        while reference() is not None:
            await asyncio.sleep(0.001)


def test_young_circles_are_freed_soon(lines):
    async def check():
        await freed(weakref.ref(Circle()))

    asyncio.run(collecting(lines, check))


def test_old_circles_are_freed_once_many_connections_have_gone(lines):
    async def check():
        circle = Circle()
        await asyncio.sleep(0.05)  # searches that it survives
        reference = weakref.ref(circle)
        del circle
        leave(lines, 2)
        await asyncio.sleep(0.05)
        assert reference() is not None, "a search through everything is for when it pays"
        leave(lines, 1)
        await freed(reference)

    asyncio.run(collecting(lines, check))
