"""The web application: routes, headers, and errors as sentences."""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from math import ceil
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .. import __version__
from ..engine.refusal import DeadwoodError, Refused, shortened
from .connection_limits import Lines, lines_state
from .http import openapi, requests
from .http.api import hall_of
from .http.operations import OPERATIONS, Operation
from .http.pages import PAGES, page
from .metrics import Counters, exposition
from .origins import allowed_origin
from .protocol.refusals import http_status, problem, refuse
from .settings import Settings
from .socket.endpoint import TableSocket, client_address
from .store.rows import Store, StoreFailed
from .tables.hall import Hall
from .tables.services import Services
from .workers.thinking import Workers

log = logging.getLogger("deadwood.server")
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
}
_A_MOMENT = 5  # seconds
_HEADERS = [(name.encode(), value.encode()) for name, value in HEADERS.items()]


def make_app(settings: Settings, store: Store) -> Starlette:
    """The application on a store, which it closes when it ends."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[dict[str, Any]]:
        counters = Counters()
        thinker = Workers(settings.workers, settings.thinking, counters)
        services = Services(store, thinker, settings, counters=counters)
        app.state.hall = Hall(services)
        try:
            yield lines_state(Lines(settings.limits.connections))
        finally:
            await app.state.hall.close()
            await services.close()

    routes = [
        *_api_routes(),
        Route("/api/openapi.json", _openapi),
        Route("/livez", _live),
        Route("/readyz", _ready),
        Route("/metrics", _metrics),
        WebSocketRoute("/api/tables/{code}/socket", TableSocket()),
        *(Route(path, page) for path in PAGES),
    ]
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers={HTTPException: _no_such_page})
    app.add_middleware(Guard, settings=settings)
    return app


def _api_routes() -> list[Route]:
    """One route for every address, with all its methods."""
    by_path: dict[str, dict[str, Operation]] = {}
    for operation in OPERATIONS:
        by_path.setdefault(operation.path, {})[operation.method] = operation
    return [Route(path, _endpoint(methods), methods=list(methods)) for path, methods in by_path.items()]


def _endpoint(methods: dict[str, Operation]) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        operation = methods.get(request.method) or methods["GET"]  # HEAD is answered as GET is
        try:
            answered = await operation.handler(request)
        except ClientDisconnect:
            return Response(status_code=400)
        except DeadwoodError as error:
            return refused(error, requests.language_of(request))
        return answered if isinstance(answered, Response) else _json(answered, operation.status)

    return answer


def _json(value: object, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(msgspec.json.encode(value), status, headers, "application/json")


def refused(error: DeadwoodError, language: str) -> Response:
    """A refusal as a response."""
    status = http_status(error)
    headers: dict[str, str] = {}
    if isinstance(error, Refused) and status == 429:
        headers["retry-after"] = str(error.refusal.values.get("seconds", _A_MOMENT))
    if status == 413:
        headers["connection"] = "close"  # or we would have to read the rest, to find the next request after it
    return _json(problem(error, language), status, headers)


async def _no_such_page(request: Request, error: Exception) -> Response:
    """Starlette found no route."""
    assert isinstance(error, HTTPException)
    language = requests.language_of(request)
    if error.status_code == 405:
        response = refused(refuse("method_wrong", method=request.method), language)
        response.headers.update(error.headers or {})
        return response
    return refused(refuse("page_unknown"), language)


async def _openapi(_request: Request) -> Response:
    return Response(openapi.document(__version__), media_type="application/json")


async def _live(_request: Request) -> Response:
    return Response("ok\n", media_type="text/plain")


async def _ready(request: Request) -> Response:
    """Whether the database answers, and nothing is ending."""
    hall = hall_of(request)
    try:
        await hall.services.store.ping()
    except StoreFailed as error:
        log.warning("not ready: %s", error)
        return refused(error, requests.language_of(request))
    return Response("closing\n", 503) if hall.closing else Response("ok\n", media_type="text/plain")


async def _metrics(request: Request) -> Response:
    hall = hall_of(request)
    gauges = {
        "tables": len(hall.rooms),
        "connections": len(hall.connections()),
        "connections_stalled": len(hall.sending),
        "tasks": hall.services.tasks,
    }
    return Response(exposition(hall.services.counters, gauges), media_type="text/plain; version=0.0.4")


class Guard:
    """Around all HTTP: foreign pages are refused, haste is slowed down, and every response has our headers."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = {name for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *((name, value) for name, value in _HEADERS if name not in present),
                ]
            await send(message)

        problem = self._problem(scope)
        answer = self._app if problem is None else refused(problem, requests.language_of(HTTPConnection(scope)))
        await answer(scope, receive, send_with_headers)

    def _problem(self, scope: Scope) -> DeadwoodError | None:
        if not allowed_origin(scope, self._settings):
            origin = next(value for name, value in scope["headers"] if name == b"origin")
            return refuse("origin_foreign", origin=shortened(origin.decode("latin-1")))
        hall: Hall = scope["app"].state.hall
        wait = hall.address_buckets.take(client_address(scope))
        return refuse("too_many_requests", seconds=ceil(wait)) if wait else None
