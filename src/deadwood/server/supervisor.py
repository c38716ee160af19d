"""Several server processes on one socket. One that dies is replaced; on request, all are replaced one by one.

They share the socket that their parent listens on. While one of them dies, shuts down or is stuck, the others accept
new connections. The parent serves nobody.
"""

import asyncio
import logging
import os
import signal
import socket
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection

from msgspec.structs import replace

from ..engine.refusal import DeadwoodError
from .log_lines import log_to_stderr
from .serving import listen, located, metrics_sockets, serve_at
from .settings import Settings, SettingsWrong
from .store.database import DatabaseStore
from .store.opening import database_url

log = logging.getLogger("deadwood.server")
START = 60.0  # seconds until a process must be serving
END = 20.0  # seconds to tell clients when to reconnect, and to store what is waiting
LIVED = 10.0  # seconds; a process that dies sooner is replaced with a delay, which doubles each time
LONGEST_PAUSE = 30.0
_SPAWN = get_context("spawn")  # a fresh interpreter, which runs the new version after an update


def supervise(settings: Settings, processes: int, announce: Callable[[str], None]) -> None:
    """Serve with several processes until a signal comes. SIGHUP replaces them all, one by one."""
    if database_url(settings.database).get_backend_name() == "sqlite":
        raise SettingsWrong(
            "SQLite serves one process. For several, give them a PostgreSQL: --database postgresql://USER@HOST/NAME"
        )
    if not hasattr(signal, "SIGHUP"):
        raise SettingsWrong("This system serves one process only; --processes needs Linux or macOS.")
    with listen(settings.host, settings.port) as listening:
        settings = located(settings, listening)
        with metrics_sockets(settings, processes) as metrics:
            asyncio.run(_try_database(settings.database))
            asyncio.run(Supervisor(settings, listening, metrics, processes).run(announce))


async def _try_database(url: str) -> None:
    """Migrate here first, so that a failure is reported once and not by every process."""
    await (await DatabaseStore.open(url)).close()


class Child:
    """A process that serves, and ends when its parent does for any reason."""

    def __init__(self, settings: Settings, sockets: Sequence[socket.socket]) -> None:
        self._watched, self._held = _SPAWN.Pipe(duplex=False)
        self._ready, ready = _SPAWN.Pipe(duplex=False)
        self._process = _SPAWN.Process(target=_serve, args=(settings, sockets, ready, self._watched))
        self._process.start()
        ready.close()
        self.serving = asyncio.Event()
        self.ended = asyncio.Event()
        self.started = _now()
        asyncio.get_running_loop().add_reader(self._ready.fileno(), self._on_ready)
        asyncio.get_running_loop().add_reader(self._process.sentinel, self._on_end)

    @property
    def pid(self) -> int:
        return self._process.pid or 0

    def _on_ready(self) -> None:
        with suppress(EOFError):
            self._ready.recv()
            self.serving.set()
        asyncio.get_running_loop().remove_reader(self._ready.fileno())

    def _on_end(self) -> None:
        loop = asyncio.get_running_loop()
        loop.remove_reader(self._process.sentinel)
        loop.remove_reader(self._ready.fileno())
        self._process.join()
        self.exit_code = self._process.exitcode
        for end in (self._ready, self._watched, self._held):
            end.close()
        self.ended.set()

    async def until_serving(self) -> bool:
        """Wait until it serves; False if it ends first. One that takes too long is ended."""
        waits = [asyncio.create_task(event.wait()) for event in (self.serving, self.ended)]
        await asyncio.wait(waits, timeout=START, return_when=asyncio.FIRST_COMPLETED)
        for wait in waits:
            wait.cancel()
        if not self.serving.is_set():
            if not self.ended.is_set():
                log.error("process %d does not serve after %g s, and is killed", self.pid, START)
            await self.end(patience=0.0)
        return not self.ended.is_set()

    async def end(self, patience: float = END) -> None:
        """Let it end properly; one that takes too long is killed."""
        if not self.ended.is_set():
            self._process.terminate() if patience else self._process.kill()
        try:
            await asyncio.wait_for(self.ended.wait(), patience or None)
        except TimeoutError:
            self._process.kill()
            await self.ended.wait()


class Slot:
    """A slot for one process, which may be replaced by another."""

    def __init__(self, make: Callable[[], Child]) -> None:
        self._make = make
        self._ending = False
        self._pause = 0.0
        self._starting: Child | None = None  # to take over the slot
        self._leaving: Child | None = None  # after another has taken over
        self.child = make()

    async def keep(self) -> None:
        """Replace the process whenever it dies."""
        while not self._ending:
            child = self.child
            await child.ended.wait()
            if child is self.child and not self._ending:
                log.warning("process %d ended with %s, and is replaced", child.pid, child.exit_code)
                self._pause = 0.0 if _now() - child.started > LIVED else self._longer_pause
                await asyncio.sleep(self._pause)
                await self._fill(child)

    async def _fill(self, dead: Child) -> None:
        """Replace a dead process, unless a renewal already has."""
        made = await self._made(lambda: dead is self.child)
        if made is not None:
            self.child = made
            await made.until_serving()  # one that hangs would hold the place for ever

    async def renew(self) -> None:
        """Let the process end once another serves in its slot."""
        after = self._starting = await self._made(lambda: True)
        if after is not None and await after.until_serving() and not self._ending:
            before, self.child, self._starting = self.child, after, None
            self._leaving = before
            await before.end()
        elif not self._ending:
            log.error("a new process does not serve, so the old one stays")

    async def _made(self, wanted: Callable[[], bool]) -> Child | None:
        """Another process, as soon as the system has room for one; None if it is no longer wanted."""
        while wanted() and not self._ending:
            try:
                return self._make()
            except Exception as error:  # such as ENOMEM or EAGAIN; the slot must not stay empty for ever
                self._pause = self._longer_pause
                log.error("a process cannot be started, and is tried again in %g s: %s", self._pause, error)
                await asyncio.sleep(self._pause)
        return None

    @property
    def _longer_pause(self) -> float:
        return min(LONGEST_PAUSE, 2 * self._pause + 0.5)

    async def end(self) -> None:
        """Let the process end properly. Nobody waits for one that has just been started: it serves nobody yet."""
        self._ending = True
        if self._starting is not None:
            await self._starting.end(patience=0.0)
        await self.child.end()
        if self._leaving is not None:
            await self._leaving.ended.wait()


class Supervisor:
    """The parent of all processes."""

    def __init__(
        self, settings: Settings, listening: socket.socket, metrics: Sequence[socket.socket], processes: int
    ) -> None:
        self._settings = settings
        self._listening = listening
        self._metrics = metrics  # one for each slot, or none
        self._count = processes
        self._stop = asyncio.Event()
        self._renew = asyncio.Event()

    async def run(self, announce: Callable[[str], None]) -> None:
        """Run until a signal ends it."""
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, self._stop.set)
        asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, self._renew.set)
        slots = [Slot(partial(self._make, number)) for number in range(self._count)]
        attending = [asyncio.create_task(slot.keep()) for slot in slots]
        try:
            if not all(await asyncio.gather(*(slot.child.until_serving() for slot in slots))):
                raise SettingsWrong("A process ended before it could serve anything; the lines above say why.")
            announce(self._settings.url)
            attending.append(asyncio.create_task(self._renew_all(slots)))
            await self._stop.wait()
        finally:
            await asyncio.gather(*(slot.end() for slot in slots))
            for task in attending:
                task.cancel()

    async def _renew_all(self, slots: list[Slot]) -> None:
        """Renew the processes one by one whenever somebody asks for it."""
        while True:
            await self._renew.wait()
            self._renew.clear()
            for slot in slots:
                await slot.renew()

    def _make(self, number: int) -> Child:
        """A process for a slot. Its metrics are where those of its predecessor were.

        The successor of a running process listens there as soon as it serves, a moment before the other stops. In that
        moment either may answer; from then on only the new one does, so counters go back once, as after any restart.
        """
        own = self._metrics[number : number + 1]
        port = own[0].getsockname()[1] if own else None
        return Child(replace(self._settings, metrics_port=port), [self._listening, *own])


def _serve(settings: Settings, sockets: Sequence[socket.socket], ready: Connection, watched: Connection) -> None:
    """What a child does."""
    log_to_stderr(settings.log_requests)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # a terminal sends it to all processes; only the parent handles it
    threading.Thread(target=_end_after, args=(watched,), daemon=True).start()
    try:
        serve_at(sockets, settings, ready.send)
    except DeadwoodError as error:
        log.error("%s", error)
        raise SystemExit(1) from None


def _end_after(watched: Connection) -> None:
    with suppress(EOFError, OSError):
        watched.recv()
    os.kill(os.getpid(), signal.SIGTERM)


def _now() -> float:
    return asyncio.get_running_loop().time()
