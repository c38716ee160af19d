"""The routes: operations, health, metrics, and the pages of the client."""

import hmac
import logging
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import partial

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from ... import __version__
from ...engine.refusal import DeadwoodError
from ..connection_limits import connections_of
from ..loop_lag import LoopLag
from ..metrics import exposition
from ..origins import client_address, is_loopback
from ..protocol.refusals import StoreFailed, refusal_code, refuse
from ..settings import Settings
from . import openapi, requests
from .api import admission_of, hall_of
from .operations import OPERATIONS, Operation
from .pages import PAGES, page
from .responses import compressed, json_response, refused

log = logging.getLogger("deadwood.server")


def routes() -> list[BaseRoute]:
    """Everything but the pages."""
    return [
        *_operations(),
        Route("/api/openapi.json", _openapi),
        Route("/livez", _live),
        Route("/readyz", _ready),
        Route("/metrics", _metrics),
    ]


def pages() -> list[BaseRoute]:
    """The client."""
    return [Route(path, partial(page, module)) for path, module in PAGES.items()]


async def not_found(request: Request, error: Exception) -> Response:
    """Starlette found no route."""
    assert isinstance(error, HTTPException)
    language = requests.language_of(request)
    if error.status_code == 405:
        response = refused(refuse("method_wrong", method=request.method), language)
        response.headers.update(error.headers or {})
        return response
    return refused(refuse("page_unknown"), language)


def _operations() -> list[BaseRoute]:
    """One route for each address, with all its methods."""
    by_path: dict[str, dict[str, Operation]] = {}
    for operation in OPERATIONS:
        by_path.setdefault(operation.path, {})[operation.method] = operation
    return [Route(path, _endpoint(methods), methods=list(methods)) for path, methods in by_path.items()]


def _endpoint(methods: dict[str, Operation]) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        operation = methods.get(request.method) or methods["GET"]  # HEAD is answered as GET is
        try:
            with _lookup(request):
                answered = await operation.handler(request)
        except ClientDisconnect:
            return Response(status_code=400)
        except DeadwoodError as error:
            hall_of(request).services.counters.refusals.add(refusal_code(error))
            return refused(error, requests.language_of(request))
        response = answered if isinstance(answered, Response) else json_response(answered, operation.status)
        return compressed(response, request)

    return answer


def _lookup(request: Request) -> AbstractContextManager[object]:
    """The check around every operation on a table that the address names."""
    code = request.path_params.get("code")
    return nullcontext() if code is None else admission_of(request).lookup(client_address(request.scope), code)


async def _openapi(_request: Request) -> Response:
    return Response(openapi.document(__version__), media_type="application/json")


async def _live(_request: Request) -> Response:
    return Response("ok\n", media_type="text/plain")


async def _ready(request: Request) -> Response:
    """Whether the database can be written to and the server is not closing."""
    hall, heartbeat = hall_of(request), request.app.state.heartbeat
    try:
        await heartbeat.check()
    except StoreFailed as error:
        log.warning("not ready: %s", error)
        return refused(error, requests.language_of(request))
    if hall.services.peers.cut_off:  # send traffic to the other processes
        return Response("cut off from the other processes\n", 503, media_type="text/plain")
    return Response("closing\n", 503) if hall.closing else Response("ok\n", media_type="text/plain")


async def _metrics(request: Request) -> Response:
    hall = hall_of(request)
    services, state = hall.services, request.app.state
    if not _may_measure(request, services.settings):
        return refused(refuse("metrics_private"), requests.language_of(request))
    loop_lag: LoopLag = state.loop_lag
    gauges = {
        "loop_lag_seconds": round(loop_lag.lag, 4),
        "loop_stall_seconds": round(loop_lag.stall, 4),
        "tables": len(hall.rooms),
        "connections": sum(len(room.audience) for room in hall.rooms.values()),
        # sockets, HTTP requests, and connections that have sent nothing yet
        "connections_open": len(connections_of(request.scope["state"])),
        "connections_stalled": len(state.stalled),
        "tasks": services.tasks,
        "writer_queue": state.writer.waiting,
        "worker_queue": state.workers.waiting,
        "read_only": int(services.read_only),
        "bans": len(state.admission.banned),
        "peers": services.peers.others,
        "leases": services.peers.leases,
    }
    if state.database_size.bytes is not None:
        gauges["database_bytes"] = state.database_size.bytes
    with suppress(StoreFailed):
        gauges["outbox_queue"] = await services.store.outbox.size()
    totals = {"database_errors": services.store.failures}
    return Response(exposition(services.counters, totals, gauges), media_type="text/plain; version=0.0.4")


def _may_measure(request: Request, settings: Settings) -> bool:
    """Whether a client may read the metrics: this machine, or one with the token."""
    sent = request.headers.get("authorization", "").encode()
    by_token = bool(settings.metrics_token) and hmac.compare_digest(sent, f"Bearer {settings.metrics_token}".encode())
    return by_token or is_loopback(client_address(request.scope))
