"""Reading the data files; only this module and `game` touch files."""

from pathlib import Path
from typing import TypeVar

import msgspec

from .refusal import DataError

DATA = Path(__file__).parent / "data"
T = TypeVar("T")


def read_toml(path: Path, kind: type[T]) -> T:
    """The file as a value of that kind, or a DataError that names the file and the entry."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path.name}: cannot be read: {error}") from error
    return parse_toml(text, kind, path.name)


def parse_toml(text: str, kind: type[T], file: str) -> T:
    """As read_toml, from a text; `file` names it in errors."""
    try:
        return msgspec.toml.decode(text, type=kind)
    except (msgspec.DecodeError, RecursionError) as error:
        raise DataError(f"{file}: {error}") from error


def demand_valid(value: msgspec.Struct, name: str) -> None:
    """Raise a DataError if a value that was made by hand breaks the limits of its fields."""
    try:
        msgspec.convert(msgspec.to_builtins(value), type(value))
    except (msgspec.ValidationError, TypeError) as error:
        raise DataError(f"{name}: {error}") from error


def demand(condition: bool, file: str, entry: str, problem: str) -> None:
    """Raise a DataError about an entry of a file unless the condition holds."""
    if not condition:
        raise DataError(f"{file}: {entry}: {problem}")


def demand_unique(values: list[str], file: str, entry: str, what: str) -> None:
    """Raise a DataError if two values are alike, compared without case."""
    seen: set[str] = set()
    for value in values:
        demand(value.casefold() not in seen, file, entry, f"two {what} are called {value!r}")
        seen.add(value.casefold())
