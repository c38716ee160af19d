"""Guard: around every HTTP request. Foreign pages are refused, rates are limited, and responses get our headers."""

from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ...engine.refusal import DeadwoodError, shortened
from ..origins import allowed_origin, client_address
from ..protocol.refusals import refuse
from ..settings import Settings
from . import requests
from .responses import refused

HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
}
ONLY_TLS = {"strict-transport-security": "max-age=31536000"}  # a year
_PREFLIGHT = {
    "access-control-allow-methods": "GET, POST, PUT, DELETE",
    "access-control-allow-headers": "authorization, content-type",
    "access-control-max-age": "600",
}
_READABLE = (b"access-control-expose-headers", b"retry-after")
RawHeader = tuple[bytes, bytes]


class Guard:
    """ASGI middleware."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings
        always = HEADERS | (ONLY_TLS if settings.url.startswith("https://") else {})
        self._headers = [(name.encode(), value.encode()) for name, value in always.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        started = False

        async def send_with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                message["headers"] = self._completed(scope, message["headers"])
            await send(message)

        try:
            await self._answer(scope, receive, send_with_headers)
        except Exception:
            if not started:  # Starlette would answer outside of this middleware, without our headers or a sentence
                language = requests.language_of(HTTPConnection(scope))
                await refused(refuse("server_failed"), language)(scope, receive, send_with_headers)
            raise

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            self._check(scope)
        except DeadwoodError as error:
            await refused(error, requests.language_of(HTTPConnection(scope)))(scope, receive, send)
            return
        if scope["method"] == "OPTIONS" and _origin(scope) is not None:
            await Response(status_code=204, headers=_PREFLIGHT)(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _completed(self, scope: Scope, headers: list[RawHeader]) -> list[RawHeader]:
        """Our headers as well, and those that let a page of an allowed origin read the answer."""
        present = {name for name, _ in headers}
        missing = [(name, value) for name, value in self._headers if name not in present]
        origin = _origin(scope)
        if origin is None or not allowed_origin(scope, self._settings):
            return [*headers, *missing]
        varies = b", ".join([*(value for name, value in headers if name == b"vary"), b"origin"])
        others = [(name, value) for name, value in headers if name != b"vary"]
        return [*others, *missing, (b"vary", varies), (b"access-control-allow-origin", origin), _READABLE]

    def _check(self, scope: Scope) -> None:
        origin = _origin(scope)
        if origin is not None and not allowed_origin(scope, self._settings):
            raise refuse("origin_foreign", origin=shortened(origin.decode("latin-1")))
        scope["app"].state.admission.request(client_address(scope))


def _origin(scope: Scope) -> bytes | None:
    """The origin of the page that sends a request, if browsers say it."""
    return next((value for name, value in scope["headers"] if name == b"origin"), None)
