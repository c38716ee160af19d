"""Lines: connections before anybody knows what they want. They are counted, and must say it soon."""

import asyncio
from collections import Counter
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

_STATE = "deadwood.lines"
_PROXIES = ("127.0.0.1", "::1")  # what comes from our own machine may come from everybody
_SECONDS: dict[object, float] = {
    h11.IDLE: 10.0,
    h11.SEND_BODY: 30.0,
}  # for the head of a request to arrive, and for the rest


class Lines:
    """Open connections by the address at their other end."""

    def __init__(self, most: int) -> None:
        self.gone = 0
        self._most = most
        self._addresses: dict[asyncio.BaseTransport, str] = {}
        self._count: Counter[str] = Counter()

    def enter(self, line: asyncio.BaseTransport) -> bool:
        """Count a line; False if there are too many from its address."""
        peer = line.get_extra_info("peername")
        address = str(peer[0]) if peer else ""
        if self._count[address] >= self._most and address not in _PROXIES:
            return False
        self._addresses[line] = address
        self._count[address] += 1
        return True

    def leave(self, line: asyncio.BaseTransport) -> None:
        """Forget a line, if it was counted."""
        address = self._addresses.pop(line, None)
        if address is not None:
            self.gone += 1
            self._count[address] -= 1
            if not self._count[address]:
                del self._count[address]


def lines_state(lines: Lines) -> dict[str, Any]:
    """What protocols find their lines in: the state of the application's lifespan."""
    return {_STATE: lines}


def lines_of(state: dict[str, Any]) -> Lines:
    """The lines of this server."""
    lines: Lines = state[_STATE]
    return lines


class LineProtocol(H11Protocol):
    """uvicorn's, but lines are counted, and a request must arrive in time."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._timer: asyncio.TimerHandle | None = None
        self._watched: object = None
        if lines_of(self.app_state).enter(transport):
            self._watch(self.conn.their_state)
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        lines_of(self.app_state).leave(self.transport)
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
        """Give a new part of a request its time; more data of the same part gives it no more."""
        if state is self._watched:
            return
        if self._timer is not None:
            self._timer.cancel()
        self._watched = state
        wait = _SECONDS.get(state)
        self._timer = None if wait is None else self.loop.call_later(wait, self.transport.abort)
