"""The WebSocket side of a conversation."""

import asyncio
from collections import Counter
from typing import Any

from starlette.types import Receive, Scope, Send
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

from .connection import POLICY
from .conversation import Conversation
from .hall import Hall
from .origins import allowed_origin

ABORT = "deadwood.abort"  # in the extensions of a scope


class TableSocketProtocol(WebSocketsSansIOProtocol):
    """uvicorn's, but a line can be cut, a dead one is cut instead of closed with 1011, and bad UTF-8 is no event."""

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if hasattr(self, "scope"):
            self.scope["extensions"][ABORT] = self.transport.abort  # type: ignore[assignment]

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
        self._abort = scope["extensions"][ABORT]

    async def receive(self) -> str | bytes | None:
        message = await self._receive()
        if message["type"] == "websocket.disconnect":
            return None
        text: str | bytes | None = message.get("text")
        return message["bytes"] if text is None else text

    async def send(self, text: str) -> None:
        await self._send({"type": "websocket.send", "text": text})

    async def close(self, code: int, reason: str) -> None:
        await self._send({"type": "websocket.close", "code": code, "reason": reason})

    def abort(self) -> None:
        self._abort()


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
