"""Connection: one client that listens to a table, with a bounded queue and a writer of its own; nobody waits for it."""

import asyncio
from collections import deque
from typing import Protocol

MOST_WAITING = 256  # messages; a reader that far behind is better off with a fresh snapshot
MOST_SIGNS = 2**20  # of all of them together
POLICY = 1008
RESTART = 1012
TRY_LATER = 1013


class Transport(Protocol):
    """What carries messages: a WebSocket, or a simulated network."""

    async def receive(self) -> str | bytes | None:
        """The next message; None when the client is gone."""

    async def send(self, text: str) -> None:
        """Hand a message over; waits while the client does not read."""

    async def close(self, code: int, reason: str) -> None:
        """Say goodbye."""

    def abort(self) -> None:
        """Cut the line, whatever is still to be sent."""


class Connection:
    """The seats a client holds, the language it is told things in, and what it has still to be sent."""

    def __init__(self, transport: Transport, language: str) -> None:
        self.language = language
        self.held: frozenset[int] = frozenset()
        self.dropped = False
        self._transport = transport
        self._waiting: deque[str] = deque()
        self._size = 0  # of what waits
        self._wake = asyncio.Event()
        self._closing: tuple[int, str] | None = None
        self._sending_since: float | None = None

    def say(self, text: str) -> None:
        """Queue a message; never waits."""
        if len(self._waiting) >= MOST_WAITING or self._size >= MOST_SIGNS:
            self.drop()
        elif not self.dropped:
            self._waiting.append(text)
            self._size += len(text)
            self._wake.set()

    def close(self, code: int, reason: str) -> None:
        """Close after all that is queued has been sent."""
        self._closing = (code, reason)
        self._wake.set()

    def drop(self) -> None:
        """Give up on a client that does not read."""
        self.dropped = True
        self._waiting.clear()
        self._transport.abort()
        self._wake.set()

    def stalled(self, now: float, allowed: float) -> bool:
        """Whether the client has not taken a message for so long."""
        return self._sending_since is not None and now - self._sending_since > allowed

    async def write(self) -> None:
        """Send what is queued, until the client is gone."""
        loop = asyncio.get_running_loop()
        while not self.dropped:
            while self._waiting:
                self._sending_since = loop.time()
                text = self._waiting.popleft()
                self._size -= len(text)
                await self._transport.send(text)
                self._sending_since = None
            if self._closing is not None:
                self._sending_since = loop.time()
                await self._transport.close(*self._closing)
                self._sending_since = None
                return
            self._wake.clear()
            await self._wake.wait()
