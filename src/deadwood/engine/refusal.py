"""Why something was refused, as data: `narration` turns it into a sentence in the reader's language."""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

_SHOWN = 60  # how much of an invalid text an error repeats


def shortened(text: object, most: int = _SHOWN) -> str:
    """A text as errors show it: printable and not too long."""
    shown = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in str(text)[: most + 1])
    return shown if len(shown) <= most else shown[: most - 1] + "\N{HORIZONTAL ELLIPSIS}"


def described(key: str, values: Mapping[str, object], rule: str = "") -> str:
    """A key and its values as plain words, for when there is no sentence."""
    details = ", ".join(f"{name}={value!r}" for name, value in values.items())
    clause = f" ({rule})" if rule else ""
    return key.replace("_", " ") + clause + (f": {details}" if details else "")


class Refusal(Struct, frozen=True):
    """The clause of RULES that refuses, a key that names the sentence, and the values that fill it."""

    rule: str
    key: str
    values: dict[str, Any] = {}

    def __str__(self) -> str:
        return described(self.key, self.values, self.rule)


class Wording(Struct, frozen=True):
    """English words and the values that fill them in; the other catalogues translate the words, under [wordings]."""

    words: str
    values: dict[str, Any] = {}

    def __str__(self) -> str:
        return self.words.format(**self.values)


Part = str | Wording
_MOST_SAID = 300  # characters of a problem


def joined_parts(parts: Iterable[object]) -> str:
    """The parts of a problem as one text. The first, the file's name, stays whole; the rest is shortened."""
    file, *others = map(str, parts)
    said = shortened(": ".join(filter(None, others)), _MOST_SAID)
    return ": ".join(filter(None, (file, said)))


class DeadwoodError(Exception):
    """Every error this package raises on purpose."""


class DataError(DeadwoodError):
    """A board or deck file that cannot be played with; `problem` names file and entry, `line` counts from 1."""

    def __init__(self, *parts: Part, line: int | None = None, place: tuple[Any, ...] = ()) -> None:
        super().__init__(*parts)
        self.parts = parts  # such as the file, a card, a field, and what is wrong with it
        self.line = line
        self.place = place  # where in the file, to find the line

    @property
    def problem(self) -> str:
        return joined_parts(self.parts)

    def __str__(self) -> str:
        return self.problem if self.line is None else f"{self.problem} (line {self.line})"

    def __reduce__(self) -> tuple[type["DataError"], tuple[Part, ...], dict[str, Any]]:
        return type(self), self.parts, {"line": self.line}


class Refused(DeadwoodError):
    """A refusal; nothing has changed. `deadwood.narrate(error)` gives the sentence."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal)
        self.refusal = refusal

    def __str__(self) -> str:
        return str(self.refusal)


class IllegalAction(Refused):
    """An action that the rules do not allow now."""


class SetupError(Refused, ValueError):
    """Names, colours or options that a game cannot start with."""


class NotationError(Refused, ValueError):
    """A text that is not an action."""


class OutcomeError(Refused, ValueError):
    """A die or a card, typed in or recorded, that cannot have come up (R12.7)."""


class UndoError(Refused):
    """The last action cannot be taken back."""


class CorrectionError(Refused):
    """Nothing can be corrected now (R12.7)."""


class RecordError(Refused, ValueError):
    """A record that is not valid; `line` counts from 1."""

    def __init__(self, line: int, refusal: Refusal) -> None:
        super().__init__(refusal)
        self.line = line

    def __str__(self) -> str:
        return f"line {self.line}: {self.refusal}"

    def __reduce__(self) -> tuple[type["RecordError"], tuple[int, Refusal]]:
        return type(self), (self.line, self.refusal)
