"""Where work is done: in this process, in several, or on a Ray cluster. The results are the same."""

import logging
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from typing import Any, TypeVar

from ..engine.refusal import DeadwoodError

Task = TypeVar("Task")
Result = TypeVar("Result")
Work = Callable[[Task], Result]
LOCAL = "local"  # as a Ray address: a cluster of this machine alone
ANSWER_SECONDS = 5.0  # that a cluster may take to answer a knock
IN_FLIGHT = 4  # tasks handed out for every worker, so that none waits and few results are held


class WorkersLost(DeadwoodError):
    """Those who did the work are gone."""


def done_by(work: Work[Task, Result], tasks: Sequence[Task], jobs: int, ray: str | None = None) -> Iterator[Result]:
    """The results of all tasks, in the order in which they are done."""
    if ray is not None:
        return _by_ray(work, tasks, ray, jobs)
    if jobs == 1:
        return map(work, tasks)
    return _by_processes(work, tasks, jobs)


def usable_cores() -> int:
    """How many processes can run at once here."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _by_processes(work: Work[Task, Result], tasks: Sequence[Task], jobs: int) -> Iterator[Result]:
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_follow_the_parent) as pool:
        waiting = list(reversed(tasks))
        running: set[Future[Result]] = set()
        try:
            while waiting or running:
                while waiting and len(running) < IN_FLIGHT * jobs:
                    running.add(pool.submit(work, waiting.pop()))
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()
        except BrokenProcessPool:
            raise WorkersLost("A worker process ended before its work was done; perhaps memory ran out.") from None
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _follow_the_parent() -> None:
    """A worker leaves interrupts to the parent, and ends with it, also where that was killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _by_ray(work: Work[Task, Result], tasks: Sequence[Task], address: str, jobs: int) -> Iterator[Result]:
    ray = _connected(address, jobs)
    try:
        remote = ray.remote(_call)
        waiting = list(reversed(tasks))
        running: list[Any] = []
        workers = int(ray.cluster_resources().get("CPU", 1))
        while waiting or running:
            while waiting and len(running) < IN_FLIGHT * workers:
                running.append(remote.remote(work, waiting.pop()))
            done, running = ray.wait(running)
            yield from ray.get(done)
    except ray.exceptions.RayTaskError as error:
        raise error.as_instanceof_cause() from None
    except ray.exceptions.RayError as error:
        raise WorkersLost(f"The Ray cluster failed: {error}") from error
    finally:
        ray.shutdown()


def _call(work: Work[Task, Result], task: Task) -> Result:
    return work(task)


def _connected(address: str, jobs: int) -> Any:
    try:
        import ray  # noqa: PLC0415 - heavy, and few need it
    except ImportError:
        raise DeadwoodError("Ray is not installed; install it with: pip install 'deadwood[lab]'") from None
    cluster = {"num_cpus": jobs, "include_dashboard": False} if address == LOCAL else {"address": address}
    _demand_answer(address)
    try:
        ray.init(log_to_driver=False, logging_level=logging.ERROR, **cluster)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise DeadwoodError(f"There is no Ray cluster at '{address}': {error}") from error
    return ray


def _demand_answer(address: str) -> None:
    """Ask first whether anybody is there: Ray itself would try for minutes."""
    host, colon, port = address.rpartition("://")[2].rpartition(":")
    if not (colon and port.isdecimal()):  # local, auto, or a name that Ray knows
        return
    try:
        socket.create_connection((host, int(port)), timeout=ANSWER_SECONDS).close()
    except (OSError, OverflowError) as error:
        raise DeadwoodError(f"There is no Ray cluster at '{address}': {error}") from error
