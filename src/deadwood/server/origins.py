"""Where requests come from: whose pages may talk to this server, and from which address."""

import socket
from collections.abc import Iterator

from starlette.types import Scope

from .settings import Settings


def allowed_origin(scope: Scope, settings: Settings) -> bool:
    """Whether a request comes from one of our pages, or not from a page at all."""
    sent = [value for name, value in scope["headers"] if name == b"origin"]
    return not sent or (len(sent) == 1 and sent[0].decode("latin-1") in settings.origins)


def client_address(scope: Scope) -> str:
    """Where a request comes from; behind a proxy on this machine, what the proxy says."""
    client = scope.get("client")
    return client[0] if client else ""


def own_addresses(host: str) -> Iterator[str]:
    """The names under which people may reach a server that listens there."""
    if host not in ("0.0.0.0", "::", ""):
        yield host
    yield from ("localhost", "127.0.0.1")
    if host in ("0.0.0.0", "::", ""):
        yield socket.gethostname().lower()
        yield from _network_addresses()


def _network_addresses() -> Iterator[str]:
    """The machine's address in the local network. Connecting a datagram socket only picks a route; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # reserved for documentation, so nobody has it
            yield probe.getsockname()[0]
        except OSError:
            return


def origins(host: str, port: int) -> frozenset[str]:
    """The origins of our own pages when no public address is configured."""
    return frozenset(address(name, port) for name in own_addresses(host))


def address(name: str, port: int) -> str:
    """The address of a server as browsers write it: without the default port."""
    name = f"[{name}]" if ":" in name else name
    return f"http://{name}" if port == 80 else f"http://{name}:{port}"
