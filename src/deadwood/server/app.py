"""The web application: routes, and what lives as long as it does."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
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
from .tables.hall import Hall
from .tables.heartbeat import Heartbeat
from .tables.services import Services
from .workers.workers import Workers

SWEEP = 1.0  # seconds
ENDING = 5.0  # seconds to store everything at shutdown
log = logging.getLogger("deadwood.server")


def make_app(settings: Settings, store: DatabaseStore) -> Starlette:
    """The application on a store, which it closes at shutdown."""
    socket = TableSocket()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[dict[str, Any]]:
        counters = app.state.counters = Counters()
        workers = Workers(settings.workers, settings.thinking, counters)
        writer = Writer(store, counters.committed)
        services = Services(store, writer.append, workers, settings, peers=store.peers(), counters=counters)
        app.state.hall, app.state.workers, app.state.writer = Hall(services), workers, writer
        app.state.admission = Admission(settings.limits, services.monotonic)
        app.state.uploads, app.state.stalled = Uploads(), socket.stalled
        resolver = Resolver()
        app.state.sender = Sender(services, Outgoing(resolver, settings.private_notices))
        app.state.heartbeat = heartbeat = Heartbeat(services, app.state.hall)
        await heartbeat.start()
        steward = Steward(app.state.hall, app.state.admission)
        await steward.start()
        app.state.database_size = database_size = DatabaseSize(store)
        await database_size.measure()
        courier = Courier(services, app.state.hall, app.state.sender)
        app.state.loop_lag = LoopLag()
        tasks = [
            asyncio.create_task(services.peers.live(app.state.hall.wake), name="peers"),
            asyncio.create_task(heartbeat.live(), name="heartbeat"),
            asyncio.create_task(steward.live(), name="steward"),
            asyncio.create_task(database_size.live(), name="database size"),
            asyncio.create_task(_sweep(app.state.hall, app.state.admission, socket.stalled), name="sweeper"),
            asyncio.create_task(_warm_up(services, workers), name="warm-up"),
            *([asyncio.create_task(courier.live(), name="courier")] if settings.notices else []),
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

    app = Starlette(
        routes=[*routes.routes(), WebSocketRoute("/api/tables/{code}/socket", socket), *routes.pages()],
        lifespan=lifespan,
        exception_handlers={HTTPException: routes.not_found},
    )
    app.router.redirect_slashes = False  # a redirect would go to whatever host the request names
    app.add_middleware(MetricsPort, port=settings.metrics_port)
    app.add_middleware(Guard, settings=settings)
    return app


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
    while True:
        await asyncio.sleep(SWEEP)
        stalled.drop(hall.services.settings.stalled)
        hall.put_to_sleep()
        hall.send_to_others()
        admission.forget()


async def _warm_up(services: Services, workers: Workers) -> None:
    """Be ready to take over the bots of other processes, once there are any."""
    while services.peers.possible:
        await asyncio.sleep(SWEEP)
        if services.peers.others:
            await workers.warm_up()
            return
