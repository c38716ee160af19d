"""Connection: one client of a table, with its own bounded queue and writer, so that nobody ever waits for it."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from ..tables.caller import Listener

MOST_WAITING = 256  # messages; a client that far behind is better off with a fresh snapshot
MOST_BYTES = 2**20  # of all of them together
POLICY = 1008
RESTART = 1012
TRY_LATER = 1013


class Transport(Protocol):
    """What carries messages: a WebSocket, or a simulated network."""

    async def receive(self) -> str | bytes | None:
        """The next message; None when the client is gone."""

    def ready(self) -> bool:
        """Whether the client's next message has come already."""

    def send_now(self, text: bytes) -> bool:
        """Send a message if that needs no waiting; False if it does."""

    async def send(self, text: bytes) -> None:
        """Send a message; waits while the client does not read."""

    async def close(self, code: int, reason: str) -> None:
        """Close the connection properly."""

    def abort(self) -> None:
        """Cut the connection, even if something is still to be sent."""


class Stalled:
    """The connections that are in the middle of sending, and since when; those that take too long are dropped."""

    def __init__(self) -> None:
        self._since: dict[Connection, float] = {}

    def __len__(self) -> int:
        return len(self._since)

    def __contains__(self, connection: "Connection") -> bool:
        return connection in self._since

    def start(self, connection: "Connection") -> None:
        """A connection starts to send."""
        self._since[connection] = asyncio.get_running_loop().time()

    def end(self, connection: "Connection") -> None:
        """It has sent, or is gone."""
        self._since.pop(connection, None)

    def drop(self, allowed: float) -> None:
        """Drop the clients that stopped reading longer ago than allowed."""
        now = asyncio.get_running_loop().time()
        for connection, since in tuple(self._since.items()):
            if now - since > allowed:
                connection.drop()


class Connection(Listener):
    """A listener with a queue of messages that its transport has not taken yet."""

    def __init__(self, transport: Transport, stalled: Stalled, count_drop: Callable[[], None] = lambda: None) -> None:
        super().__init__("en")
        self.dropped = False
        self._transport = transport
        self._stalled = stalled
        self._count_drop = count_drop
        self._waiting: list[bytes] = []
        self._size = 0  # of what waits
        self._sending = False  # whether the transport still waits for the client to read
        self._writer: asyncio.Task[None] | None = (
            None  # while something waits, and for good once it has closed or failed
        )
        self._closing: tuple[int, str] | None = None

    def send(self, text: bytes) -> None:
        """Send a message, or queue it if the client is not ready; never waits."""
        queued = self._waiting or self._sending or self._closing or self.dropped  # nothing may overtake them
        if not queued and self._transport.send_now(text):
            return
        if len(self._waiting) >= MOST_WAITING or self._size >= MOST_BYTES:
            self.drop()
        elif not self.dropped:
            self._waiting.append(text)
            self._size += len(text)
            self._write_soon()

    def dismiss(self, text: bytes) -> None:
        """Send a last message, and close because the server restarts."""
        self.send(text)
        self.close(RESTART, "the server restarts")

    def close(self, code: int, reason: str) -> None:
        """Close the connection once everything in the queue is sent."""
        self._closing = (code, reason)
        self._write_soon()

    def drop(self) -> None:
        """Give up on a client that does not read."""
        if self.dropped:
            return
        self.dropped = True
        self._count_drop()
        self._waiting.clear()
        self._transport.abort()

    async def closed(self, patience: float) -> None:
        """Wait until everything is sent and the connection closed, but not for ever."""
        if self._writer is not None:
            with suppress(TimeoutError, ConnectionError):
                await asyncio.wait_for(self._writer, patience)

    async def end(self) -> None:
        """Send nothing more, even if an answer comes later: a hint may take long."""
        self.dropped = True
        if self._writer is not None:
            self._writer.cancel()
            await asyncio.gather(self._writer, return_exceptions=True)

    def _write_soon(self) -> None:
        """Start a writer if there is none. Most messages never wait, so most connections never need one."""
        if self._writer is None and not self.dropped:
            self._writer = asyncio.create_task(self._write())

    async def _write(self) -> None:
        """Send what is queued, and close if that is the end."""
        try:
            await self._send_queue()
            if self._closing is not None and not self.dropped:
                self._stalled.start(self)
                await self._transport.close(*self._closing)
                return
        finally:
            self._stalled.end(self)
        self._writer = None

    async def _send_queue(self) -> None:
        while self._waiting:
            text = self._waiting.pop(0)
            self._size -= len(text)
            self._sending = True
            self._stalled.start(self)
            await self._transport.send(text)
            self._stalled.end(self)
            self._sending = False
