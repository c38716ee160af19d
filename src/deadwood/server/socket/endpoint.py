"""The WebSocket endpoint of a table."""

import asyncio

from starlette.types import Receive, Scope, Send
from uvicorn.protocols.utils import ClientDisconnected

from ..limits import Tally
from ..origins import allowed_origin, client_address
from ..request_ids import new_request
from ..tables.hall import Hall
from .connection import POLICY, Stalled
from .conversation import Conversation
from .uvicorn_protocol import EXTENSION, TableSocketProtocol


class WebSocketTransport:
    """A transport over ASGI."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._receive = receive
        self._send = send
        self._protocol: TableSocketProtocol = scope["extensions"][EXTENSION]
        self.send_now = self._protocol.send_now
        self.flush = self._protocol.flush

    async def receive(self) -> str | bytes | None:
        message = await self._receive()
        if message["type"] == "websocket.disconnect":
            return None
        text: str | bytes | None = message.get("text")
        return message["bytes"] if text is None else text

    def ready(self) -> bool:
        return not self._protocol.queue.empty()

    async def send(self, text: bytes) -> None:
        self._demand_open()
        self.flush()
        await self._send({"type": "websocket.send", "text": text.decode()})

    async def close(self, code: int, reason: str) -> None:
        self._demand_open()
        self.flush()
        await self._send({"type": "websocket.close", "code": code, "reason": reason})

    def _demand_open(self) -> None:
        """The protocol may have closed the connection because of a bad frame; then uvicorn accepts no message."""
        if self._protocol.close_sent or self._protocol.transport.is_closing():
            raise ClientDisconnected

    def abort(self) -> None:
        self._protocol.transport.abort()


class TableSocket:
    """The endpoint: checks where a connection comes from, accepts it, and starts the conversation."""

    def __init__(self) -> None:
        self._by_address = Tally()
        self.stalled = Stalled()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        state = scope["app"].state
        hall: Hall = state.hall
        address = client_address(scope)
        await receive()  # websocket.connect
        busy = hall.closing or hall.services.peers.cut_off or not self._room_for(address, hall)
        if not allowed_origin(scope, hall.services.settings) or busy:
            await send({"type": "websocket.close", "code": POLICY})
            return
        self._by_address.add(address)
        hall.services.counters.connections_made += 1
        try:
            await send({"type": "websocket.accept", "headers": [(b"x-request-id", new_request().encode())]})
            transport = WebSocketTransport(scope, receive, send)
            code = scope["path_params"]["code"]
            conversation = Conversation(transport, hall, state.admission, self.stalled, code, address)
            try:
                await asyncio.create_task(conversation.run())  # its messages need not pass through all middleware
            finally:
                transport.flush()
        except (ClientDisconnected, asyncio.CancelledError):
            pass  # the client is gone, or the server is shutting down
        finally:
            self._by_address.remove(address)

    def _room_for(self, address: str, hall: Hall) -> bool:
        return self._by_address[address] < hall.services.settings.limits.connections
