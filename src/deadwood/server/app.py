"""The web application: routes, and what lives as long as it does."""

import asyncio
import logging
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from starlette.applications import Starlette
from starlette.datastructures import State
from starlette.exceptions import HTTPException
from starlette.routing import WebSocketRoute

from .admission import Admission
from .connection_limits import OpenConnections, lifespan_state
from .database_size import DatabaseSize
from .http import routes
from .http.guard import Guard
from .http.metrics_port import MetricsPort
from .http.requests import Uploads
from .loop_lag import LoopLag
from .metrics import Counters
from .notices.courier import Courier
from .notices.outgoing import Outgoing
from .notices.sender import Sender
from .notices.targets import Resolver
from .settings import Settings
from .socket.connection import Stalled
from .socket.endpoint import TableSocket
from .steward import Steward
from .store.database import DatabaseStore
from .store.writer import Writer
from .tables.chores import keep_doing, survived
from .tables.hall import Hall
from .tables.heartbeat import Heartbeat
from .tables.services import Services
from .workers.workers import Workers

SWEEP = 1.0  # seconds
ENDING = 5.0  # seconds to store everything at shutdown
log = logging.getLogger("deadwood.server")
Task = asyncio.Task[None]


def make_app(settings: Settings, store: DatabaseStore) -> Starlette:
    """The application on a store, which it closes at shutdown."""
    socket = TableSocket()
    app = Starlette(
        routes=[*routes.routes(), WebSocketRoute("/api/tables/{code}/socket", socket), *routes.pages()],
        lifespan=partial(_lifespan, settings, store, socket.stalled),
        exception_handlers={HTTPException: routes.not_found},
    )
    app.router.redirect_slashes = False  # a redirect would go to whatever host the request names
    app.add_middleware(MetricsPort, port=settings.metrics_port)
    app.add_middleware(Guard, settings=settings)
    return app


@asynccontextmanager
async def _lifespan(
    settings: Settings, store: DatabaseStore, stalled: Stalled, app: Starlette
) -> AsyncIterator[dict[str, Any]]:
    counters = Counters()
    workers = Workers(settings.workers, settings.thinking, counters)
    writer = Writer(store, counters.committed)
    services = Services(store, writer.append, workers, settings, peers=store.peers(counters), counters=counters)
    resolver = Resolver()
    app.state.counters, app.state.workers, app.state.writer, app.state.stalled = counters, workers, writer, stalled
    app.state.sender = Sender(services, Outgoing(resolver, settings.private_notices))
    app.state.database_size = DatabaseSize(store)
    await app.state.database_size.measure()
    tasks = [
        *await _start(app.state, services),
        _task(app.state.database_size.live(counters), "database size"),
        _task(_warm_up(services, workers), "warm-up"),
    ]
    try:
        yield lifespan_state(OpenConnections(settings.limits.connections, settings.proxies))
    finally:
        close_politely(app)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await _store_the_rest(services, writer)
        await services.peers.close()
        workers.close()
        resolver.close()
        await store.close()


async def _start(state: State, services: Services) -> list[Task]:
    """Open the hall, and start what goes on in it by itself."""
    settings = services.settings
    hall = state.hall = Hall(services)
    admission = state.admission = Admission(settings.limits, services.monotonic)
    state.uploads, state.loop_lag = Uploads(), LoopLag()
    heartbeat = state.heartbeat = Heartbeat(services, hall)
    await heartbeat.start()
    steward = Steward(hall, admission)
    await steward.start()
    courier = Courier(services, hall, state.sender)
    return [
        _task(services.peers.live(hall.wake), "peers"),
        _task(heartbeat.live(), "heartbeat"),
        _task(steward.live(), "steward"),
        _task(_sweep(hall, admission, state.stalled), "sweeper"),
        *([_task(courier.live(), "courier")] if settings.notices else []),
    ]


def _task(work: Coroutine[Any, Any, None], name: str) -> Task:
    return asyncio.create_task(work, name=name)


async def _store_the_rest(services: Services, writer: Writer) -> None:
    """Store what is still waiting; a database that does not answer must not hold up the shutdown."""
    try:
        async with asyncio.timeout(ENDING):
            await services.close()
            await asyncio.gather(services.grapevine.close(), writer.close())
    except TimeoutError:
        log.warning("shutting down with unstored entries; none of them was acknowledged")


def close_politely(app: Starlette) -> None:
    """Tell clients when to reconnect, and stop waiting for uploads."""
    if hasattr(app.state, "hall"):
        app.state.hall.close()
        app.state.uploads.close()


async def _sweep(hall: Hall, admission: Admission, stalled: Stalled) -> None:
    """Clean up every second. Nothing here loops over all connections: there may be ten thousand of them."""
    counters = hall.services.counters
    drop_stalled = partial(stalled.drop, hall.services.settings.stalled)

    async def turn() -> None:
        for work in (drop_stalled, hall.put_to_sleep, hall.send_to_others, admission.forget):
            with survived(counters, "cleaning up"):
                work()

    await keep_doing(turn, SWEEP, counters, "the sweeper")


async def _warm_up(services: Services, workers: Workers) -> None:
    """Be ready to take over the bots of other processes, once there are any."""
    while services.peers.possible:
        await asyncio.sleep(SWEEP)
        if services.peers.others:
            with survived(services.counters, "the warm-up"):
                await workers.warm_up()
            return
