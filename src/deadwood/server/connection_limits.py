"""Limits on open connections: how many an address may have, and how long requests and unread answers may take."""

import asyncio
from collections.abc import Iterable
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from .limits import PROXIES, Tally, limited_address
from .networks import Networks

_STATE = "deadwood.connections"
_SECONDS: dict[object, float] = {
    h11.IDLE: 10.0,
    h11.SEND_BODY: 30.0,
}  # for the head of a request to arrive, and for its body
HEAD_BYTES = 16 * 1024  # of a request before its body
MOST_CHUNKS = 1000  # of a body; each costs as much as a small request
_SLICE = 4096  # bytes parsed at a time: h11 accepts a head of any size if all of it comes in one piece
_BAD_REQUEST = (
    b"HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain\r\nconnection: close\r\n\r\n"
    b"The body came in more than 1000 chunks; send bigger ones, or Content-Length.\n"
)
IDLE_SECONDS = 5  # between two requests of a connection
PING_SECONDS = 20.0  # between two pings over a WebSocket, and for the answer to one
UNREAD_SECONDS = 30.0  # between two checks of a client that leaves an answer unread
_LEAST_READ = 16 * 1024  # bytes that it must have read by then; otherwise it is cut off


class OpenConnections:
    """Open connections by remote address."""

    def __init__(self, most: int, proxies: Iterable[str] = PROXIES) -> None:
        self.closed = 0
        self._most = most
        self._proxies = Networks(proxies)  # they speak for many clients, and do their own counting
        self._addresses: dict[asyncio.BaseTransport, str] = {}
        self._count = Tally()

    def __len__(self) -> int:
        return len(self._addresses)

    def add(self, transport: asyncio.BaseTransport) -> bool:
        """Count a connection; False if its address has too many."""
        peer = transport.get_extra_info("peername")
        address = limited_address(str(peer[0])) if peer else ""
        if self._count[address] >= self._most and address not in self._proxies:
            return False
        self._addresses[transport] = address
        self._count.add(address)
        return True

    def remove(self, transport: asyncio.BaseTransport) -> None:
        """Forget a connection, if it was counted."""
        address = self._addresses.pop(transport, None)
        if address is not None:
            self.closed += 1
            self._count.remove(address)


def lifespan_state(connections: OpenConnections) -> dict[str, Any]:
    """The lifespan's state, where protocols find the open connections."""
    return {_STATE: connections}


def connections_of(state: dict[str, Any]) -> OpenConnections:
    """The open connections of this server."""
    connections: OpenConnections = state[_STATE]
    return connections


class _CountingConnection(h11.Connection):
    """h11's connection, which also counts the chunks of a request's body so far."""

    chunks = 0

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        event = super().next_event()
        if isinstance(event, h11.Data):
            self.chunks += event.chunk_start
        elif isinstance(event, h11.Request):
            self.chunks = 0
        return event


class LimitedProtocol(H11Protocol):
    """uvicorn's HTTP protocol, but connections are counted, and nobody may send or read too slowly."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.conn: _CountingConnection = _CountingConnection(h11.SERVER, HEAD_BYTES)
        self._timer: asyncio.TimerHandle | None = None
        self._watched: object = None
        self._reading = UnreadAnswers(transport, self.loop)
        if connections_of(self.app_state).add(transport):
            self._watch(self.conn.their_state)
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        connections_of(self.app_state).remove(self.transport)
        self._stop_watching()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        for start in range(0, len(data), _SLICE):
            if self.transport.is_closing() or self.transport.get_protocol() is not self:
                return
            super().data_received(data[start : start + _SLICE])
            if self.conn.chunks > MOST_CHUNKS:
                self._refuse_chunks()
        if self.transport.get_protocol() is self:
            self._watch(self.conn.their_state)

    def _refuse_chunks(self) -> None:
        self._hang_up()
        if not self.cycle.response_started:
            self.transport.write(_BAD_REQUEST)
        self.transport.close()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP. If it came as a body, the answer may be under way already."""
        self._hang_up()
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        else:
            self.transport.close()

    def _hang_up(self) -> None:
        """Tell the application that its answer is no longer needed."""
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.cycle.message_event.set()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._stop_watching()  # the WebSocket protocol takes over from here
        super().handle_websocket_upgrade(event)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._reading.watch()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._reading.watch()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._reading.watch()

    def _stop_watching(self) -> None:
        self._watch(None)
        self._reading.stop()

    def _watch(self, state: object) -> None:
        """Start a timer for each part of a request; more data of the same part does not extend it."""
        if state is self._watched:
            return
        if self._timer is not None:
            self._timer.cancel()
        self._watched = state
        wait = _SECONDS.get(state)
        self._timer = None if wait is None else self.loop.call_later(wait, self.transport.abort)


class UnreadAnswers:
    """Cuts off a client that does not read. Closing would wait until everything is read, perhaps for ever."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._timer: asyncio.TimerHandle | None = None
        self._unread = 0

    def watch(self) -> None:
        """Something was sent; check later whether it was read."""
        self.stop()
        self._unread = self._transport.get_write_buffer_size()
        if self._unread:
            self._timer = self._loop.call_later(UNREAD_SECONDS, self._look)

    def stop(self) -> None:
        """Everything was read, or the connection is gone, or no longer ours."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        unread = self._transport.get_write_buffer_size()
        if unread and unread > self._unread - _LEAST_READ:
            self._transport.abort()
        else:
            self.watch()
