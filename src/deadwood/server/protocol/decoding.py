"""Strict decoding: a message becomes a value of the expected type, or a clear refusal."""

import re
from collections.abc import Callable
from typing import TypeVar

import msgspec

from ...engine.refusal import Refusal, Refused, shortened
from .commands import (
    BUNDLE_BYTES,
    KIT_BYTES,
    KNOWN_BYTES,
    MESSAGE_BYTES,
    AnyCommand,
    Hello,
    KitFiles,
    KnownTables,
    NewBundle,
    NewTable,
)
from .drafts import DRAFT_BYTES, DraftDeck
from .lessons import LessonChoice
from .notices import NoticeTarget, NoticeTest, PushMoved
from .refusals import ServerRefused, refuse

T = TypeVar("T")
HELLO_EXAMPLE = '{"type": "hello", "tokens": []}'
_PLACE = r"(?: - at (?:key in )?`(?P<place>[^`]*)`)?"  # what msgspec says, in English
_FIELD_MISSING = re.compile(rf"Object missing required field `(?P<what>[^`]*)`{_PLACE}")
_FIELD_UNKNOWN = re.compile(rf"Object contains unknown field `(?P<what>.*?)`{_PLACE}", re.DOTALL)
_TYPE_WRONG = re.compile(rf"Expected (?P<what>.*?), got (?P<got>.*?){_PLACE}")
_LENGTH_WRONG = re.compile(rf"Expected `\w+` of length (?P<bound>[<>])= (?P<length>\d+){_PLACE}")
_PATTERN_WRONG = re.compile(rf"Expected `str` matching regex '(?P<what>.*?)'{_PLACE}")
_VALUE_WRONG = re.compile(rf"Expected (?P<what>.*?){_PLACE}")
_VALUE_INVALID = re.compile(rf"Invalid (?:enum )?value (?P<what>.*?){_PLACE}", re.DOTALL)


def _decoder(kind: type[T] | object, most: int = MESSAGE_BYTES) -> Callable[[str | bytes], T]:
    decoder: msgspec.json.Decoder[T] = msgspec.json.Decoder(kind)

    def decode(text: str | bytes) -> T:
        if len(text) > most:
            raise refuse("message_too_big", most=most)
        try:
            return decoder.decode(text)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise invalid(error) from error

    return decode


def invalid(error: Exception) -> ServerRefused:
    """The refusal of a message that cannot be decoded."""
    return refuse("message_invalid", reason=_reason(error))


def _reason(error: Exception) -> Refusal:
    if isinstance(error.__cause__, Refused):  # the engine refused a value, and explains it better
        return error.__cause__.refusal
    if isinstance(error, RecursionError):
        return Refusal("", "nested_too_deeply")
    if isinstance(error, UnicodeError):
        return Refusal("", "not_utf8")
    return _translated(str(error))


def _translated(text: str) -> Refusal:
    """Msgspec's error as a refusal: msgspec writes English, but a client may read another language."""
    if found := _FIELD_MISSING.fullmatch(text):
        return Refusal("", "field_missing", {"field": _part(found, "what"), "place": _part(found, "place")})
    if found := _FIELD_UNKNOWN.fullmatch(text):
        return Refusal("", "field_unknown", {"field": _part(found, "what"), "place": _part(found, "place")})
    if found := _TYPE_WRONG.fullmatch(text):
        expected, got = _part(found, "what"), _part(found, "got")
        return Refusal("", "type_wrong", {"expected": expected, "got": got, "place": _part(found, "place")})
    if found := _LENGTH_WRONG.fullmatch(text):
        key = "too_long" if found["bound"] == "<" else "too_short"
        return Refusal("", key, {"length": int(found["length"]), "place": _part(found, "place")})
    if found := _PATTERN_WRONG.fullmatch(text):
        pattern = _part(found, "what").replace("\\\\", "\\")  # msgspec writes it as Python does
        return Refusal("", "pattern_wrong", {"pattern": pattern, "place": _part(found, "place")})
    if found := _VALUE_WRONG.fullmatch(text):
        return Refusal("", "value_wrong", {"expected": _part(found, "what"), "place": _part(found, "place")})
    if found := _VALUE_INVALID.fullmatch(text):
        return Refusal("", "value_invalid", {"value": _part(found, "what"), "place": _part(found, "place")})
    return Refusal("", "json_malformed")


def _part(found: re.Match[str], name: str) -> str:
    """A part of msgspec's sentence, without its quotes and not too long; no place means the message itself."""
    return shortened((found[name] or "$").replace("`", ""))


decode_command: Callable[[str | bytes], AnyCommand] = _decoder(AnyCommand)
decode_new_table: Callable[[str | bytes], NewTable] = _decoder(NewTable)
decode_known: Callable[[str | bytes], KnownTables] = _decoder(KnownTables, KNOWN_BYTES)
decode_bundle: Callable[[str | bytes], NewBundle] = _decoder(NewBundle, BUNDLE_BYTES)
decode_draft: Callable[[str | bytes], DraftDeck] = _decoder(DraftDeck, DRAFT_BYTES)
decode_kit_files: Callable[[str | bytes], KitFiles] = _decoder(KitFiles, KIT_BYTES)
decode_lesson_choice: Callable[[str | bytes], LessonChoice] = _decoder(LessonChoice)
decode_notice_target: Callable[[str | bytes], NoticeTarget] = _decoder(NoticeTarget)
decode_notice_test: Callable[[str | bytes], NoticeTest] = _decoder(NoticeTest)
decode_push_moved: Callable[[str | bytes], PushMoved] = _decoder(PushMoved)
_decode_first: Callable[[str | bytes], Hello | AnyCommand] = _decoder(Hello | AnyCommand)


def decode_hello(text: str | bytes) -> Hello:
    """The first message on a connection."""
    first = _decode_first(text)
    if not isinstance(first, Hello):
        raise refuse("hello_expected", example=HELLO_EXAMPLE)
    return first
