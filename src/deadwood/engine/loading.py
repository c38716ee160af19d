"""Reading and writing the data files. Inside the engine only this module and `game` open files."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec

from . import toml_lines
from .limits import broken_limit, shown
from .refusal import DataError, shortened

DATA = Path(__file__).parent / "data"
FILE_BYTES = 64 * 1024  # of a deck or a board that people share
T = TypeVar("T")
_MOST_KEYS = 16  # parts of a dotted key
_DEEPEST = 50  # brackets inside each other
_MOST_SHOWN = 300  # characters of a problem
_PLACE = re.compile(r"(.*) - at `\$\.?(.*)`")
_SYNTAX_LINE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)")
_PLAIN = (  # msgspec's messages, and ours
    (r"Expected `int` <= (\d+)", r"must be at most \1"),
    (r"Expected `int` >= (-?\d+)", r"must be at least \1"),
    (r"Expected `(?:array|object)` of length <= (\d+)", r"there may be at most \1"),
    (r"Expected `array` of length >= (\d+)", r"there must be at least \1"),
    (r"Expected `str` of length <= (\d+)", r"must have at most \1 characters"),
    (r"Expected `str` matching regex '\^\[A-Z\]\$'", "must be one capital letter"),
    (r"Expected `str` matching regex .*", "must be one line with something in it"),
    (r"Object contains unknown field `(.*)`", r"there is no field '\1'"),
    (r"Object missing required field `(.*)`", r"the field '\1' is missing"),
)
_STEP = re.compile(r"\w+|\[\d+\]")
_UNKNOWN_FIELD = re.compile(r"Object contains unknown field `(.*?)`")
_NUMBER = r"(?:-?\d+|\[[-\d, ]*\])"
_NUMBERS = re.compile(rf"\[\n\s+({_NUMBER}(?:,\n\s+{_NUMBER})*),?\n\s*\]")

_BREAK = re.compile(r",\n\s+")


class Item(NamedTuple):
    """An item of a list by its number or its name; of equal ones the last."""

    name: str | int


Place = tuple[str | int | Item, ...]  # ("cards", 3, "budget"), or ("cards", Item(7), "budget")


class Named(NamedTuple):
    """An entry that must have a name of its own: what to call it, its name, and its place in the file."""

    entry: str
    name: str
    place: Place


def read_text(path: Path) -> str:
    """The text of a file, or a DataError that names it."""
    try:
        return path.read_text("utf-8-sig")
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: cannot be read: save it as UTF-8 text") from error


def demand_small(text: str, file: str, what: str) -> None:
    """Raise a DataError unless a text to share is small enough."""
    size = len(text.encode("utf-8", "surrogatepass"))
    demand(size <= FILE_BYTES, file, "", f"{what} may have at most {FILE_BYTES:,} bytes, not {size:,}")


def demand_within_limits(raw: object, kind: type, file: str) -> None:
    """Raise a DataError unless data, as TOML or JSON has it, may be shared."""
    if broken := broken_limit(raw, kind):
        names, _ = _named(broken.path, raw) or ("", "")
        raise _error(file, "", f"{names}{broken.problem}", broken.path)


def parse_toml(text: str, kind: type[T], file: str, *, shared: bool = False) -> T:
    """The text as a value of that type, or a DataError that names the file, the entry and the line."""
    _demand_flat(text, file)
    try:
        raw = msgspec.toml.decode(text)
    except msgspec.DecodeError as error:
        raise _syntax_error(file, str(error), text) from error
    except ValueError as error:
        raise _error(file, "", "a number has too many digits") from error
    with locating(text):
        return convert(raw, kind, file, shared=shared)


def _demand_flat(text: str, file: str) -> None:
    """Raise a DataError about what parsers take long to read, or cannot read at all."""
    parts, line = toml_lines.longest_key(text)
    if parts > _MOST_KEYS:
        raise _error(file, "", f"a key has more than {_MOST_KEYS} parts", line=line)
    depth, line = toml_lines.deepest(text)
    if depth > _DEEPEST:
        raise _error(file, "", f"brackets are nested too deeply; {_DEEPEST} inside each other are allowed", line=line)


def _syntax_error(file: str, problem: str, text: str) -> DataError:
    match = _SYNTAX_LINE.search(problem)
    if match and match[1]:
        return _error(file, "", _SYNTAX_LINE.sub("", problem), line=int(match[1]))
    if line := toml_lines.unclosed_line(text):
        return _error(file, "", "a quotation mark is missing at the end of a text", line=line)
    return _error(file, "", _SYNTAX_LINE.sub("", problem), line=text.count("\n") + 1)


def format_toml(value: msgspec.Struct) -> str:
    """A value as TOML that `parse_toml` reads; lists of numbers stay on one line."""
    text = msgspec.toml.encode(_filled(msgspec.to_builtins(value))).decode()
    for _ in range(2):  # points, then lists of points
        text = _NUMBERS.sub(lambda found: f"[{_BREAK.sub(', ', found[1])}]", text)
    return text


def _filled(value: Any) -> Any:
    """The value without fields that are empty or not there: TOML has no null."""
    if isinstance(value, dict):
        return {name: _filled(item) for name, item in value.items() if item is not None and item not in ((), [])}
    return [_filled(item) for item in value] if isinstance(value, (list, tuple)) else value


def demand_valid(value: msgspec.Struct, name: str) -> None:
    """Raise a DataError if a value made in code breaks the limits of its fields."""
    try:
        raw = msgspec.to_builtins(value)
    except TypeError as error:
        raise DataError(f"{name}: {error}") from error
    convert(raw, type(value), name)


def demand(condition: bool, file: str, entry: str, problem: str, place: Place = ()) -> None:
    """Raise a DataError about an entry of a file unless the condition holds."""
    if not condition:
        raise _error(file, entry, problem, place)


def demand_unique(entries: list[Named], file: str, what: str) -> None:
    """Raise a DataError if two entries have the same name, compared without case."""
    seen: dict[str, str] = {}
    for entry, name, place in entries:
        other = seen.setdefault(name.casefold(), entry)
        demand(other is entry, file, f"{other} and {entry}", f"both have the {what} {name!r}", place)


@contextmanager
def locating(text: str) -> Iterator[None]:
    """Add the line to an error about an entry of this text."""
    try:
        yield
    except DataError as error:
        if error.line is None and error.place:
            error.line, error.place = _line(text, error.place), ()  # a file that this one extends has other lines
        raise


def _line(text: str, place: Place) -> int | None:
    """The line of an entry, or of the nearest one around it."""
    try:
        lines, path = toml_lines.lines_of(text), _path(msgspec.toml.decode(text), place)
    except (ValueError, RecursionError):  # a text that no parser reads
        return None
    return next((lines[path[:length]] for length in range(len(path), 0, -1) if path[:length] in lines), None)


def _path(raw: Any, place: Place) -> toml_lines.Path:
    """A place with the index of each item, as far as the place exists."""
    path: list[str | int] = []
    for step in place:
        if isinstance(step, Item):
            items = raw if isinstance(raw, list) else ()
            named = [index for index, item in enumerate(items) if _name(item) == step.name]
            if not named:
                break
            step = named[-1]  # noqa: PLW2901
        path.append(step)
        try:
            raw = raw[step]
        except (LookupError, TypeError):
            break
    return tuple(path)


def _name(item: Any) -> Any:
    return item.get("number", item.get("name")) if isinstance(item, dict) else None


def _error(file: str, entry: str, problem: str, place: Place = (), line: int | None = None) -> DataError:
    said = shortened(": ".join(filter(None, (entry, problem))), _MOST_SHOWN)
    return DataError(": ".join(filter(None, (file, said))), line, place)


def convert(raw: object, kind: type[T], file: str, *, shared: bool = False) -> T:
    """Data from JSON or TOML as a value of that type, or a DataError that names the file and the entry."""
    if shared:
        demand_within_limits(raw, kind, file)
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        problem, place = _explained(str(error), raw)
        raise _error(file, "", problem, place) from error


def _explained(problem: str, raw: object) -> tuple[str, Place]:
    """A problem in plain words, with its place: `card 7: budget: …, not 9`."""
    unknown = _UNKNOWN_FIELD.match(problem)
    match = _PLACE.fullmatch(problem)
    if match is None:
        return _plain(problem), (unknown[1],) if unknown else ()
    steps = tuple(int(step[1:-1]) if step[0] == "[" else step for step in _STEP.findall(match[2]))
    named = _named(steps, raw)
    if named is None:  # a name that looks like a place
        return _plain(problem), ()
    names, value = named
    return f"{names}{_plain(match[1])}{value}", (*steps, unknown[1]) if unknown else steps


def _named(steps: toml_lines.Path, raw: Any) -> tuple[str, str] | None:
    """The entries on the way to a value, `card 7: budget: `, and the value, `, not 9`; None if there is no such way."""
    names: list[str] = []
    for step in steps:
        try:
            raw = raw[step]
        except (LookupError, TypeError):
            return None
        names.append(_entry_name(raw, step, names))
    value = "" if isinstance(raw, (dict, list, tuple)) else f", not {shown(raw)}"
    return "".join(f"{name}: " for name in names), value


def _plain(problem: str) -> str:
    for said, plain in _PLAIN:
        problem = re.sub(said, plain, problem)
    return problem


def _entry_name(value: Any, step: str | int, names: list[str]) -> str:
    """An entry of a list, by its number or name if it has one."""
    if isinstance(step, str):
        return step
    kind = names.pop().removesuffix("s") if names else "entry"
    name = _name(value)
    return f"{kind} {shown(name)}" if name is not None else f"{kind} number {step + 1}"
