"""Outgoing requests: one POST to a checked address. Redirects are not followed; only the head of the answer is read."""

import asyncio
import ssl
from collections.abc import Mapping
from functools import cache

import h11
from msgspec import Struct

from ..protocol.refusals import ServerRefused, refuse
from .targets import Resolve, Target, addresses_of

SECONDS = 10.0  # for the whole request
MOST_BYTES = 8 * 1024  # of an answer; its head is all we want
_MOST_ADDRESSES = 2  # to try, such as an IPv6 and an IPv4 address of one host
_LONGEST_WAIT = 3600.0  # seconds; we wait no longer, whatever retry-after says
_A_PART = 2048


class Reply(Struct, frozen=True):
    """The status of an answer, and how many seconds it asks to wait before the next attempt."""

    status: int
    wait: float | None = None

    @property
    def taken(self) -> bool:
        """Whether the notice has been accepted."""
        return 200 <= self.status < 300

    @property
    def gone(self) -> bool:
        """Whether the address will never take notices again."""
        return self.status in (404, 410)


class Outgoing:
    """Sends requests to addresses that people gave."""

    def __init__(self, resolve: Resolve, private: bool) -> None:
        self._resolve = resolve
        self._private = private

    async def check(self, target: Target) -> None:
        """Refuse a target that cannot be resolved, or that is in a private network."""
        await addresses_of(target, self._resolve, self._private)

    async def post(self, target: Target, headers: Mapping[str, str], body: bytes) -> Reply:
        """Send a request; a refusal says why nobody answered."""
        addresses = await addresses_of(target, self._resolve, self._private)
        try:
            async with asyncio.timeout(SECONDS):
                return await self._post(target, addresses[:_MOST_ADDRESSES], headers, body)
        except (OSError, TimeoutError, h11.ProtocolError):
            raise _unreachable(target) from None

    async def _post(self, target: Target, addresses: tuple[str, ...], headers: Mapping[str, str], body: bytes) -> Reply:
        reader, writer = await _connect(target, addresses)
        try:
            talk = h11.Connection(h11.CLIENT, max_incomplete_event_size=MOST_BYTES)
            usual = {"host": target.authority, "content-length": str(len(body)), "connection": "close"}
            named = [*{**usual, "user-agent": "Deadwood", **headers}.items()]
            writer.write(talk.send(h11.Request(method="POST", target=target.path, headers=named)) or b"")
            writer.write((talk.send(h11.Data(data=body)) or b"") + (talk.send(h11.EndOfMessage()) or b""))
            await writer.drain()
            return await _reply(talk, reader, target)
        finally:
            writer.transport.abort()


async def _connect(target: Target, addresses: tuple[str, ...]) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect to one of the checked addresses."""
    for address in addresses[:-1]:
        try:
            async with asyncio.timeout(SECONDS / 2):
                return await _connect_to(address, target)
        except (OSError, TimeoutError):
            continue
    return await _connect_to(addresses[-1], target)


async def _connect_to(address: str, target: Target) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect; with TLS, the certificate must match the host name, not the address."""
    if target.scheme == "http":
        return await asyncio.open_connection(address, target.port, limit=MOST_BYTES)
    return await asyncio.open_connection(
        address, target.port, limit=MOST_BYTES, ssl=_trust(), server_hostname=target.host
    )


@cache
def _trust() -> ssl.SSLContext:
    """The certificates that this machine trusts."""
    return ssl.create_default_context()


async def _reply(talk: h11.Connection, reader: asyncio.StreamReader, target: Target) -> Reply:
    """The head of the answer; its body is not read."""
    read = 0
    while read <= MOST_BYTES:
        event = talk.next_event()
        if event is h11.NEED_DATA:
            part = await reader.read(_A_PART)
            read += len(part)
            talk.receive_data(part)
        elif isinstance(event, h11.Response):
            return Reply(event.status_code, _wait(dict(event.headers).get(b"retry-after", b"")))
        elif not isinstance(event, h11.InformationalResponse):
            break
    raise _unreachable(target)


def _wait(header: bytes) -> float | None:
    text = header.strip()
    return min(float(text), _LONGEST_WAIT) if text.isdigit() and len(text) < 10 else None


def _unreachable(target: Target) -> ServerRefused:
    return refuse("notice_unreachable", host=target.host)
