"""Pool: processes that each run one function at a time. One that dies or takes too long is replaced."""

import asyncio
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from ...processes import WorkerProcesses
from ..limits import Tally
from .priority_semaphore import PrioritySemaphore

T = TypeVar("T")


class Pool:
    """Several processes, started on first use."""

    def __init__(self, count: int, patience: float) -> None:
        self.patience = patience
        self.waiting = 0
        self._by_address = Tally()
        self._count = count
        self._free = PrioritySemaphore(count)  # so that only the work is timed, not the waiting for it
        self._processes: WorkerProcesses | None = None

    async def run(self, function: Callable[..., T], *arguments: Any, patient: bool = False, address: str = "") -> T:
        """The result of a function that can be pickled."""
        self.waiting += 1
        self._by_address.add(address)
        try:
            async with self._free.acquire(patient, address):
                return await self._try_twice(function, *arguments)
        finally:
            self._by_address.remove(address)
            self.waiting -= 1

    def waiting_for(self, address: str) -> int:
        """How many jobs of an address run or wait."""
        return self._by_address[address]

    async def _try_twice(self, function: Callable[..., T], *arguments: Any) -> T:
        try:
            return await self._try(function, *arguments)
        except BrokenProcessPool:  # perhaps another function's fault
            return await self._try(function, *arguments)

    async def _try(self, function: Callable[..., T], *arguments: Any) -> T:
        processes = self._processes = self._processes or WorkerProcesses(self._count)
        try:
            running = asyncio.get_running_loop().run_in_executor(processes, function, *arguments)
            return await asyncio.wait_for(running, self.patience)
        except (BrokenProcessPool, TimeoutError):
            self._discard(processes)
            raise

    def _discard(self, processes: WorkerProcesses) -> None:
        """Stop these processes; jobs that still run there fail, and are retried."""
        if self._processes is processes:
            self._processes = None
        processes.stop()

    def close(self) -> None:
        """Stop, even if jobs are running."""
        if self._processes is not None:
            self._discard(self._processes)
