"""Guard: around every HTTP request. Foreign pages are refused, rates are limited, and responses get our headers."""

from starlette.requests import HTTPConnection
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
_HEADERS = [(name.encode(), value.encode()) for name, value in HEADERS.items()]


class Guard:
    """ASGI middleware."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        started = False

        async def send_with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                present = {name for name, _ in message["headers"]}
                missing = ((name, value) for name, value in _HEADERS if name not in present)
                message["headers"] = [*message["headers"], *missing]
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
        else:
            await self._app(scope, receive, send)

    def _check(self, scope: Scope) -> None:
        if not allowed_origin(scope, self._settings):
            origin = next(value for name, value in scope["headers"] if name == b"origin")
            raise refuse("origin_foreign", origin=shortened(origin.decode("latin-1")))
        scope["app"].state.admission.request(client_address(scope))
