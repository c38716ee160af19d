"""Reading the data files. Inside the engine only this module and `game` open files."""

import re
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from .refusal import DataError

DATA = Path(__file__).parent / "data"
T = TypeVar("T")
_PLACE = re.compile(r"(.*) - at `\$\.?(.*)`")
_PLAIN = (  # msgspec's messages, and ours
    (r"Expected `int` <= (\d+)", r"must be at most \1"),
    (r"Expected `int` >= (\d+)", r"must be at least \1"),
    (r"Expected `array` of length <= (\d+)", r"there may be at most \1"),
    (r"Expected `array` of length >= (\d+)", r"there must be at least \1"),
    (r"Expected `str` matching regex .*", "must be one line with something in it"),
    (r"Object contains unknown field `(.*)`", r"there is no field '\1'"),
    (r"Object missing required field `(.*)`", r"the field '\1' is missing"),
)
_STEP = re.compile(r"\w+|\[\d+\]")


def read_toml(path: Path, kind: type[T]) -> T:
    """The file as a value of that type, or a DataError that names the file and the entry."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: cannot be read: save it as UTF-8 text") from error
    return parse_toml(text, kind, path.name)


def parse_toml(text: str, kind: type[T], file: str) -> T:
    """As read_toml, from a text; `file` names it in errors."""
    try:
        raw = msgspec.toml.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        raise DataError(f"{file}: {error}") from error
    return _converted(raw, kind, file)


def demand_valid(value: msgspec.Struct, name: str) -> None:
    """Raise a DataError if a value made in code breaks the limits of its fields."""
    try:
        raw = msgspec.to_builtins(value)
    except TypeError as error:
        raise DataError(f"{name}: {error}") from error
    _converted(raw, type(value), name)


def demand(condition: bool, file: str, entry: str, problem: str) -> None:
    """Raise a DataError about an entry of a file unless the condition holds."""
    if not condition:
        raise DataError(f"{file}: {entry}: {problem}")


def demand_unique(named: list[tuple[str, str]], file: str, what: str) -> None:
    """Raise a DataError if two entries have the same name, compared without case."""
    seen: dict[str, str] = {}
    for entry, name in named:
        other = seen.setdefault(name.casefold(), entry)
        demand(other is entry, file, f"{other} and {entry}", f"both have the {what} {name!r}")


def _converted(raw: object, kind: type[T], file: str) -> T:
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        raise DataError(f"{file}: {_explained(str(error), raw)}") from error


def _explained(problem: str, raw: object) -> str:
    """A problem with its place in plain words: `card 7: budget: …, not 9`."""
    match = _PLACE.fullmatch(problem)
    if match is None:
        return _plain(problem)
    plain, value = _plain(match[1]), raw
    names: list[str] = []
    for step in _STEP.findall(match[2]):
        value = value[int(step[1:-1]) if step[0] == "[" else step]  # type: ignore[index]
        names.append(_entry_name(value, step, names))
    shown = "" if isinstance(value, (dict, list)) else f", not {value!r}"
    return ": ".join((*filter(None, names), plain + shown))


def _plain(problem: str) -> str:
    for said, plain in _PLAIN:
        problem = re.sub(said, plain, problem)
    return problem


def _entry_name(value: Any, step: str, names: list[str]) -> str:
    """An entry of a list, by its number or name if it has one."""
    if step[0] != "[":
        return step
    kind = names.pop().removesuffix("s")
    name = value.get("number", value.get("name")) if isinstance(value, dict) else None
    return f"{kind} {name!r}" if name is not None else f"{kind} number {int(step[1:-1]) + 1}"
