"""Runs tasks in this process, in several, or on a Ray cluster, with the same results."""

import logging
import os
import socket
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import Any, Protocol, TypeVar

from ..engine.refusal import DeadwoodError
from ..extras import needs
from ..processes import WorkerProcesses

TaskT = TypeVar("TaskT")
ResultT = TypeVar("ResultT")
Work = Callable[[TaskT], ResultT]
Progress = Callable[[int, int], None]  # games done, games to do
LOCAL = "local"  # the Ray address of a new cluster on this machine
CONNECT_TIMEOUT = 5.0  # seconds
IN_FLIGHT = 2  # tasks per worker: enough to keep it busy, few enough to lose little on an interrupt


class WorkersLost(DeadwoodError):
    """The worker processes or the cluster failed."""


def done_by(work: Work[TaskT, ResultT], tasks: Iterable[TaskT], jobs: int, ray: str | None = None) -> Iterator[ResultT]:
    """The results of all tasks, in order of completion. Tasks are taken from the iterable as workers become free.

    On an interrupt, results that are already there come before the KeyboardInterrupt.
    """
    if ray is not None:
        return _by_ray(work, tasks, ray, jobs)
    if jobs == 1:
        return map(work, tasks)
    return _by_processes(work, tasks, jobs)


def usable_cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Executor(Protocol):
    """Runs several tasks at once."""

    room: int

    def submit(self, task: Any) -> Any:
        """Start a task and return a handle to it."""

    def collect(self, running: list[Any], block: bool) -> tuple[list[Any], list[Any]]:
        """The results that are ready, and the tasks still running. `block` waits for at least one result."""


def _flow(workers: _Executor, tasks: Iterable[Any]) -> Iterator[Any]:
    waiting = iter(tasks)
    running: list[Any] = []
    while True:
        running += [workers.submit(task) for task in islice(waiting, workers.room - len(running))]
        if not running:
            return
        try:
            results, running = workers.collect(running, block=True)
        except KeyboardInterrupt:
            yield from workers.collect(running, block=False)[0]
            raise
        yield from results


class _Processes:
    def __init__(self, pool: WorkerProcesses, work: Work[Any, Any], jobs: int) -> None:
        self._pool, self._work, self.room = pool, work, IN_FLIGHT * jobs

    def submit(self, task: Any) -> Future[Any]:
        return self._pool.submit(self._work, task)

    def collect(self, running: list[Future[Any]], block: bool) -> tuple[list[Any], list[Any]]:
        done, others = wait(running, timeout=None if block else 0, return_when=FIRST_COMPLETED)
        return [future.result() for future in running if future in done], [one for one in running if one in others]


def _by_processes(work: Work[TaskT, ResultT], tasks: Iterable[TaskT], jobs: int) -> Iterator[ResultT]:
    pool = WorkerProcesses(jobs)
    try:
        yield from _flow(_Processes(pool, work, jobs), tasks)
    except BrokenProcessPool:
        raise WorkersLost("A worker process ended unexpectedly; perhaps memory ran out.") from None
    finally:
        pool.stop()


class _Ray:
    def __init__(self, ray: Any, work: Work[Any, Any]) -> None:
        self._ray, self._work, self._remote = ray, work, ray.remote(_call)
        self.room = IN_FLIGHT * max(1, int(ray.cluster_resources().get("CPU", 1)))

    def submit(self, task: Any) -> Any:
        return self._remote.remote(self._work, task)

    def collect(self, running: list[Any], block: bool) -> tuple[list[Any], list[Any]]:
        done, others = self._ray.wait(running, timeout=None if block else 0)
        return self._ray.get(done), others


def _by_ray(work: Work[TaskT, ResultT], tasks: Iterable[TaskT], address: str, jobs: int) -> Iterator[ResultT]:
    ray = _connected(address, jobs)
    try:
        yield from _flow(_Ray(ray, work), tasks)
    except ray.exceptions.RayTaskError as error:
        raise error.as_instanceof_cause() from None
    except ray.exceptions.RayError as error:
        raise WorkersLost(f"The Ray cluster failed: {error}") from error
    finally:
        ray.shutdown()


def _call(work: Work[TaskT, ResultT], task: TaskT) -> ResultT:
    return work(task)


def _connected(address: str, jobs: int) -> Any:
    with needs("A Ray cluster", "lab"):
        import ray  # noqa: PLC0415 - slow to import, and rarely needed
    cores = jobs if address == LOCAL else None
    _check_reachable(address)
    try:
        ray.init(address, num_cpus=cores, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise DeadwoodError(f"There is no Ray cluster at '{address}': {error}") from error
    return ray


def _check_reachable(address: str) -> None:
    """Fail fast if nothing listens there: Ray itself would retry for minutes."""
    host, colon, port = address.rpartition("://")[2].rpartition(":")
    if not (colon and port.isdecimal()):  # local, auto, or another address without a port
        return
    try:
        socket.create_connection((host, int(port)), timeout=CONNECT_TIMEOUT).close()
    except (OSError, OverflowError) as error:
        raise DeadwoodError(f"There is no Ray cluster at '{address}': {error}") from error
