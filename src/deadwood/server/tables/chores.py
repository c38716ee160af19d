"""Chores: what a process does again and again by itself. A bug of ours in one turn must not end it for good."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

from ..metrics import Counters

log = logging.getLogger("deadwood.server")


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
