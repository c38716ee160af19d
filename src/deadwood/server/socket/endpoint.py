"""The WebSocket side of a conversation."""

import asyncio
from collections import Counter
from typing import Any

from starlette.types import Receive, Scope, Send
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request
from websockets.protocol import OPEN

from ..connection_limits import lines_of
from ..limits import Bucket, Rate
from ..origins import allowed_origin
from ..tables.hall import Hall
from .connection import POLICY
from .conversation import Conversation

_LINE = "deadwood.line"  # in the extensions of a scope
_SLICE = 4096  # bytes that are understood before we look whether they were too much
_FRAMES = Rate(20, 200)  # pings, pongs and fragments, which are no messages but cost as much
_MOST_FRAGMENTS = 128  # of one message
_MOST_MESSAGES = 1000  # that wait to be answered; reading pauses at the first, so all of them came in one piece
_MOST_UNREAD = 2**20  # bytes that a client who pings may leave unread
_LINGER = 10.0  # seconds for the last words to be read


class TableSocketProtocol(WebSocketsSansIOProtocol):
    """uvicorn's, but a line can be cut, a dead one is cut instead of closed with 1011, and bad UTF-8 is no event."""

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if hasattr(self, "scope"):
            self.scope["extensions"][_LINE] = self  # type: ignore[assignment]

    def send_at_once(self, text: bytes) -> bool:
        """Send a message past ASGI and its tasks, which cost more than all else; False if it would have to wait."""
        if self.conn.state is not OPEN or not self.writable.is_set() or self.transport.is_closing():
            return False
        self.conn.send_text(text)
        self.transport.write(b"".join(self.conn.data_to_send()))
        return True

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._frames_left = Bucket(_FRAMES, self.loop.time())
        self._end: asyncio.TimerHandle | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        lines_of(self.app_state).leave(self.transport)
        if self._end is not None:
            self._end.cancel()
        super().connection_lost(exc)

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        """Closing waits until all is read; one who never reads would stay for ever."""
        super().on_task_complete(task)
        if not self.disconnected:
            self._end = self.loop.call_later(_LINGER, self.transport.abort)

    def data_received(self, data: bytes) -> None:
        """Slice by slice, so that a flood is cut off at its beginning."""
        for start in range(0, len(data), _SLICE):
            if self.transport.is_closing():
                return
            super().data_received(data[start : start + _SLICE])
            if self.queue.qsize() > _MOST_MESSAGES:
                self.transport.abort()

    def handle_cont(self, event: Frame) -> None:
        if self._may_go_on() and self._few_fragments():
            super().handle_cont(event)

    def handle_ping(self) -> None:
        if self._may_go_on():
            super().handle_ping()
            if self.transport.get_write_buffer_size() > _MOST_UNREAD:
                self.transport.abort()

    def handle_pong(self, event: Frame) -> None:
        if self._may_go_on():
            super().handle_pong(event)

    def _may_go_on(self) -> bool:
        """Count a frame that is no message."""
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

    def keepalive_timeout(self) -> None:
        self.transport.abort()

    def send_receive_event_to_app(self) -> None:
        if self.curr_msg_data_type == "text" and not _is_utf8(b"".join(self.frames)):
            self.conn.send_close(1007, "not UTF-8")
            self.handle_parser_exception()
            return
        super().send_receive_event_to_app()


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


class WebSocketTransport:
    """A transport over ASGI."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._receive = receive
        self._send = send
        self._line: TableSocketProtocol = scope["extensions"][_LINE]

    async def receive(self) -> str | bytes | None:
        message = await self._receive()
        if message["type"] == "websocket.disconnect":
            return None
        text: str | bytes | None = message.get("text")
        return message["bytes"] if text is None else text

    def send_at_once(self, text: bytes) -> bool:
        return self._line.send_at_once(text)

    async def send(self, text: bytes) -> None:
        await self._send({"type": "websocket.send", "text": text.decode()})

    async def close(self, code: int, reason: str) -> None:
        await self._send({"type": "websocket.close", "code": code, "reason": reason})

    def abort(self) -> None:
        self._line.transport.abort()


class TableSocket:
    """The endpoint: checks where a connection comes from, accepts it, and lets it talk."""

    def __init__(self) -> None:
        self._by_address: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        hall: Hall = scope["app"].state.hall
        address = client_address(scope)
        await receive()  # websocket.connect
        if not allowed_origin(scope, hall.services.settings) or hall.closing or not self._room_for(address, hall):
            await send({"type": "websocket.close", "code": POLICY})
            return
        self._by_address[address] += 1
        hall.services.counters.connections_made += 1
        try:
            await send({"type": "websocket.accept"})
            transport = WebSocketTransport(scope, receive, send)
            await Conversation(transport, hall, scope["path_params"]["code"], address).run()
        except (ClientDisconnected, asyncio.CancelledError):
            pass  # gone, or the server ends
        finally:
            self._leave(address)

    def _room_for(self, address: str, hall: Hall) -> bool:
        return self._by_address[address] < hall.services.settings.limits.connections

    def _leave(self, address: str) -> None:
        self._by_address[address] -= 1
        if not self._by_address[address]:
            del self._by_address[address]


def client_address(scope: dict[str, Any] | Scope) -> str:
    """Where a request comes from; behind a proxy on this machine, what the proxy says."""
    client = scope.get("client")
    return client[0] if client else ""
