"""Load: all tables of a server, and what was measured.

The time of an action runs from the moment at which it was due to be sent, not from when this client got round to it: if
the client is late, that counts too, and its lateness is also reported.
"""

import asyncio
import random
import time
from collections import deque

import psutil
from msgspec import Struct

from .contestant import SEATS, Contestant, Table
from .machine import Others, cpu_seconds

CONNECTING_AT_ONCE = 50
LAST_ANSWERS = 1.0  # seconds to wait for the last answers


class Figures(Struct):
    """The figures of one phase. Times are in milliseconds, processor time per action in microseconds."""

    rate: float
    p50: float
    p90: float
    p99: float
    p999: float
    cost: float
    late: float  # of this client, p99
    client: float  # how much of a core this client used
    others: float  # how much of the machine other programs used
    unsent: int  # because every table was waiting
    unanswered: int

    def __str__(self) -> str:
        latency = f"p50 {self.p50:.1f}, p90 {self.p90:.1f}, p99 {self.p99:.1f}, p99.9 {self.p999:.1f} ms"
        client = f"the client used {self.client:.0%} of a core and was late by {self.late:.1f} ms (p99)"
        failed = f"; {self.unsent} NOT SENT, {self.unanswered} NOT ANSWERED" if self.unsent or self.unanswered else ""
        return (
            f"{self.rate:,.0f} actions/s; {latency}; {self.cost:.0f} us of processor time each; {client}; "
            f"other programs used {self.others:.0%}{failed}"
        )


class Load:
    """Tables that play."""

    def __init__(self, contestant: Contestant) -> None:
        self._contestant = contestant
        self._tables: list[Table] = []
        self._waiting: deque[Table] = deque()
        self._times: list[float] = []
        self._late: list[float] = []
        self._saturated = False

    async def fill(self, count: int) -> None:
        begun = time.perf_counter()
        slots = asyncio.Semaphore(CONNECTING_AT_ONCE)

        async def settle() -> None:
            async with slots:
                table = self._contestant.table(self._contestant.port, self._times.append, self._free)
                self._tables.append(table)
                await table.sit_down()

        await asyncio.gather(*(settle() for _ in range(count)))
        random.shuffle(self._waiting)
        taken = time.perf_counter() - begun
        print(f"  {count * SEATS} connections at {count} tables, after {taken:.0f} s", flush=True)

    def _free(self, table: Table) -> None:
        if table.over:
            return
        if self._saturated:
            table.play(time.perf_counter())
        else:
            self._waiting.append(table)

    async def steady(self, rate: int, seconds: float) -> Figures:
        """An open loop: actions are sent when they are due, however slow the answers are."""
        self._begin()
        begun = time.perf_counter()
        sent = unsent = 0
        while (elapsed := time.perf_counter() - begun) < seconds:
            while sent < elapsed * rate:
                due = begun + sent / rate
                if self._waiting:
                    self._late.append(time.perf_counter() - due)
                    self._waiting.popleft().play(due)
                else:
                    unsent += 1
                sent += 1
            await asyncio.sleep(0.001)  # less is no pause at all to uvloop, and two busy cores may share one real one
        await asyncio.sleep(LAST_ANSWERS)
        return self._figures(seconds, unsent, unanswered=sent - unsent - len(self._times))

    async def saturate(self, players: int, seconds: float) -> Figures:
        """A closed loop: these tables play as fast as they can."""
        self._begin()
        self._saturated = True
        for _ in range(min(players, len(self._waiting))):
            self._waiting.popleft().play(time.perf_counter())
        await asyncio.sleep(seconds)
        self._saturated = False
        figures = self._figures(seconds)
        await asyncio.sleep(LAST_ANSWERS)
        return figures

    def end(self) -> None:
        for table in self._tables:
            table.end()

    def _begin(self) -> None:
        self._times.clear()
        self._late.clear()
        processes = self._contestant.processes()
        self._used, self._own = cpu_seconds(processes), cpu_seconds([psutil.Process()])
        self._others = Others(processes)

    def _figures(self, seconds: float, unsent: int = 0, unanswered: int = 0) -> Figures:
        times, late = sorted(self._times), sorted(self._late)
        used = cpu_seconds(self._contestant.processes()) - self._used
        return Figures(
            rate=len(times) / seconds,
            p50=_cut(times, 0.5),
            p90=_cut(times, 0.9),
            p99=_cut(times, 0.99),
            p999=_cut(times, 0.999),
            cost=used / max(1, len(times)) * 1e6,
            late=_cut(late, 0.99),
            client=(cpu_seconds([psutil.Process()]) - self._own) / seconds,
            others=self._others.share(),
            unsent=unsent,
            unanswered=unanswered,
        )


def _cut(times: list[float], share: float) -> float:
    return times[int(len(times) * share)] * 1000 if times else 0.0
