"""Garbage collection in small portions, so that no request waits for a long one.

Python's collector starts when allocations exceed deallocations. With thousands of tables each action frees about as
much as it allocates, so one collection of the young generation could look at hundreds of thousands of objects: a stop
of 0.2 s.
"""

import asyncio
import gc

from .connection_limits import OpenConnections

# Seconds. The objects of an action live for a few milliseconds, or up to 0.1 s if the server is saturated. Collect
# after they have died: scanning live ones is the expensive part, and at a shorter interval it took a tenth of all
# processor time.
_OFTEN = 0.25
_MOST_CLOSED = 50_000  # connections; they leave no cycles that we know of, so a full collection is a precaution


def set_garbage_aside() -> None:
    """Collect what startup has left, and never look at the rest again. This is slow, so do it before serving."""
    gc.collect()
    gc.freeze()
    gc.disable()


async def collect_garbage(connections: OpenConnections) -> None:
    """Collect the young generation often, and everything once many connections have closed."""
    collected_at = connections.closed
    while True:
        await asyncio.sleep(_OFTEN)
        if connections.closed - collected_at < _MOST_CLOSED:
            gc.collect(0)
        else:
            gc.collect()
            collected_at = connections.closed
