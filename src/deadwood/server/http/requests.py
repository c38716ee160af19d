"""Reading HTTP requests: bodies of a bounded size, queries of known values, tokens."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator

from starlette.requests import HTTPConnection, Request

from ...engine.refusal import shortened
from ...narration import languages
from ..protocol.commands import MESSAGE_BYTES, AnyCommand, NewTable
from ..protocol.decoding import read_command, read_new_table
from ..protocol.refusals import refuse
from ..store.rows import Status

_SECONDS = 20  # for a body to arrive
_WHOLE = re.compile(r"[0-9]{1,18}")
_BEARER = re.compile(r"[Bb]earer +([0-9a-f]{64})")
STATUSES: tuple[Status, ...] = ("waiting", "running", "finished")


async def body(request: Request, most: int = MESSAGE_BYTES) -> bytes:
    """The body, unless it is too big; no more than that is ever read."""
    hall = request.app.state.hall
    reading: set[asyncio.Timeout] = hall.reading
    limit = asyncio.timeout(0 if hall.closing else _SECONDS)  # a server that ends does not wait for it
    reading.add(limit)
    try:
        async with limit:
            return b"".join([part async for part in _bounded(request, most)])
    except TimeoutError:
        raise refuse("message_unreadable", reason="It did not arrive in time.") from None
    finally:
        reading.discard(limit)


async def _bounded(request: Request, most: int) -> AsyncIterator[bytes]:
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > most:
            raise refuse("message_too_big", most=most)
        yield part


async def new_table(request: Request) -> NewTable:
    """The table that is to be made."""
    return read_new_table(await body(request))


async def command(request: Request) -> AnyCommand:
    """A command, as over the socket."""
    return read_command(await body(request))


def whole(request: Request, name: str, least: int, most: int, usual: int) -> int:
    """A whole number of the query."""
    text = request.query_params.get(name)
    if text is None:
        return usual
    if not _WHOLE.fullmatch(text) or not least <= int(text) <= most:
        raise refuse("query_wrong", name=name, value=shortened(text), expected=f"a whole number, {least} to {most}")
    return int(text)


def status(request: Request) -> Status:
    """The kind of tables that are wanted."""
    text = request.query_params.get("status", "waiting")
    for known in STATUSES:
        if text == known:
            return known
    raise refuse("query_wrong", name="status", value=shortened(text), expected=f"one of {', '.join(STATUSES)}")


def language(request: Request) -> str:
    """The language to be told in; one that there is not is refused where it was asked for by name."""
    text = request.query_params.get("language")
    if text is not None and text not in languages():
        expected = f"one of {', '.join(languages())}"
        raise refuse("query_wrong", name="language", value=shortened(text), expected=expected)
    return language_of(request)


def language_of(request: HTTPConnection) -> str:
    """What refusals are told in: the language of the query, else the first of Accept-Language that we have."""
    wishes = [request.query_params.get("language", ""), *_accepted(request.headers.get("accept-language", ""))]
    return next((wish for wish in wishes if wish in languages()), "en")


def _accepted(header: str) -> Iterator[str]:
    """Languages as they stand, which in all browsers is the order of preference; regions do not matter."""
    for part in header.split(","):
        yield part.partition(";")[0].strip().partition("-")[0].lower()


def tokens(request: Request) -> tuple[str, ...]:
    """The seat token of a request; a token never stands in an address."""
    header = request.headers.get("authorization")
    if header is None:
        return ()
    sent = _BEARER.fullmatch(header)
    if sent is None:
        raise refuse("token_unknown")
    return (sent[1],)
