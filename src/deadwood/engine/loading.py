"""Reading and writing the data files. Inside the engine only this module and `game` open files."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec

from . import toml_lines
from .limits import broken_limit, shown
from .refusal import DataError, Part, Wording

DATA = Path(__file__).parent / "data"
FILE_BYTES = 64 * 1024  # of a deck or a board that people share
T = TypeVar("T")
_MOST_KEYS = 16  # parts of a dotted key
_DEEPEST = 50  # nested brackets
_PLACE = re.compile(r"(.*) - at `\$\.?(.*)`")
_SYNTAX_LINE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)")
_PLAIN = (  # what msgspec says, and how we say it
    (r"Expected `int` <= (?P<most>\d+)", "must be at most {most}"),
    (r"Expected `int` >= (?P<least>-?\d+)", "must be at least {least}"),
    (r"Expected `(?:array|object)` of length <= (?P<most>\d+)", "there may be at most {most}"),
    (r"Expected `array` of length >= (?P<least>\d+)", "there must be at least {least}"),
    (r"Expected `array` of length (?P<wanted>\d+), got \d+", "there must be {wanted}"),
    (r"Expected `str` matching regex '\^\[A-Z\]\$'", "must be one capital letter"),
    (r"Expected `str` matching regex .*", "must be one line with something in it"),
    (r"Expected `int\b.*`, got .*", "must be a whole number"),
    (r"Expected `str\b.*`, got .*", "must be a text"),
    (r"Expected `array\b.*`, got .*", "must be a list"),
    (r"Expected `object\b.*`, got .*", "must be a table"),
    (r"Invalid enum value .*", "must be one of the words that the schema lists"),
    (r"Object contains unknown field `(?P<field>.*)`", "there is no field '{field}'"),
    (r"Object missing required field `(?P<field>.*)`", "the field '{field}' is missing"),
)
_STEP = re.compile(r"\w+|\[\d+\]")
_UNKNOWN_FIELD = re.compile(r"Object contains unknown field `(.*?)`")
_NUMBER = r"(?:-?\d+|\[[-\d, ]*\])"
_NUMBERS = re.compile(rf"\[\n\s+({_NUMBER}(?:,\n\s+{_NUMBER})*),?\n\s*\]")

_BREAK = re.compile(r",\n\s+")


class Item(NamedTuple):
    """An item of a list, by its number or its name; if several match, the last."""

    name: str | int


Place = tuple[str | int | Item, ...]  # ("cards", 3, "budget"), or ("cards", Item(7), "budget")


class Named(NamedTuple):
    """An entry whose name must be unique: what to call it, its name, and its place in the file."""

    entry: Part
    name: str
    place: Place


def read_text(path: Path) -> str:
    """The text of a file, or a DataError that names it."""
    try:
        return path.read_text("utf-8-sig")
    except OSError as error:
        raise DataError(str(path), Wording("cannot be read"), error.strerror or type(error).__name__) from error
    except UnicodeDecodeError as error:
        raise DataError(str(path), Wording("cannot be read"), Wording("save it as UTF-8 text")) from error


def demand_small(text: str, file: str, words: str = "the file may have at most {most:,} bytes, not {size:,}") -> None:
    """Raise a DataError unless a text to share is small enough."""
    size = len(text.encode("utf-8", "surrogatepass"))
    demand(size <= FILE_BYTES, file, "", Wording(words, {"most": FILE_BYTES, "size": size}))


def demand_within_limits(raw: object, kind: type, file: str) -> None:
    """Raise a DataError unless data, as TOML or JSON has it, may be shared."""
    if broken := broken_limit(raw, kind):
        raise DataError(file, *_entries(broken.path, raw), broken.problem, place=broken.path)


def parse_toml(text: str, kind: type[T], file: str, *, shared: bool = False) -> T:
    """The text as a value of that type, or a DataError that names the file, the entry and the line."""
    _demand_flat(text, file)
    try:
        raw = msgspec.toml.decode(text)
    except msgspec.DecodeError as error:
        raise _syntax_error(file, str(error), text) from error
    except ValueError as error:
        raise DataError(file, Wording("a number has too many digits")) from error
    with locating(text):
        return convert(raw, kind, file, shared=shared)


def _demand_flat(text: str, file: str) -> None:
    """Raise a DataError if parsers would take long to read the text, or could not read it at all."""
    parts, line = toml_lines.longest_key(text)
    if parts > _MOST_KEYS:
        raise DataError(file, Wording("a key has more than {most} parts", {"most": _MOST_KEYS}), line=line)
    depth, line = toml_lines.deepest(text)
    if depth > _DEEPEST:
        words = "brackets are nested too deeply; {most} inside each other are allowed"
        raise DataError(file, Wording(words, {"most": _DEEPEST}), line=line)


def _syntax_error(file: str, problem: str, text: str) -> DataError:
    if text.lstrip().startswith("<"):
        words = "this is XML, not TOML; 'deadwood deck import' turns the XML files of courses into TOML"
        return DataError(file, Wording(words), line=1)
    said = Wording("this is not TOML: {problem}", {"problem": _SYNTAX_LINE.sub("", problem)})
    match = _SYNTAX_LINE.search(problem)
    if match and match[1]:
        return DataError(file, said, line=int(match[1]))
    if line := toml_lines.unclosed_line(text):
        return DataError(file, Wording("a quotation mark is missing at the end of a text"), line=line)
    return DataError(file, said, line=text.count("\n") + 1)


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
        raise DataError(name, str(error)) from error
    convert(raw, type(value), name)


def demand(condition: bool, file: str, entry: Part, problem: Wording, place: Place = ()) -> None:
    """Raise a DataError about an entry of a file unless the condition holds."""
    if not condition:
        raise DataError(file, entry, problem, place=place)


def demand_unique(entries: list[Named], file: str, words: str) -> None:
    """Raise a DataError in these words if two entries have the same name, compared without case."""
    seen: dict[str, Part] = {}
    for entry, name, place in entries:
        other = seen.setdefault(name.casefold(), entry)
        both = Wording("{one} and {other}", {"one": other, "other": entry})
        demand(other is entry, file, both, Wording(words, {"name": shown(name)}), place)


@contextmanager
def locating(text: str) -> Iterator[None]:
    """Add the line to an error about an entry of this text."""
    try:
        yield
    except DataError as error:
        if error.line is None and error.place:
            error.line, error.place = _line(text, error.place), ()  # a file that extends this one has other lines
        raise


def _line(text: str, place: Place) -> int | None:
    """The line of an entry, or of the nearest one around it."""
    try:
        lines, path = toml_lines.lines_of(text), _path(msgspec.toml.decode(text), place)
    except (ValueError, RecursionError):  # a text that no parser can read
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


def convert(raw: object, kind: type[T], file: str, *, shared: bool = False) -> T:
    """Data from JSON or TOML as a value of that type, or a DataError that names the file and the entry."""
    if shared:
        demand_within_limits(raw, kind, file)
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        raise _explained(str(error), raw, file) from error


def _explained(problem: str, raw: object, file: str) -> DataError:
    """A problem in plain words, with its place: `card 7: budget: must be at most 6, not 9`."""
    unknown = _UNKNOWN_FIELD.match(problem)
    field = (unknown[1],) if unknown else ()
    match = _PLACE.fullmatch(problem)
    if match is None:
        return DataError(file, _compared(_plain(problem), raw), place=field)
    steps = tuple(int(step[1:-1]) if step[0] == "[" else step for step in _STEP.findall(match[2]))
    try:
        value = reduce(getitem, steps, raw)  # type: ignore[arg-type]
    except (LookupError, TypeError):  # a name that looks like a place
        return DataError(file, _plain(problem))
    return DataError(file, *_entries(steps, raw), _compared(_plain(match[1]), value), place=(*steps, *field))


def _plain(problem: str) -> Wording:
    for said, plain in _PLAIN:
        if match := re.fullmatch(said, problem):
            return Wording(plain, match.groupdict())
    return Wording("{problem}", {"problem": problem})


def _compared(problem: Wording, value: object) -> Wording:
    """The problem, followed by the value that was found: `…, not 9`."""
    if isinstance(value, (dict, list, tuple)):
        return problem
    if value is None:
        return Wording("{problem}, but is empty", {"problem": problem})
    return Wording("{problem}, not {value}", {"problem": problem, "value": shown(value)})


def _entries(steps: toml_lines.Path, raw: Any) -> tuple[Part, ...]:
    """The entries on the way to a value: `card 7`, `budget`."""
    names: list[Part] = []
    for step in steps:
        raw = raw[step]
        names.append(_entry_name(raw, step, names))
    return tuple(names)


def _entry_name(value: Any, step: str | int, names: list[Part]) -> Part:
    """An entry of a list, by its number or name if it has one."""
    if isinstance(step, str):
        return step
    kind = Wording(str(names.pop()).removesuffix("s") if names else "entry")
    name = _name(value)
    if name is None:
        return Wording("{kind} number {number}", {"kind": kind, "number": step + 1})
    return Wording("{kind} {name}", {"kind": kind, "name": shown(name)})
