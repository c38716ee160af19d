"""Connection: one client that listens to a table, with a bounded queue and a writer of its own; nobody waits for it."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Protocol

MOST_WAITING = 256  # messages; a reader that far behind is better off with a fresh snapshot
MOST_BYTES = 2**20  # of all of them together
POLICY = 1008
RESTART = 1012
TRY_LATER = 1013


class Transport(Protocol):
    """What carries messages: a WebSocket, or a simulated network."""

    async def receive(self) -> str | bytes | None:
        """The next message; None when the client is gone."""

    def send_at_once(self, text: bytes) -> bool:
        """Hand a message over if it need not wait; False if it must."""

    async def send(self, text: bytes) -> None:
        """Hand a message over; waits while the client does not read."""

    async def close(self, code: int, reason: str) -> None:
        """Say goodbye."""

    def abort(self) -> None:
        """Cut the line, whatever is still to be sent."""


class Connection:
    """The seats a client holds, the language it is told things in, and what it has still to be sent."""

    def __init__(
        self,
        transport: Transport,
        language: str,
        sending: "Sending | None" = None,
        count_drop: Callable[[], None] = lambda: None,
    ) -> None:
        self.language = language
        self.held: frozenset[int] = frozenset()
        self.left: frozenset[int] = frozenset()  # seats that it held; they give no rights, but answers to repeats
        self.dropped = False
        self._transport = transport
        self._count_drop = count_drop
        self._waiting: deque[bytes] = deque()
        self._size = 0  # of what waits
        self._wake = asyncio.Event()
        self._closing: tuple[int, str] | None = None
        self._sending: Sending = {} if sending is None else sending

    def say(self, text: bytes) -> None:
        """Send a message, or queue it if it cannot be sent at once; never waits."""
        if self._may_overtake and self._transport.send_at_once(text):
            return
        if len(self._waiting) >= MOST_WAITING or self._size >= MOST_BYTES:
            self.drop()
        elif not self.dropped:
            self._waiting.append(text)
            self._size += len(text)
            self._wake.set()

    @property
    def _may_overtake(self) -> bool:
        """Whether the writer, who sends in order, has nothing to send."""
        return not (self._waiting or self in self._sending or self._closing or self.dropped)

    def close(self, code: int, reason: str) -> None:
        """Close after all that is queued has been sent."""
        self._closing = (code, reason)
        self._wake.set()

    def drop(self) -> None:
        """Give up on a client that does not read."""
        if self.dropped:
            return
        self.dropped = True
        self._count_drop()
        self._waiting.clear()
        self._transport.abort()
        self._wake.set()

    async def write(self) -> None:
        """Send what is queued, until the client is gone."""
        try:
            while not self.dropped:
                await self._send_queue()
                if self._closing is not None:
                    self._sending[self] = asyncio.get_running_loop().time()
                    await self._transport.close(*self._closing)
                    return
                self._wake.clear()
                await self._wake.wait()
        finally:
            self._sending.pop(self, None)

    async def _send_queue(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            text = self._waiting.popleft()
            self._size -= len(text)
            self._sending[self] = loop.time()
            await self._transport.send(text)
            del self._sending[self]


Sending = dict[Connection, float]  # who is just being sent something, and since when
