"""A whole game as text that people can read and programs can replay: `*.deadwood`."""

import re
from collections.abc import Iterator
from typing import NoReturn

import msgspec
from msgspec import Struct

from .actions import Action
from .notation import format_action, parse_action
from .options import PLAYERS, RANDOM, Options
from .refusal import RecordError, Refusal, Refused, shortened
from .seats import RESERVED_NAME, Seat, check_bot_name

FIRST_LINE = "deadwood record 1"
LIST = "; "
_HEADERS = ("players", "seats", "options", "first", "drawn", "commitment", "salts", "seed")
_NEEDED = ("players", "options", "first")
_OPTIONS = ("deck", "layout", "ties", "bonus", "days", "dice")
_DRAWN = (("first",), ("layout",), ("first", "layout"))
_RESULT = RESERVED_NAME
CALLED_OFF = "called off"  # instead of a result
_ATTACHED = re.compile(r"attached (deck|board):\s*")  # no action follows, so this is never a player's line
_MARGIN = "|"
_BYTE_ORDER_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"
_WHOLE = re.compile(r"[0-9]{1,9}")
_HEX = re.compile(r"[0-9a-f]{64}")
_CORRECTED = re.compile(r"(?P<outcome>[^()]+)\(\s*corrected\s+from\s+(?P<earlier>[^()]+)\)", re.IGNORECASE)
_BY = re.compile(r"(?P<action>.*)\(\s*by\s+(?P<bot>[^()]+)\)\s*", re.IGNORECASE)


FinalScores = tuple[tuple[str, int], ...]  # names and scores


class RecordLine(Struct, frozen=True):
    """One action of a record; `number` counts the text's lines from 1."""

    number: int
    player: str
    action: Action
    outcome: str
    corrected: tuple[str, ...] = ()  # the outcomes entered before this one, in order
    by: str | None = None  # the bot that decided it for the player


class Attachment(Struct, frozen=True):
    """A custom deck or board that a record brings along; `number` is the line that announces it."""

    number: int
    text: str


class Record(Struct, frozen=True, kw_only=True):
    """A parsed record, not yet checked against the rules."""

    players: tuple[str, ...]
    seats: tuple[Seat, ...] | None
    options: Options
    board: str | None = None
    drawn: tuple[str, ...] = ()
    commitment: str | None = None
    salts: tuple[bytes, ...] = ()
    seed: bytes | None = None
    lines: tuple[RecordLine, ...] = ()
    result: FinalScores | None = None
    called_off: bool = False  # the players agreed to end the game early
    attached: dict[str, Attachment] = {}  # "deck" and "board" -> the text of the file
    numbers: dict[str, int] = {}  # header, or "end" -> its line


def format_record(record: Record) -> str:
    """The record's text."""
    lines = (FIRST_LINE, *_header_lines(record), "", *_body_lines(record), *_attached_lines(record), "")
    return "\n".join(lines)


def _header_lines(record: Record) -> Iterator[str]:
    values = msgspec.to_builtins(record.options)
    board = f" board={record.board}" if record.board else ""
    yield f"players: {LIST.join(record.players)}"
    if record.seats:
        yield f"seats: {LIST.join(map(_format_seat, record.seats))}"
    yield "options: " + " ".join(f"{name}={values[name]}" for name in _OPTIONS) + board
    yield f"first: {record.options.first}"
    if record.drawn:
        yield f"drawn: {LIST.join(record.drawn)}"
    if record.commitment:
        yield f"commitment: {record.commitment}"
    if record.salts:
        yield f"salts: {LIST.join(salt.hex() for salt in record.salts)}"
    if record.seed is not None:
        yield f"seed: {record.seed.hex()}"


def _body_lines(record: Record) -> Iterator[str]:
    for line in record.lines:
        outcome = f" = {line.outcome}" if line.outcome else ""
        corrected = f" (corrected from {', '.join(line.corrected)})" if line.corrected else ""
        by = f" (by {line.by})" if line.by else ""
        yield f"{line.player}: {format_action(line.action)}{outcome}{corrected}{by}"
    if record.called_off:
        yield f"{_RESULT}: {CALLED_OFF}"
    if record.result is not None:
        yield f"{_RESULT}: {format_result(record.result)}"


def _attached_lines(record: Record) -> Iterator[str]:
    for name, attachment in record.attached.items():
        yield from ("", f"attached {name}:")
        yield from (f"{_MARGIN} {line}".rstrip() for line in attachment.text.rstrip("\n").split("\n"))


def format_result(result: FinalScores) -> str:
    """`Ada 63; Cy 58`, best first."""
    return LIST.join(f"{name} {points}" for name, points in result)


def _format_seat(seat: Seat) -> str:
    player = "person" if seat.bot is None else f"bot {seat.bot}"
    return f"{seat.colour} {player}" + (f" then bot {seat.stand_in}" if seat.stand_in else "")


def parse_record(text: str) -> Record:
    """What a text says, or a RecordError with the line, what was read and what was expected."""
    lines = [line.rstrip("\r") for line in text.removeprefix(_BYTE_ORDER_MARK).split("\n")]
    if lines[0].strip() != FIRST_LINE:
        fail(1, "record_first_line", text=shortened(lines[0]), expected=FIRST_LINE)
    blank = next((number for number, line in enumerate(lines) if not line.strip()), len(lines))
    header = dict(_header(lines[1:blank]))
    for name in _NEEDED:
        if name not in header:
            fail(blank + 1, "record_header_missing", header=name)
    body = [(number, line) for number, line in enumerate(lines, 1) if number > blank and line.strip()]
    return _Reader(header, body).record()


def fail(number: int, key: str, **values: object) -> NoReturn:
    """Refuse a line of a record."""
    raise RecordError(number, Refusal("", key, values))


def _header(lines: list[str]) -> Iterator[tuple[str, tuple[int, str]]]:
    seen = set()
    for number, line in enumerate(lines, 2):
        name, colon, value = line.partition(":")
        if not colon or name not in _HEADERS:
            fail(number, "record_header_unknown", text=shortened(line), choices=_HEADERS)
        if name in seen:
            fail(number, "record_header_twice", header=name)
        seen.add(name)
        yield name, (number, value.strip())


class _Reader:
    """Parses the parts of one record; every refusal names its line."""

    def __init__(self, header: dict[str, tuple[int, str]], body: list[tuple[int, str]]) -> None:
        self._header = header
        begin = next((at for at, (_, line) in enumerate(body) if _ATTACHED.fullmatch(line)), len(body))
        self._body, self._attachments = body[:begin], body[begin:]
        body = self._body
        self._end = body[-1][0] if body else max(number for number, _ in header.values())

    def record(self) -> Record:
        options, board = self._options()
        closing = self._closing()
        called_off = closing is not None and _closes(closing[1]).casefold().split() == CALLED_OFF.split()
        return Record(
            players=tuple(self._list("players")),
            seats=tuple(self._seats()) or None,
            options=options,
            board=board,
            drawn=self._drawn(),
            commitment=next(iter(self._hexes("commitment", 1)), None),
            salts=tuple(map(bytes.fromhex, self._hexes("salts", PLAYERS[-1]))),
            seed=next(map(bytes.fromhex, self._hexes("seed", 1)), None),
            lines=tuple(self._action(number, line) for number, line in self._body),
            result=None if closing is None or called_off else _parse_result(*closing),
            called_off=called_off,
            attached=self._attached(),
            numbers={name: number for name, (number, _) in self._header.items()} | {"end": self._end},
        )

    def _list(self, name: str) -> list[str]:
        value = self._header.get(name, (0, ""))[1]
        return [part.strip() for part in value.split(LIST.strip())] if value else []

    def _seats(self) -> Iterator[Seat]:
        for seat in self._list("seats"):
            match seat.split():
                case [colour, "person"]:
                    yield Seat(colour)
                case [colour, "person", "then", "bot", bot]:
                    yield Seat(colour, stand_in=bot)
                case [colour, "bot", bot]:
                    yield Seat(colour, bot)
                case [colour, "bot", bot, "then", "bot", stand_in]:
                    yield Seat(colour, bot, stand_in)
                case _:
                    fail(self._header["seats"][0], "record_seat", text=shortened(seat))

    def _options(self) -> tuple[Options, str | None]:
        number, text = self._header["options"]
        pairs = [word.partition("=") for word in text.split()]
        values = {name: value for name, _, value in pairs}
        board = values.pop("board", None)
        if sorted(values) != sorted(_OPTIONS) or len(pairs) != len(values) + (board is not None):
            fail(number, "record_options", text=shortened(text), choices=_OPTIONS)
        if not _WHOLE.fullmatch(values["days"]):
            fail(number, "record_options", text=shortened(text), choices=_OPTIONS)
        if values["layout"].casefold() == RANDOM:
            fail(number, "record_random")
        try:
            first = self._header["first"][1]
            return Options(**{**values, "days": int(values["days"])}, first=first), board  # type: ignore[arg-type]
        except Refused as error:
            raise RecordError(number, error.refusal) from error

    def _drawn(self) -> tuple[str, ...]:
        if "drawn" not in self._header:
            return ()
        number, text = self._header["drawn"]
        drawn = tuple(re.split(r"[\s;,]+", text))
        if drawn not in _DRAWN:
            fail(number, "record_drawn", text=shortened(text))
        return drawn

    def _hexes(self, name: str, most: int) -> list[str]:
        """The 32-byte values of a header, none if it is missing."""
        if name not in self._header:
            return []
        values = self._list(name)
        if not 1 <= len(values) <= most or not all(map(_HEX.fullmatch, values)):
            number, text = self._header[name]
            fail(number, "record_hex", header=name, text=shortened(text), most=most)
        return values

    def _closing(self) -> tuple[int, str] | None:
        """Take the closing line off the body, if there is one."""
        closing = next((at for at, (_, line) in enumerate(self._body) if line.startswith(f"{_RESULT}:")), None)
        if closing is None:
            return None
        if closing + 1 < len(self._body):
            fail(self._body[closing + 1][0], "record_after_the_end")
        return self._body.pop()

    def _attached(self) -> dict[str, Attachment]:
        found: dict[str, tuple[int, list[str]]] = {}
        for number, line in self._attachments:
            if match := _ATTACHED.fullmatch(line):
                if match[1] in found:
                    fail(number, "record_attached_twice", attached=match[1])
                lines = found.setdefault(match[1], (number, []))[1]
            elif line.startswith(_MARGIN):
                lines.append(line.removeprefix(_MARGIN).removeprefix(" "))
            else:
                fail(number, "record_attached_line", text=shortened(line))
        return {name: Attachment(number, "\n".join((*lines, ""))) for name, (number, lines) in found.items()}

    def _action(self, number: int, line: str) -> RecordLine:
        player, colon, rest = line.partition(":")
        if not colon:
            fail(number, "record_line", text=shortened(line))
        marked = _BY.fullmatch(rest)
        action, _, outcome = (marked["action"] if marked else rest).partition("=")
        outcome, corrected = _parse_corrections(outcome.strip())
        try:
            by = check_bot_name(marked["bot"].strip()) if marked else None
            return RecordLine(number, player.strip(), parse_action(action), outcome, corrected, by)
        except Refused as error:
            raise RecordError(number, error.refusal) from error


def _closes(line: str) -> str:
    return line.partition(":")[2].strip()


def _parse_result(number: int, line: str) -> FinalScores:
    entries = [part.strip().rpartition(" ") for part in _closes(line).split(LIST.strip())]
    if not all(name and _WHOLE.fullmatch(points) for name, _, points in entries):
        fail(number, "record_result", text=shortened(line))
    return tuple((name.strip(), int(points)) for name, _, points in entries)


def _parse_corrections(text: str) -> tuple[str, tuple[str, ...]]:
    """`5 (corrected from 3, 4)`: the outcome that counts, and those that were entered before it (R12.7)."""
    found = _CORRECTED.fullmatch(text)
    if found is None:
        return text, ()
    return found["outcome"].strip(), tuple(one.strip() for one in found["earlier"].split(","))
