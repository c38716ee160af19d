"""Reading messages strictly: whatever comes in, it is a value of the expected type or a clear refusal."""

from collections.abc import Callable
from typing import TypeVar

import msgspec

from ...engine.refusal import Refused, shortened
from ...narration import narrate
from .commands import MESSAGE_BYTES, AnyCommand, Hello, NewTable
from .refusals import ServerRefused, refuse

T = TypeVar("T")
HELLO_EXAMPLE = '{"type": "hello", "tokens": []}'


def _reader(kind: type[T] | object) -> Callable[[str | bytes], T]:
    decoder: msgspec.json.Decoder[T] = msgspec.json.Decoder(kind)

    def read(text: str | bytes) -> T:
        if len(text) > MESSAGE_BYTES:
            raise refuse("message_too_big", most=MESSAGE_BYTES)
        try:
            return decoder.decode(text)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise unreadable(error) from error

    return read


def unreadable(error: Exception) -> ServerRefused:
    """Why something cannot be read, in a sentence."""
    cause = error.__cause__
    if isinstance(cause, Refused):  # the engine refused a value; it says so better
        return refuse("message_unreadable", reason=narrate(cause))
    if isinstance(error, RecursionError):
        return refuse("message_unreadable", reason="It is nested too deeply.")
    if isinstance(error, UnicodeError):
        return refuse("message_unreadable", reason="It is not UTF-8 text.")
    return refuse("message_unreadable", reason=f"{_shown(error)}.")


def _shown(error: Exception) -> str:
    """The messages of msgspec name the place; they may repeat a key of any length."""
    words = str(error).split(" ")
    return " ".join(shortened(word) for word in words[:30]).rstrip(".")


read_command: Callable[[str | bytes], AnyCommand] = _reader(AnyCommand)
read_new_table: Callable[[str | bytes], NewTable] = _reader(NewTable)
_read_first: Callable[[str | bytes], Hello | AnyCommand] = _reader(Hello | AnyCommand)


def read_hello(text: str | bytes) -> Hello:
    """The first message of a connection."""
    first = _read_first(text)
    if not isinstance(first, Hello):
        raise refuse("hello_expected", example=HELLO_EXAMPLE)
    return first
