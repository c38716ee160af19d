"""How much of the machine processes use."""

import asyncio
import os
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

import psutil


def cpu_seconds(processes: Iterable[psutil.Process]) -> float:
    """Processor time of processes and of their children that have ended, so far."""
    return _sum_of(processes, lambda process: sum(process.cpu_times()[:4]))


def memory(processes: Iterable[psutil.Process]) -> int:
    """Memory in bytes; shared memory counts once."""
    return int(_sum_of(processes, lambda process: process.memory_full_info().pss))


def _sum_of(processes: Iterable[psutil.Process], figure: Callable[[psutil.Process], float]) -> float:
    """The sum of a figure. A process may have ended: the database's helpers come and go."""
    total = 0.0
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            total += figure(process)
    return total


class Others:
    """How busy other programs keep the machine from now on."""

    def __init__(self, ours: Iterable[psutil.Process]) -> None:
        self._ours = [*ours, psutil.Process()]
        self._before = self._now()

    def _now(self) -> tuple[float, float]:
        """Seconds that processors spent on other programs, and all seconds."""
        ticks = [int(field) for field in Path("/proc/stat").read_text().split("\n")[0].split()[1:9]]
        every, idle = sum(ticks), ticks[3] + ticks[4]
        busy = (every - idle) / os.sysconf("SC_CLK_TCK")
        return busy - cpu_seconds(self._ours), every / os.sysconf("SC_CLK_TCK")

    def share(self) -> float:
        busy, every = self._now()
        return max(0.0, (busy - self._before[0]) / (every - self._before[1]))


async def wait_for_quiet(ours: Iterable[psutil.Process], share: float) -> None:
    """Wait until other programs have used little of the machine for two seconds."""
    ours = list(ours)
    while share < 1:
        others = Others(ours)
        await asyncio.sleep(2)
        if others.share() <= share:
            return


def probe_disk(folder: str, times: int = 300) -> None:
    """How long the disk alone takes to make 8 KiB durable: no action can be acknowledged sooner."""
    taken = []
    with open(f"{folder}/probe", "wb", buffering=0) as file:
        for _ in range(times):
            file.write(bytes(8192))
            begun = time.perf_counter()
            os.fdatasync(file.fileno())
            taken.append((time.perf_counter() - begun) * 1000)
    taken.sort()
    print(f"  the disk alone: p50 {taken[times // 2]:.1f}, p99 {taken[times * 99 // 100]:.1f} ms", flush=True)
