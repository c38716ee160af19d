"""Worker processes that leave signals of the terminal to their parent, and end when it ends, for whatever reason."""

import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection

from .threads import keep_to_one_thread


class WorkerProcesses(ProcessPoolExecutor):
    """A pool of processes. They watch a pipe that only the parent holds open, and exit when it closes: after `stop`, or
    when the parent is killed.
    """

    def __init__(self, count: int) -> None:
        context = get_context("spawn")
        self._watched, self._held = context.Pipe(duplex=False)
        super().__init__(count, mp_context=context, initializer=_follow, initargs=(self._watched,))

    def stop(self) -> None:
        """Kill all workers at once; running tasks fail."""
        self._held.close()
        self.shutdown(wait=False, cancel_futures=True)
        self._watched.close()


def _follow(watched: Connection) -> None:
    for name in ("SIGINT", "SIGHUP"):  # a terminal sends them to all processes; Windows has no SIGHUP
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    keep_to_one_thread()
    threading.Thread(target=_end_after, args=(watched,), daemon=True).start()


def _end_after(watched: Connection) -> None:
    with suppress(EOFError, OSError):
        watched.recv()
    os._exit(1)
