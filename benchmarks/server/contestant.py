"""What is measured: a server, and tables of four people there."""

import os
import re
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import psutil

from .wire import Line

SEATS = 4


class Table(ABC):
    """Four people who play legal actions. `acknowledged` learns how long one took, `free` that the next may come."""

    def __init__(self, port: int, acknowledged: Callable[[float], None], free: Callable[["Table"], None]) -> None:
        self.port = port
        self.lines: list[Line] = []
        self.over = False
        self._acknowledged = acknowledged
        self._free = free
        self._due: float | None = None  # when the action that is not acknowledged yet was due

    @abstractmethod
    async def sit_down(self) -> None:
        """Connect everybody, and start the game."""

    @abstractmethod
    def send_action(self) -> None:
        """Send an action of the active player."""

    def play(self, due: float) -> None:
        self._due = due
        self.send_action()

    def acknowledge(self) -> None:
        assert self._due is not None
        self._acknowledged(time.perf_counter() - self._due)
        self._due = None

    def end(self) -> None:
        for line in self.lines:
            line.end()


class Contestant(ABC):
    """A server and all that belongs to it."""

    name: str
    table: type[Table]
    spread = False  # whether it uses all cores; otherwise it has one, and the client has another

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.server: subprocess.Popen[str]
        self.port = 0

    @abstractmethod
    def command(self) -> list[Any]:
        """What starts the server. It prints a line with its port."""

    def start(self, core: int | None) -> None:
        self.server = subprocess.Popen(self.command(), stdout=subprocess.PIPE, text=True)
        if core is not None and not self.spread:
            os.sched_setaffinity(self.server.pid, {core})
        assert self.server.stdout
        while not (found := re.search(r":(\d+) ", line := self.server.stdout.readline())):
            assert line, "the server ended"
        self.port = int(found[1])

    def stop(self) -> None:
        for process in reversed(self.processes()):
            process.kill()
        self.server.wait()

    def processes(self) -> list[psutil.Process]:
        """All processes that it needs to work."""
        server = psutil.Process(self.server.pid)
        return [server, *server.children(recursive=True)]
