"""Targets: the addresses that notices may go to. People choose them, so none may lead into a private network."""

import asyncio
import re
import socket
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

from msgspec import Struct

from ..protocol.refusals import ServerRefused, refuse

LONGEST = 1000  # characters
RESOLVING = 5.0  # seconds
_LOOKING = 32  # names at once: the system may spend half a minute on one that never answers
_USUAL_PORTS = {"https": 443, "http": 80}
_LEAST_OTHER_PORT = 1024  # ports below it belong to services that have nothing to do with notices
_TEXT = re.compile(r"[!-~]+")  # no spaces, no control characters; a browser writes other letters in this way
_LABEL = "[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?"
_NAME = re.compile(rf"(?=.{{1,254}}\Z){_LABEL}(?:\.{_LABEL})*\.?")
# Networks whose addresses embed an IPv4 address, which a router may unpack, and networks no longer in use.
_HIDING = tuple(map(IPv6Network, ("::/96", "64:ff9b::/96", "64:ff9b:1::/48", "2001::/32", "2002::/16", "fec0::/10")))

Address = IPv4Address | IPv6Address
Resolve = Callable[[str, int], Awaitable[Iterable[str]]]


class Target(Struct, frozen=True):
    """An address, in its parts; `path` with the query."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def origin(self) -> str:
        """Scheme, host and port, as browsers write them."""
        return f"{self.scheme}://{self.authority}"

    @property
    def authority(self) -> str:
        """Host and port, as in a request."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _USUAL_PORTS[self.scheme] else f"{host}:{self.port}"


def parse_target(url: str, private: bool) -> Target:
    """The parts of a URL that notices may be sent to; without TLS only where `private` addresses are allowed."""
    if len(url) > LONGEST or not _TEXT.fullmatch(url) or "\\" in url:
        raise _wrong()
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise _wrong() from None
    if parts.scheme not in (_USUAL_PORTS if private else ("https",)) or "@" in parts.netloc or not _is_host(host):
        raise _wrong()
    port = _USUAL_PORTS[parts.scheme] if port is None else port
    if not private and port != _USUAL_PORTS[parts.scheme] and port < _LEAST_OTHER_PORT:
        raise _wrong()
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(parts.scheme, host, port, path)


def _wrong() -> ServerRefused:
    return refuse("notice_address_wrong", example="https://discord.com/api/webhooks/…")


def _is_host(host: str) -> bool:
    if ":" not in host:
        return _NAME.fullmatch(host) is not None
    return "%" not in host and _address(host) is not None


def _address(text: str) -> Address | None:
    try:
        return ip_address(text)
    except ValueError:
        return None


def is_public(address: str) -> bool:
    """Whether an address belongs to the public internet, however it is written."""
    found = _address(address)
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            found = found.ipv4_mapped
        elif found.scope_id is not None or any(found in network for network in _HIDING):
            return False
    return found is not None and found.is_global and not found.is_multicast and not found.is_reserved


class Resolver:
    """Looks names up in its own threads, so that one that never answers keeps nobody else waiting."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(_LOOKING, thread_name_prefix="resolver")

    async def __call__(self, host: str, port: int) -> Iterable[str]:
        look = (host, port, socket.AF_UNSPEC, socket.SOCK_STREAM)
        found = await asyncio.get_running_loop().run_in_executor(self._threads, socket.getaddrinfo, *look)
        return [str(address[0]) for *_, address in found]

    def close(self) -> None:
        """Stop, without waiting for lookups that are still running."""
        self._threads.shutdown(wait=False, cancel_futures=True)


async def addresses_of(target: Target, resolve: Resolve, private: bool) -> tuple[str, ...]:
    """All addresses of a target, resolved once. A single address that is not public is enough to refuse them all.

    Connect only to these: resolving the name again may give other addresses.
    """
    try:
        async with asyncio.timeout(RESOLVING):
            found = tuple(dict.fromkeys(await resolve(target.host, target.port)))
    except (OSError, UnicodeError, TimeoutError):
        found = ()
    if not found:
        raise refuse("notice_address_unknown", host=target.host)
    if not private and not all(map(is_public, found)):
        raise refuse("notice_address_private", host=target.host)
    return found
