"""Running the server: one process, its socket, its shutdown."""

import asyncio
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager, suppress

import uvicorn
from msgspec.structs import replace
from starlette.applications import Starlette

from ..interruption import hung_up_as_terminated, terminated_as_by_ctrl_c
from .app import close_politely, make_app
from .connection_limits import IDLE_SECONDS, PING_SECONDS, LimitedProtocol, connections_of
from .garbage import collect_garbage, set_garbage_aside
from .hooks import demand_hooks
from .networks import as_peers
from .origins import address, best_address, origins
from .protocol.commands import MESSAGE_BYTES
from .settings import Settings, SettingsWrong
from .socket.uvicorn_protocol import TableSocketProtocol
from .store.database import DatabaseStore
from .store.files import locked
from .warm_up import warm_up

_START, _END = 30.0, 10.0  # seconds: the longest a server in a thread may take
_LAST_PORT = 65_535
_SWITCH = 0.0005  # seconds the database thread waits for the loop's, several times per commit; the default is 0.005


class Server(uvicorn.Server):
    """uvicorn's server, but it tells clients when to reconnect before it cuts them off."""

    def __init__(self, config: uvicorn.Config, app: Starlette, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._app = app
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            warm_up()
            set_garbage_aside()
            self._collecting = asyncio.create_task(collect_garbage(connections_of(self.lifespan.state)), name="garbage")
            self._measuring = asyncio.create_task(self._app.state.loop_lag.watch(), name="loop lag")
            sys.setswitchinterval(_SWITCH)
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        close_politely(self._app)
        await asyncio.sleep(0.1)  # for the goodbyes to be sent
        await super().shutdown(sockets)


def serve(
    settings: Settings, announce: Callable[[str], None], started: Callable[[Server], None] = lambda _server: None
) -> None:
    """Serve until a signal comes, or until somebody stops the server."""
    with locked(settings.database), listen(settings.host, settings.port) as listening:
        settings = located(settings, listening)
        with metrics_sockets(settings) as own:
            serve_at([listening, *own], settings, announce, started)


def serve_at(
    sockets: Sequence[socket.socket],
    settings: Settings,
    announce: Callable[[str], None],
    started: Callable[[Server], None] = lambda _server: None,
) -> None:
    """Serve on a socket that other processes may share, and perhaps on one for the metrics of this one."""
    demand_hooks()
    loop_factory = uvicorn.Config("", log_config=None).get_loop_factory()
    with (
        suppress(KeyboardInterrupt),
        terminated_as_by_ctrl_c(),
        hung_up_as_terminated(),
        asyncio.Runner(loop_factory=loop_factory) as runner,
    ):
        runner.run(_serve(settings, sockets, announce, started))


@contextmanager
def served(settings: Settings) -> Iterator[str]:
    """Serve in a thread while this block runs; yields the address."""
    address, servers, ended = Future[str](), list[Server](), threading.Event()

    def started(server: Server) -> None:
        servers.append(server)
        if ended.is_set():  # by a signal, before there was a server to stop
            server.should_exit = True

    def work() -> None:
        try:
            serve(settings, address.set_result, started)
        except Exception as error:
            problem = error
        else:
            problem = SettingsWrong("The server ended before it could serve anything.")
        if not address.done():
            address.set_exception(problem)

    thread = threading.Thread(target=work, name="server")
    try:
        thread.start()
        yield address.result(_START)
    finally:
        ended.set()
        for server in servers:
            server.should_exit = True
        if thread.is_alive():
            thread.join(_END)


async def _serve(
    settings: Settings,
    sockets: Sequence[socket.socket],
    announce: Callable[[str], None],
    started: Callable[[Server], None],
) -> None:
    app = make_app(settings, await DatabaseStore.open(settings.database, settings.database_patience))
    config = uvicorn.Config(
        app,
        http=LimitedProtocol,
        ws=TableSocketProtocol,
        ws_max_size=MESSAGE_BYTES,
        ws_per_message_deflate=False,
        lifespan="on",
        access_log=False,
        log_config=None,
        server_header=False,
        forwarded_allow_ips=[*as_peers(settings.proxies)],
        timeout_keep_alive=IDLE_SECONDS,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
        timeout_graceful_shutdown=5,
        backlog=4096,
    )
    server = Server(config, app, lambda: announce(settings.url))
    started(server)
    await server.serve(sockets=list(sockets))


def listen(host: str, port: int) -> socket.socket:
    """A socket bound to an address that nobody else uses."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise SettingsWrong(f"The server cannot listen at {host}, port {port}: {error.strerror}.") from error
    return listening


@contextmanager
def metrics_sockets(settings: Settings, processes: int = 1) -> Iterator[list[socket.socket]]:
    """A socket for the metrics of each process, on consecutive ports; none if no port is given."""
    first = settings.metrics_port
    ports = range(0) if first is None else range(first, first + processes)
    if ports and ports[-1] > _LAST_PORT:
        raise SettingsWrong(
            f"The metrics of {processes} processes need the ports {first} to {ports[-1]}, and the last is {_LAST_PORT}."
        )
    if settings.port in ports:
        raise SettingsWrong(f"Port {settings.port} is for people; the metrics need {_span(ports)} for themselves.")
    with ExitStack() as opened:
        yield [opened.enter_context(listen(settings.metrics_host, port)) for port in ports]


def _span(ports: range) -> str:
    return f"port {ports[0]}" if len(ports) == 1 else f"the ports {ports[0]} to {ports[-1]}"


def located(settings: Settings, listening: socket.socket) -> Settings:
    """The settings with an address that people can use, if none was given."""
    port = listening.getsockname()[1]
    own = origins(settings.host, port)
    if settings.url:
        return replace(settings, port=port, origins=settings.origins | own)
    url = address(best_address(settings.host), port)
    return replace(settings, port=port, url=url, origins=settings.origins | own)
