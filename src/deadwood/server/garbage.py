"""Garbage: looked for in small portions, so that no move waits for a long search.

Python's own collector counts what is made less what is freed. With thousands of tables, each move frees about as much
as it makes, so the young objects that one search looks through could be hundreds of thousands: a stop of 0.2 s.
"""

import asyncio
import gc

from .connection_limits import Lines

_OFTEN = 0.05  # seconds; at 1,000 moves a second a search takes about one thousandth of one
_MOST_GONE = 5_000  # lines; each leaves about 40 kB that only a search through everything finds


async def collect_garbage(lines: Lines) -> None:
    """Search young objects often, and all of them once many connections have gone."""
    gc.collect()
    gc.freeze()
    gc.disable()
    searched_at = lines.gone
    while True:
        await asyncio.sleep(_OFTEN)
        if lines.gone - searched_at < _MOST_GONE:
            gc.collect(0)
        else:
            gc.collect()
            searched_at = lines.gone
