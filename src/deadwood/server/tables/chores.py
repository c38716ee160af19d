"""Chores: what a process does again and again by itself.

A bug of ours in one turn must not end it for good, and a long turn must not keep everybody else waiting.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from ..metrics import Counters

log = logging.getLogger("deadwood.server")
PORTION = 100  # tables or people at a time: a few milliseconds
T = TypeVar("T")


async def keep_doing(turn: Callable[[], Awaitable[None]], pause: float, counters: Counters, what: str) -> None:
    """Do something until the server ends, each time after a pause in seconds."""
    while True:
        await asyncio.sleep(pause)
        with survived(counters, what):
            await turn()


@contextmanager
def survived(counters: Counters, what: str) -> Iterator[None]:
    """Log and count an error of ours in this block. What follows goes on."""
    try:
        yield
    except Exception:
        counters.errors += 1
        log.exception("%s failed", what)


async def in_portions(things: Iterable[T]) -> AsyncIterator[T]:
    """Go through many things, and let others have their turn now and then. What changes meanwhile must be a copy."""
    for number, thing in enumerate(things):
        if number and not number % PORTION:
            await asyncio.sleep(0)
        yield thing
