"""Guard: wraps every HTTP request. It refuses foreign pages, limits rates, and adds our headers to responses."""

import logging
from functools import cache
from time import perf_counter

from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ...engine.refusal import DeadwoodError, shortened
from ..metrics import Counters
from ..origins import allowed_origin, client_address
from ..protocol.refusals import refusal_code, refuse
from ..request_ids import new_request
from ..settings import Settings
from . import requests
from .operations import OPERATIONS
from .pages import MODULES
from .responses import refused

log = logging.getLogger("deadwood.requests")
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
URL_BYTES = 2048  # of a path with its query; parsing thousands of fields would hold up everybody else
_MOST_WORDS = 8  # of a path without a route, in the log
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

        begun, status, id = perf_counter(), 0, new_request()

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                completed = self._completed(scope, message["headers"])
                message["headers"] = [*completed, (b"x-request-id", id.encode())]
                self._measure(scope, status, perf_counter() - begun)
            await send(message)

        try:
            await self._answer(scope, receive, send_with_headers)
        except Exception:
            if not status:  # otherwise Starlette answers outside this middleware, without our headers or a sentence
                language = requests.language_of(HTTPConnection(scope))
                await refused(refuse("server_failed"), language)(scope, receive, send_with_headers)
            raise

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            _demand_short_url(scope)
            self._check(scope)
        except DeadwoodError as error:
            _counters(scope).refusals.add(refusal_code(error))
            await refused(error, requests.language_of(HTTPConnection(scope)))(scope, receive, send)
            return
        if scope["method"] == "OPTIONS" and _origin(scope) is not None:
            await Response(status_code=204, headers=_PREFLIGHT)(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _measure(self, scope: Scope, status: int, seconds: float) -> None:
        _counters(scope).request_seconds.observe(seconds)
        if self._settings.log_requests:
            log.info(
                "request",
                extra={"method": scope["method"], "path": _path(scope), "status": status, "seconds": round(seconds, 4)},
            )

    def _completed(self, scope: Scope, headers: list[RawHeader]) -> list[RawHeader]:
        """Add our headers, and those that let a page of an allowed origin read the answer."""
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


def _demand_short_url(scope: Scope) -> None:
    """Refuse a URL that is too long. Its query is not parsed, not even for the language of the refusal."""
    size = len(scope.get("raw_path") or scope["path"].encode()) + len(scope["query_string"])
    if size > URL_BYTES:
        scope["query_string"] = b""
        raise refuse("url_too_long", most=URL_BYTES, size=size)


def _counters(scope: Scope) -> Counters:
    counters: Counters = scope["app"].state.counters
    return counters


def _path(scope: Scope) -> str:
    """The path for the log, without codes and names: anybody who knows the code of a table can watch it."""
    path: str = scope["path"]
    if "endpoint" not in scope:  # no route matched, so any part may be a code, and of any length
        return "/".join(word if word in _words() else "…" for word in path.split("/", _MOST_WORDS)[:_MOST_WORDS])
    for name, value in scope.get("path_params", {}).items():
        path = path.replace(f"/{value}", f"/{{{name}}}", 1)
    return path


@cache
def _words() -> frozenset[str]:
    """The fixed parts of our paths."""
    paths = (*(operation.path for operation in OPERATIONS), *MODULES)
    return frozenset(word for path in paths for word in path.split("/") if "{" not in word)


def _origin(scope: Scope) -> bytes | None:
    """The origin of the page that sends a request, if the browser says so."""
    return next((value for name, value in scope["headers"] if name == b"origin"), None)
