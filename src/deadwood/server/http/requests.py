"""Reading HTTP requests: bodies of a bounded size, query parameters of known values, tokens."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager
from typing import get_args

from starlette.requests import HTTPConnection, Request

from ...engine.deck import BUILT_IN_DECKS
from ...engine.loading import FILE_BYTES
from ...engine.refusal import Refusal, shortened
from ...narration import languages
from ..protocol.commands import (
    BUNDLE_BYTES,
    KIT_BYTES,
    KNOWN_BYTES,
    MESSAGE_BYTES,
    AnyCommand,
    KitFiles,
    KnownTables,
    NewBundle,
    NewTable,
)
from ..protocol.decoding import (
    decode_bundle,
    decode_command,
    decode_kit_files,
    decode_known,
    decode_lesson_choice,
    decode_new_table,
)
from ..protocol.lessons import LessonChoice
from ..protocol.refusals import ServerRefused, refuse
from ..protocol.views import Status

_SECONDS = 20  # for a body to arrive
_QUALITY = re.compile(r"q=([01](?:\.[0-9]{0,3})?)")
_LEAST = 0.0001  # below every quality that can be written: `identity` is always acceptable
_MOST_ITEMS = 10  # of a list in a header that are read; browsers send fewer
_WHOLE = re.compile(r"[0-9]{1,18}")
_BEARER = re.compile(r"[Bb]earer +([0-9a-f]{64})")
FILE_KINDS = ("application/toml", "text/plain")
STATUSES: tuple[Status, ...] = get_args(Status)


class Uploads:
    """Request bodies that are still arriving. A server that shuts down does not wait for them."""

    def __init__(self) -> None:
        self._timeouts: set[asyncio.Timeout] = set()
        self._closing = False

    @asynccontextmanager
    async def limit(self) -> AsyncIterator[None]:
        """Limit the time for a body; a TimeoutError ends it."""
        timeout = asyncio.timeout(0 if self._closing else _SECONDS)
        self._timeouts.add(timeout)
        try:
            async with timeout:
                yield
        finally:
            self._timeouts.discard(timeout)

    def close(self) -> None:
        """End all of them now."""
        self._closing = True
        now = asyncio.get_running_loop().time()
        for timeout in self._timeouts:
            if not timeout.expired():
                timeout.reschedule(now)


async def body(request: Request, most: int = MESSAGE_BYTES) -> bytes:
    """The body, unless it is too big; no more than that is ever read."""
    return await _read(request, most, refuse("message_too_big", most=most))


async def upload(request: Request, most: int, file: int = FILE_BYTES) -> bytes:
    """A body that holds files, unless it is too big; a refusal names the largest size of a file."""
    return await _read(request, most, refuse("file_too_big", most=file))


async def _read(request: Request, most: int, too_big: ServerRefused) -> bytes:
    uploads: Uploads = request.app.state.uploads
    try:
        async with uploads.limit():
            return b"".join([part async for part in _bounded(request, most, too_big)])
    except TimeoutError:
        raise refuse("message_invalid", reason=Refusal("", "body_late")) from None


async def _bounded(request: Request, most: int, too_big: ServerRefused) -> AsyncIterator[bytes]:
    """The body in parts, up to a limit. Starlette has one, too, but it answers in plain text, not with a refusal."""
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > most:
            raise too_big
        yield part


async def file_text(request: Request) -> str:
    """The text of a deck or a board."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in FILE_KINDS:
        raise refuse("file_kind_wrong", kind=shortened(kind), choices=FILE_KINDS)
    try:
        return (await upload(request, FILE_BYTES)).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise refuse("file_not_text") from error


async def kit_files(request: Request) -> KitFiles:
    """A deck and a board to print."""
    return decode_kit_files(await upload(request, KIT_BYTES))


async def new_table(request: Request) -> NewTable:
    """The table to open."""
    return decode_new_table(await body(request))


async def my_tables(request: Request) -> KnownTables:
    """The tables that a browser remembers."""
    return decode_known(await body(request, KNOWN_BYTES))


async def new_bundle(request: Request) -> NewBundle:
    """What a personal key carries from now on."""
    return decode_bundle(await body(request, BUNDLE_BYTES))


async def lesson_choice(request: Request, steps: int) -> LessonChoice:
    """A decision at one of the steps of a lesson."""
    choice = decode_lesson_choice(await body(request))
    if choice.step >= steps:
        raise _not_whole("step", str(choice.step), 0, steps - 1)
    return choice


async def command(request: Request) -> AnyCommand:
    """A command, as over the socket."""
    return decode_command(await body(request))


def whole(request: Request, name: str, least: int, most: int, default: int) -> int:
    """A whole number from the query."""
    text = request.query_params.get(name)
    if text is None:
        return default
    if not _WHOLE.fullmatch(text) or not least <= int(text) <= most:
        raise _not_whole(name, text, least, most)
    return int(text)


def status(request: Request) -> Status:
    """The status of the tables to list."""
    text = request.query_params.get("status", "waiting")
    for known in STATUSES:
        if text == known:
            return known
    raise _invalid("status", text, Refusal("", "one_of", {"choices": STATUSES}))


def deck(request: Request) -> str:
    """The name of a built-in deck."""
    text = request.query_params.get("deck", BUILT_IN_DECKS[0])
    if text not in BUILT_IN_DECKS:
        raise _invalid("deck", text, Refusal("", "one_of", {"choices": BUILT_IN_DECKS}))
    return text


def language(request: Request) -> str:
    """The language to answer in; an unsupported one in the query is refused."""
    text = request.query_params.get("language")
    if text is not None and text not in languages():
        raise _invalid("language", text, Refusal("", "one_of", {"choices": languages()}))
    return language_of(request)


def _not_whole(name: str, text: str, least: int, most: int) -> ServerRefused:
    return _invalid(name, text, Refusal("", "whole_number", {"least": least, "most": most}))


def _invalid(name: str, text: str, expected: Refusal) -> ServerRefused:
    return refuse("query_invalid", name=name, value=shortened(text), expected=expected)


def language_of(request: HTTPConnection) -> str:
    """The language of refusals: that of the query, otherwise the first supported one in Accept-Language."""
    wanted = [request.query_params.get("language", ""), *_accepted(request.headers.get("accept-language", ""))]
    return next((one for one in wanted if one in languages()), "en")


def _accepted(header: str) -> Iterator[str]:
    """Languages in the order of the header, which in all browsers is the order of preference; regions are ignored."""
    for part in _items(header):
        yield part.partition(";")[0].strip().partition("-")[0].lower()


def best_encoding(request: Request, offered: Iterable[str]) -> str:
    """The offered encoding that Accept-Encoding prefers (RFC 9110, section 12.5.3); among equals, the first."""
    header = ",".join(request.headers.getlist("accept-encoding"))
    accepted = dict(map(_encoding, _items(header.lower())))
    qualities = {encoding: accepted.get(encoding, accepted.get("*", 0.0)) for encoding in offered}
    qualities["identity"] = max(qualities["identity"], _LEAST)
    return max(qualities, key=qualities.__getitem__)


def _items(header: str) -> list[str]:
    """The first items of a list; one with thousands would hold up everybody else."""
    return header.split(",", _MOST_ITEMS)[:_MOST_ITEMS]


def _encoding(part: str) -> tuple[str, float]:
    """An encoding and its quality; an invalid quality means not accepted."""
    encoding, separator, parameter = part.partition(";")
    quality = _QUALITY.fullmatch(parameter.strip())
    return encoding.strip(), float(quality[1]) if quality else float(not separator)


def tokens(request: Request) -> tuple[str, ...]:
    """The token of a request, if it has one; a token is never part of an address."""
    header = request.headers.get("authorization")
    if header is None:
        return ()
    sent = _BEARER.fullmatch(header)
    if sent is None:
        raise refuse("token_unknown")
    return (sent[1],)
