"""The port of a single process, for operators.

The public port is shared, so a scrape there reaches an arbitrary process.
"""

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from ..protocol.refusals import refuse
from . import requests
from .responses import refused

ANSWERED = frozenset({"/livez", "/readyz", "/metrics"})


class MetricsPort:
    """ASGI middleware. On that port, there is nothing but health and metrics."""

    def __init__(self, app: ASGIApp, port: int | None) -> None:
        self._app = app
        self._port = port

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self._came_here(scope) or scope["path"] in ANSWERED:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await WebSocketClose()(scope, receive, send)
        else:
            await refused(refuse("page_unknown"), requests.language_of(HTTPConnection(scope)))(scope, receive, send)

    def _came_here(self, scope: Scope) -> bool:
        at = scope.get("server")
        return self._port is not None and at is not None and at[1] == self._port
