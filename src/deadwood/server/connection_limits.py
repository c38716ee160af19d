"""Limits on open connections: how many an address may have, and how soon a request must arrive."""

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


class OpenConnections:
    """Open connections by the address at their other end."""

    def __init__(self, most: int, proxies: Iterable[str] = PROXIES) -> None:
        self.closed = 0
        self._most = most
        self._proxies = Networks(proxies)  # which speak for everybody, and count themselves
        self._addresses: dict[asyncio.BaseTransport, str] = {}
        self._count = Tally()

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


class LimitedProtocol(H11Protocol):
    """uvicorn's HTTP protocol, but connections are counted and a request must arrive in time."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._timer: asyncio.TimerHandle | None = None
        self._watched: object = None
        if connections_of(self.app_state).add(transport):
            self._watch(self.conn.their_state)
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        connections_of(self.app_state).remove(self.transport)
        self._watch(None)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.transport.get_protocol() is self:
            self._watch(self.conn.their_state)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._watch(None)
        super().handle_websocket_upgrade(event)

    def _watch(self, state: object) -> None:
        """Time each part of a request; more data of the same part does not extend it."""
        if state is self._watched:
            return
        if self._timer is not None:
            self._timer.cancel()
        self._watched = state
        wait = _SECONDS.get(state)
        self._timer = None if wait is None else self.loop.call_later(wait, self.transport.abort)
