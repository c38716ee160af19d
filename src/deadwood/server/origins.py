"""Where requests come from: whose pages may talk to this server, and from which address."""

import socket
from collections.abc import Iterator
from ipaddress import ip_address

from starlette.types import Scope

from .limits import limited_address
from .settings import Settings


def allowed_origin(scope: Scope, settings: Settings) -> bool:
    """Whether a request comes from one of our pages, or not from a page at all."""
    sent = [value for name, value in scope["headers"] if name == b"origin"]
    return not sent or (len(sent) == 1 and sent[0].decode("latin-1") in settings.origins)


def client_address(scope: Scope) -> str:
    """The address of a request, as limits count it; behind a proxy, the address that the proxy reports.

    What a proxy forwards is never from this machine, even if it says so: whoever reaches the proxy can say so.
    """
    client = scope.get("client")
    address = limited_address(client[0]) if client else ""
    return f"{address} by proxy" if is_loopback(address) and _is_forwarded(scope) else address


def _is_forwarded(scope: Scope) -> bool:
    return any(name == b"x-forwarded-for" for name, _ in scope["headers"])


def listens_everywhere(host: str) -> bool:
    """Whether a server that listens there can be reached under any address of this machine."""
    return host in ("0.0.0.0", "::", "")


def own_addresses(host: str) -> Iterator[str]:
    """The names under which people may reach a server that listens there."""
    if not listens_everywhere(host):
        yield host
    yield from ("localhost", "127.0.0.1")
    if listens_everywhere(host):
        yield socket.gethostname().lower()
        found = network_address()
        if found is not None:
            yield found


def best_address(host: str) -> str:
    """The address to tell others; a loopback address if this machine is on no network."""
    return (network_address() or "127.0.0.1") if listens_everywhere(host) else host


def network_address() -> str | None:
    """The machine's address in the local network. Connecting a datagram socket only picks a route; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # reserved for documentation, so nobody has it
        except OSError:
            return None
        found: str = probe.getsockname()[0]
        return None if is_loopback(found) else found


def is_loopback(name: str) -> bool:
    """Whether a name leads everybody to their own machine."""
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")


def origins(host: str, port: int) -> frozenset[str]:
    """The origins of our own pages when no public address is configured."""
    return frozenset(address(name, port) for name in own_addresses(host))


def address(name: str, port: int) -> str:
    """The address of a server as browsers write it: without the default port."""
    name = f"[{name}]" if ":" in name else name
    return f"http://{name}" if port == 80 else f"http://{name}:{port}"
