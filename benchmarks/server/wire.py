"""A WebSocket with as little code as possible around the bytes."""

import asyncio
from collections.abc import Callable

Heard = Callable[["Line", bytes], None]


class Line(asyncio.Protocol):
    """One connection. `place` says whose it is at its table."""

    def __init__(self, place: int, path: str, port: int, heard: Heard) -> None:
        self.place = place
        self.open: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.ending = False
        self._head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
        self._heard = heard
        self._buffer = b""

    @classmethod
    async def connect(cls, place: int, path: str, port: int, heard: Heard) -> "Line":
        loop = asyncio.get_running_loop()
        _, line = await loop.create_connection(lambda: cls(place, path, port, heard), "127.0.0.1", port)
        await line.open
        return line

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport: asyncio.Transport = transport  # type: ignore[assignment]
        upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
        self._transport.write(f"{self._head}{upgrade}Sec-WebSocket-Version: 13\r\n\r\n".encode())

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self.open.done():
            head, end, rest = self._buffer.partition(b"\r\n\r\n")
            if not end:
                return
            assert head.startswith(b"HTTP/1.1 101"), head
            self._buffer = rest
            self.open.set_result(None)
        self._frames()

    def _frames(self) -> None:
        buffer, at = self._buffer, 0
        while len(buffer) - at >= 2:
            size, start = buffer[at + 1], at + 2
            if size == 126:
                size, start = int.from_bytes(buffer[at + 2 : at + 4], "big"), at + 4
            elif size == 127:
                size, start = int.from_bytes(buffer[at + 2 : at + 10], "big"), at + 10
            if len(buffer) < start + size:
                break
            self._frame(buffer[at], buffer[start : start + size])
            at = start + size
        self._buffer = buffer[at:]

    def _frame(self, head: int, payload: bytes) -> None:
        if head == 0x81:
            self._heard(self, payload)
        elif head == 0x89:
            self._transport.write(bytes([0x8A, 0x80 | len(payload)]) + bytes(4) + payload)
        elif head == 0x88:
            raise SystemExit(f"the server closed a connection: {payload!r}")

    def connection_lost(self, error: Exception | None) -> None:
        if not self.ending:
            raise SystemExit(f"a connection was lost: {error!r}")

    def say(self, text: str) -> None:
        data = text.encode()
        size = bytes([0x80 | len(data)]) if len(data) < 126 else bytes([0x80 | 126]) + len(data).to_bytes(2, "big")
        self._transport.write(b"\x81" + size + bytes(4) + data)  # a mask of zeros changes nothing

    def end(self) -> None:
        self.ending = True
        self._transport.abort()
