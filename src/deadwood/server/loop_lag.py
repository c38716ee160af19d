"""LoopLag: how late the event loop is. Whatever holds it up keeps everybody waiting."""

import asyncio
import time

TICK = 0.01  # seconds
WINDOW = 30.0  # seconds; the values are the largest of the last one or two


class LoopLag:
    """The lag is how late a timer was. The stall is how much of it was our own work, not that of other programs."""

    def __init__(self) -> None:
        self._now = self._before = (0.0, 0.0)

    @property
    def lag(self) -> float:
        """The longest lag of the last minute or so, in seconds."""
        return max(self._now[0], self._before[0])

    @property
    def stall(self) -> float:
        """The longest stall of the last minute or so, in seconds."""
        return max(self._now[1], self._before[1])

    async def watch(self) -> None:
        """Measure until the server ends."""
        while True:
            end = time.monotonic() + WINDOW
            while time.monotonic() < end:
                started, worked = time.monotonic(), time.thread_time()
                await asyncio.sleep(TICK)
                self.note(time.monotonic() - started - TICK, time.thread_time() - worked)
            self._now, self._before = (0.0, 0.0), self._now

    def note(self, late: float, worked: float) -> None:
        """Note how late a timer was, and how long this thread worked in that time."""
        lag, stall = self._now
        self._now = max(lag, late), max(stall, min(late, worked))
