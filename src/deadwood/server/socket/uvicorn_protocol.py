"""uvicorn's WebSocket protocol, with the limits of a public server.

It overrides methods of uvicorn's sans-IO protocol that are not public, so pyproject.toml bounds uvicorn from above.
"""

import asyncio
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request
from websockets.protocol import OPEN

from ..connection_limits import connections_of
from ..limits import Bucket, Rate
from .connection import POLICY
from .mailbox import Mailbox

EXTENSION = "deadwood.protocol"  # where a scope's extensions hold the protocol
_SLICE = 4096  # bytes parsed between two checks of the limits
_FRAMES = Rate(20, 200)  # pings, pongs and fragments; they are not messages but cost as much
_MOST_FRAGMENTS = 128  # of one message
_MOST_BEFORE_PAUSE = 1  # message waiting for an answer; uvicorn pauses for each, which costs more than parsing it
_MOST_MESSAGES = 1000  # waiting for an answer; reading has paused by then, so all of them came in one piece
_MOST_UNREAD = 2**20  # bytes that a client that sends pings may leave unread
_MOST_UNSENT = 16  # frames that wait for the end of the event loop's turn; with more, the client may have to wait
_HANDSHAKE = 10.0  # seconds until a connection is accepted or refused
_LINGER = 10.0  # seconds for the client to read the last message
_BAD_REQUEST = b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


class TableSocketProtocol(WebSocketsSansIOProtocol):
    """Dead connections are aborted instead of closed with 1011, and invalid UTF-8 never reaches the app."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.queue = Mailbox(self.loop)  # type: ignore[assignment]
        self._unsent: list[bytes] = []
        self._heard = False  # a whole message from the client, since the last ping was due

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if hasattr(self, "scope"):
            self.scope["extensions"][EXTENSION] = self  # type: ignore[assignment]

    def send_now(self, text: bytes) -> bool:
        """Send a message without ASGI, whose tasks cost more than everything else; False if it would have to wait.

        The frame is built here, too: nothing is compressed, and no message is sent in fragments. Frames leave together
        at the end of this turn of the event loop: whoever acts gets an answer and an update, in one packet.
        """
        if self.conn.state is not OPEN or not self.writable.is_set() or self.transport.is_closing():
            return False
        if not self._unsent:
            self.loop.call_soon(self.flush)
        self._unsent.append(text_frame(text))
        if len(self._unsent) >= _MOST_UNSENT:
            self.flush()
        return True

    def flush(self) -> None:
        """Write the frames that wait for the end of the event loop's turn."""
        unsent, self._unsent = self._unsent, []
        if unsent and not self.transport.is_closing():
            self.transport.write(b"".join(unsent))

    def shutdown(self) -> None:
        self.flush()  # before the frame that says goodbye
        super().shutdown()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._frames_left = Bucket(_FRAMES, self.loop.time())
        self._end = self.loop.call_later(_HANDSHAKE, transport.abort)  # type: ignore[attr-defined]

    def start_keepalive(self) -> None:
        """The connection is accepted; from now on pings check that the client is there."""
        self._end.cancel()
        super().start_keepalive()
        self._forget_handshake()

    def _forget_handshake(self) -> None:
        """Drop the headers: nobody reads them again, and ten thousand connections would keep them for hours."""
        del self.request, self.response
        self.scope["headers"] = []

    def connection_lost(self, exc: Exception | None) -> None:
        connections_of(self.app_state).remove(self.transport)
        self._end.cancel()
        super().connection_lost(exc)
        self._untie()

    def _untie(self) -> None:
        """Leave no reference cycle: collecting it would hold up everybody."""
        if hasattr(self, "scope"):
            self.scope["extensions"].pop(EXTENSION, None)
        self.conn.parser.close()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        """Closing waits until the client has read everything, so set a deadline: some never read."""
        super().on_task_complete(task)
        if not self.disconnected:
            self._end.cancel()
            self._end = self.loop.call_later(_LINGER, self.transport.abort)

    def data_received(self, data: bytes) -> None:
        """Parse slice by slice, so that a flood is cut off early."""
        self.flush()  # what comes in may end the connection
        for start in range(0, len(data), _SLICE):
            if self.transport.is_closing():
                return
            super().data_received(data[start : start + _SLICE])
            if self.conn.handshake_exc is not None:
                self._refuse_handshake()
            elif self.queue.qsize() > _MOST_MESSAGES:
                self.transport.abort()

    def eof_received(self) -> None:
        self.flush()  # the transport closes now
        super().eof_received()

    def _refuse_handshake(self) -> None:
        """The parser has given up, and uvicorn would leave the connection open for ever. It usually has an answer."""
        if not self.transport.is_closing():
            self.transport.write(b"".join(self.conn.data_to_send()) or _BAD_REQUEST)
            self.transport.close()

    def handle_cont(self, event: Frame) -> None:
        if self._within_limits() and self._few_fragments():
            super().handle_cont(event)

    def handle_ping(self) -> None:
        if self._within_limits():
            super().handle_ping()
            if self.transport.get_write_buffer_size() > _MOST_UNREAD:
                self.transport.abort()

    def handle_pong(self, event: Frame) -> None:
        if self._within_limits():
            super().handle_pong(event)

    def _within_limits(self) -> bool:
        """Count a frame that is not a message."""
        if self.transport.is_closing():
            return False
        if self._frames_left.take(self.loop.time()):
            self._send_away("too many frames")
        return not self.transport.is_closing()

    def _few_fragments(self) -> bool:
        if len(self.frames) >= _MOST_FRAGMENTS:
            self._send_away("too many fragments")
        return not self.transport.is_closing()

    def _send_away(self, reason: str) -> None:
        if self.close_sent or self.conn.state is not OPEN:
            self.transport.abort()
        else:
            self.conn.send_close(POLICY, reason)
            self.handle_parser_exception()

    def send_keepalive_ping(self) -> None:
        """Ping a silent client; one that has just sent a message needs no ping."""
        if self._heard:
            self._heard = False
            self.schedule_ping()
        else:
            super().send_keepalive_ping()

    def keepalive_timeout(self) -> None:
        self.transport.abort()

    def send_receive_event_to_app(self) -> None:
        if self.close_sent or self.transport.is_closing():  # a packet may hold more data after the end
            self.frames = []
            return
        self._heard = True
        data, self.frames = b"".join(self.frames), []
        try:
            text = data.decode() if self.curr_msg_data_type == "text" else None
        except UnicodeDecodeError:
            self.conn.send_close(1007, "not UTF-8")
            self.handle_parser_exception()
            return
        if text is None:
            self.queue.put_nowait({"type": "websocket.receive", "bytes": data})
        else:
            self.queue.put_nowait({"type": "websocket.receive", "text": text})
        if self.queue.qsize() > _MOST_BEFORE_PAUSE and not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()


def text_frame(text: bytes) -> bytes:
    """A message of a server as it is on the wire (RFC 6455, 5.2)."""
    size = len(text)
    if size < 126:
        return b"\x81" + size.to_bytes(1, "big") + text
    if size < 2**16:
        return b"\x81\x7e" + size.to_bytes(2, "big") + text
    return b"\x81\x7f" + size.to_bytes(8, "big") + text
