"""What carries messages: a WebSocket, or in tests a simulated network."""

from typing import Protocol

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

_MOST_BYTES = 8 * 2**20  # of one message: a welcome may hold a whole table and 200 updates


class Socket(Protocol):
    """An open connection, which may end at any time."""

    async def send(self, text: str) -> None:
        """Send a message; raises OSError if the connection is dead."""

    async def receive(self) -> str | bytes | None:
        """The next message; None when the connection has ended."""

    def abort(self) -> None:
        """Close the connection at once, without waiting for the server."""


class WebSocket:
    """A real WebSocket."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection

    async def send(self, text: str) -> None:
        try:
            await self._connection.send(text)
        except ConnectionClosed as error:
            raise ConnectionError(str(error)) from error

    async def receive(self) -> str | bytes | None:
        try:
            return await self._connection.recv()
        except ConnectionClosed:
            return None

    def abort(self) -> None:
        self._connection.transport.abort()


async def open_websocket(url: str) -> WebSocket:
    """Connect; raises OSError if nothing answers, or not with a WebSocket.

    Our own heartbeat replaces the library's, which cannot tell whether the server is behind.
    """
    try:
        return WebSocket(await connect(url, compression=None, ping_interval=None, max_size=_MOST_BYTES))
    except WebSocketException as error:
        raise ConnectionError(str(error)) from error
