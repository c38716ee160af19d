"""Events, refusals, checks, reasons and previews as sentences in a language, from the catalogues `text/*.toml`.

An entry of a catalogue is a sentence, or a table that picks one `by` a field. In a sentence `{area:place}` fills in
a field the way its second word says: a word of [counts] (one shot, two shots), of [lists] (a, b or c), or one of
`place`, `places`, `term`, `terms`, `dice`, `outcome`, `each`, `sentence` and `parts`.
"""

import string
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import structs

from .engine.options import Purse
from .engine.refusal import (
    DataError,
    DeadwoodError,
    Part,
    RecordError,
    Refusal,
    Refused,
    Wording,
    described,
    joined_parts,
)
from .engine.verify import Check

TEXTS = Path(__file__).parent / "text"
Entry = str | dict[str, Any]


class Reason(msgspec.Struct, frozen=True):
    """Why a player would choose an action: a key of [reasons], and the values that fill its sentence."""

    key: str
    values: dict[str, Any] = {}


class Preview(msgspec.Struct, frozen=True):
    """What the preview of a link says: a key of [previews], and the values that fill its sentence."""

    key: str
    values: dict[str, Any] = {}


def narrate(subject: msgspec.Struct | DeadwoodError, language: str = "en") -> str:
    """The sentence for an event, a refusal, a check, a reason, a preview or an error."""
    narrator = _narrator(language)
    match subject:
        case RecordError():
            return narrator.fill(narrator.phrases["record_line"], {"line": subject.line, "problem": subject.refusal})
        case Refused():
            return narrator.narrate(subject.refusal)
        case DataError():
            return narrator.data_error(subject)
        case DeadwoodError():
            return str(subject)
        case _:
            return narrator.narrate(subject)


def option_label(option: str, language: str = "en") -> str:
    """What an option is called in forms and lists."""
    return _narrator(language).options[option].label


def option_explanation(option: str, language: str = "en") -> str:
    """A sentence that explains an option."""
    return _narrator(language).options[option].explanation


def value_label(option: str, value: str | int | None, language: str = "en") -> str:
    """What a value of an option is called; the value itself if it has no text."""
    values = _narrator(language).options[option].values
    return values.get("none" if value is None else str(value), str(value))


def rules_text(language: str = "en") -> str:
    """The rules for players, in Markdown."""
    _narrator(language)
    return (TEXTS / f"rules.{language}.md").read_text(encoding="utf-8")


def fill_page(page: str, language: str, values: Mapping[str, Any]) -> str:
    """A page of Markdown with its numbers filled in."""
    return _narrator(language).fill((TEXTS / f"{page}.{language}.md").read_text(encoding="utf-8"), values)


def purse_text(purse: Purse, language: str = "en") -> str:
    """As in "$1 and 1 credit"; a dash for nothing."""
    narrator = _narrator(language)
    dollars = [f"${purse.dollars}"] if purse.dollars else []
    credits = [narrator.fill("{n:credits}", {"n": purse.credits})] if purse.credits else []
    return narrator.fill("{parts:and}", {"parts": [*dollars, *credits]}) if dollars or credits else "–"


def percent_text(chance: Fraction | float, language: str = "en") -> str:
    """A chance in whole percent."""
    narrator = _narrator(language)
    return narrator.fill(narrator.phrases["percent"], {"n": round(100 * chance)})


def languages() -> tuple[str, ...]:
    """The languages that have a catalogue."""
    return tuple(sorted(path.stem for path in TEXTS.glob("*.toml")))


class _OptionText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    label: str
    explanation: str
    values: dict[str, str]


@cache
def _narrator(language: str) -> "_Narrator":
    if language not in languages():
        raise DeadwoodError(f"There are no texts in {language!r}; choose from {', '.join(languages())}.")
    return _Narrator(msgspec.toml.decode((TEXTS / f"{language}.toml").read_text(encoding="utf-8")))


_SECTIONS = {Refusal: "refusals", Check: "checks", Reason: "reasons", Preview: "previews"}


class _Narrator:
    """Fills the sentences of one catalogue."""

    def __init__(self, catalogue: dict[str, dict[str, Any]]) -> None:
        self.phrases: dict[str, str] = catalogue["phrases"]
        self.options = msgspec.convert(catalogue["options"], dict[str, _OptionText])
        self._counts: dict[str, dict[str, str]] = catalogue["counts"]
        self._lists: dict[str, str] = catalogue["lists"]
        self._terms: dict[str, str] = catalogue["terms"]
        self._places: dict[str, str] = catalogue["places"]
        self._events: dict[str, Entry] = catalogue["events"]
        self._wordings: dict[str, str] = catalogue.get("wordings", {})
        self._keyed: dict[str, dict[str, Entry]] = {name: catalogue[name] for name in _SECTIONS.values()}

    def narrate(self, subject: msgspec.Struct) -> str:
        match subject:
            case Refusal() | Check() | Reason() | Preview():
                return self._by_key(subject)
            case _ if type(subject).__name__ in self._events:
                values = structs.asdict(subject)
                return self.fill(_chosen(self._events[type(subject).__name__], values), values)
        raise TypeError(f"{subject!r} is not an event, refusal, check or reason")

    def _by_key(self, subject: Refusal | Check | Reason | Preview) -> str:
        entries, values = self._keyed[_SECTIONS[type(subject)]], subject.values
        try:
            return self.fill(_chosen(entries[subject.key], values), values)
        except (LookupError, TypeError, ValueError):  # a plugin may give any reason; refusals must be read
            return described(subject.key, values, subject.rule if isinstance(subject, Refusal) else "")

    def fill(self, sentence: str, values: Mapping[str, Any]) -> str:
        return "".join(
            [text + (self._filled(values[field], way) if field else "") for text, field, way in _parts(sentence)]
        )

    def data_error(self, error: DataError) -> str:
        problem = self._joined(error.parts)
        return (
            problem
            if error.line is None
            else self.fill(self.phrases["in_line"], {"problem": problem, "line": error.line})
        )

    def _joined(self, parts: Sequence[Part]) -> str:
        return joined_parts(self._filled(part, "") for part in parts)

    def _filled(self, value: Any, way: str) -> str:
        if not way:
            return self._worded(value) if isinstance(value, Wording) else str(value)
        if way in self._counts:
            return self._counted(value if isinstance(value, int) else len(value), self._counts[way])
        if way in self._lists:
            return self._listed([str(item) for item in value], self._lists[way])
        match way:
            case "term":
                return self._terms.get(value, str(value))
            case "terms":
                return self._listed([self._terms[item] for item in value], self._lists["and"])
            case "place":
                return self._places.get(value, self.phrases["place"].format(name=value))
            case "places":
                return self._listed([self._filled(item, "place") for item in value], self._lists["or"])
            case "dice":
                return " ".join(map(str, value))
            case "outcome":
                return str(value).replace("card", self.phrases["card"])
            case "each":
                return "; ".join(map(self.narrate, value))
            case "sentence":
                return self.narrate(value)
            case "parts":
                return self._joined(value)
        return format(value, way)

    def _worded(self, wording: Wording) -> str:
        return self.fill(self._wordings.get(wording.words, wording.words), wording.values)

    @staticmethod
    def _counted(count: int, forms: dict[str, str]) -> str:
        return forms.get(str(count), forms["other"]).format(n=count)

    @staticmethod
    def _listed(items: Sequence[str], last: str) -> str:
        return last.join(filter(None, (", ".join(items[:-1]), items[-1])))


@cache
def _parts(sentence: str) -> tuple[tuple[str, str | None, str], ...]:
    """A sentence in parts: each a text, the field after it, and the way to fill it in."""
    return tuple((text, field, way or "") for text, field, way, _ in string.Formatter().parse(sentence))


def _chosen(entry: Entry, values: Mapping[str, Any]) -> str:
    """The sentence of an entry for these values."""
    while not isinstance(entry, str):
        value = values[entry["by"]]
        case = "none" if value is None or value == () else str(value).casefold()
        entry = entry[case] if case in entry else entry["other"]
    return entry
