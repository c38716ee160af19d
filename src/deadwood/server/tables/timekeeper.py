"""Timekeeper: does what becomes due at a table by itself."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from typing import Any, Protocol

from msgspec import Struct

from ..protocol.refusals import ServerRefused, StoreFailed
from .absence import Countdown, countdowns, timely
from .deciding import Decision, Held
from .services import Services
from .sitting import Sitting

RETRY = 1.0  # seconds until the next try after the database failed
_SOON = 0.001  # seconds; anything due this soon counts as due now, because timers are no more exact than that


class TimedTable(Protocol):
    """What a timekeeper needs from its room."""

    sitting: Sitting

    @property
    def leads(self) -> bool:
        """Whether this process does what is due; every process counts down."""

    @property
    def present(self) -> Held:
        """The chairs that connections hold."""

    @property
    def still(self) -> bool:
        """Whether nothing may happen by itself."""

    @property
    def seconds_left(self) -> float | None:
        """The seconds left on the clock of the active chair."""

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run a background task, during which the room stays in memory."""


class _Count(Struct):
    """A countdown: how much was left, and when it began to run; None while it is stopped."""

    left: float
    since: float | None


class Wait(Struct, frozen=True):
    """The others wait for an absent player: how long until the stand-in plays."""

    countdown: Countdown
    seconds: float
    runs: bool


class Timekeeper:
    """One timer for a table, and a background task while something is due."""

    def __init__(self, table: TimedTable, services: Services, do_timely: Callable[[], Awaitable[None]]) -> None:
        self._table = table
        self._services = services
        self._do_timely = do_timely  # stores what is due
        self._counts: dict[Countdown, _Count] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def busy(self) -> bool:
        """Whether something due is being done."""
        return self._task is not None

    @property
    def due(self) -> Decision | None:
        """What is due now."""
        if self._table.still:
            return None
        over = [one for one, count in self._counts.items() if self._left(count) <= _SOON] if self._counts else ()
        seconds = self._table.seconds_left
        return timely(self._table.sitting, self._table.present, over, None if seconds is None else seconds - _SOON)

    @property
    def wait(self) -> Wait | None:
        """Whom the others wait for now."""
        if not self._counts:
            return None
        waits = (
            Wait(one, max(0.0, self._left(count)), count.since is not None)
            for one, count in self._counts.items()
            if one[0] == "stand_in"
        )
        return next(waits, None)

    def wake(self) -> None:
        """Look again: somebody came or went, or an entry was made."""
        self._count()
        if self._task is not None:
            return
        waits = self._waits()  # first, or what becomes due between two looks at the clock would be in neither
        if self.due is not None and self._table.leads:
            self._task = self._table.spawn(self._run())
        else:
            self._set_timer(waits)

    def seen(self, chairs: Iterable[int]) -> None:
        """Somebody without a connection sent a command: the countdowns of their absence start again."""
        if self._counts:
            held = set(chairs)
            for countdown in [one for one in self._counts if one[1] in held]:
                del self._counts[countdown]

    def rest(self) -> None:
        """Stop: the table leaves memory."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    async def _run(self) -> None:
        try:
            while self._table.leads and self.due is not None:
                try:
                    await self._do_timely()
                except (ServerRefused, StoreFailed):
                    await asyncio.sleep(RETRY)
                self._count()
        finally:
            self._task = None
        self.wake()

    def _count(self) -> None:
        """Start, stop and forget countdowns to match the table as it is now."""
        wanted = countdowns(self._table.sitting, self._table.present)
        if not wanted:
            self._counts.clear()
            return
        now = self._services.monotonic()
        self._counts = {one: count for one, count in self._counts.items() if one in wanted}
        for one, (seconds, runs) in wanted.items():
            count = self._counts.setdefault(one, _Count(seconds, None))
            count.left, count.since = self._left(count), now if runs else None

    def _left(self, count: _Count) -> float:
        passed = 0.0 if count.since is None else self._services.monotonic() - count.since
        return count.left - passed

    def _set_timer(self, waits: Iterable[float]) -> None:
        """Keep a timer that is early: it only looks again. A busy table need not set one with every entry."""
        wait = None if self._table.still else min(waits, default=None)
        if wait is None:
            self.rest()
            return
        loop = asyncio.get_running_loop()
        at = loop.time() + wait
        if self._timer is None or self._timer.when() > at:
            self.rest()
            self._timer = loop.call_at(at, self._ring)

    def _waits(self) -> Iterable[float]:
        """The seconds until each thing that may become due. Countdowns that are over already are left out."""
        left = [self._left(count) for count in self._counts.values() if count.since is not None]
        seconds = self._table.seconds_left
        if seconds is not None and not self._table.sitting.attendance.paused:
            left.append(seconds)
        return [one for one in left if one > _SOON]

    def _ring(self) -> None:
        self._timer = None
        if not self._services.closing:
            self.wake()
