"""Events, refusals, checks and reasons as sentences, in a language; the sentences are in `text/en.toml`, `text/…`.

An entry of a catalogue is a sentence, or a table that chooses one `by` a field of what is told.
In a sentence, `{area:place}` fills in a field the way its second word says:
a word of [counts] (one shot, two shots), of [lists] (a, b or c), or one of
`place`, `term`, `terms`, `dice`, `each` and `sentence`.
"""

import string
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import structs

from .engine.refusal import DeadwoodError, RecordError, Refusal, Refused
from .engine.verify import Check

TEXTS = Path(__file__).parent / "text"
Entry = str | dict[str, Any]


class Reason(msgspec.Struct, frozen=True):
    """Why somebody would choose something: a key of [reasons], and what fills the sentence."""

    key: str
    values: dict[str, Any] = {}


class _OptionText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    label: str
    explanation: str
    values: dict[str, str]


def narrate(told: msgspec.Struct | DeadwoodError, language: str = "en") -> str:
    """One sentence that tells an event (of the game, or another that has one), a refusal, an error, check or reason."""
    teller = _teller(language)
    match told:
        case RecordError():
            return teller.fill(teller.phrases["record_line"], {"line": told.line, "problem": told.refusal})
        case Refused():
            return teller.tell(told.refusal)
        case DeadwoodError():
            return str(told)
        case _:
            return teller.tell(told)


def option_label(option: str, language: str = "en") -> str:
    """What an option is called in forms and lists."""
    return _teller(language).options[option].label


def option_explanation(option: str, language: str = "en") -> str:
    """A sentence that explains an option."""
    return _teller(language).options[option].explanation


def value_label(option: str, value: str | int | None, language: str = "en") -> str:
    """What a value of an option is called; the value itself if it has no text of its own."""
    values = _teller(language).options[option].values
    return values.get("none" if value is None else str(value), str(value))


def rules_text(language: str = "en") -> str:
    """The rules for players, in Markdown."""
    _teller(language)
    return (TEXTS / f"rules.{language}.md").read_text(encoding="utf-8")


def languages() -> tuple[str, ...]:
    """The languages that can be told in."""
    return tuple(sorted(path.stem for path in TEXTS.glob("*.toml")))


@cache
def _teller(language: str) -> "_Teller":
    if language not in languages():
        raise DeadwoodError(f"There are no texts in {language!r}; there are: {', '.join(languages())}.")
    catalogue = msgspec.toml.decode((TEXTS / f"{language}.toml").read_text(encoding="utf-8"))
    return _Teller(catalogue)


class _Teller(string.Formatter):
    """Fills the sentences of one catalogue."""

    def __init__(self, catalogue: dict[str, dict[str, Any]]) -> None:
        self.phrases: dict[str, str] = catalogue["phrases"]
        self.options = msgspec.convert(catalogue["options"], dict[str, _OptionText])
        self._counts: dict[str, dict[str, str]] = catalogue["counts"]
        self._lists: dict[str, str] = catalogue["lists"]
        self._terms: dict[str, str] = catalogue["terms"]
        self._places: dict[str, str] = catalogue["places"]
        self._entries = {kind: catalogue[kind] for kind in ("events", "refusals", "checks", "reasons")}

    def tell(self, told: msgspec.Struct) -> str:
        match told:
            case Refusal():
                entry, values = self._entries["refusals"][told.key], told.values
            case Check():
                entry, values = self._entries["checks"][told.key], told.values
            case Reason():
                entry, values = self._entries["reasons"][told.key], told.values
            case _ if type(told).__name__ in self._entries["events"]:
                entry, values = self._entries["events"][type(told).__name__], structs.asdict(told)
            case _:
                raise TypeError(f"{told!r} is no event, refusal, check or reason, so there is nothing to tell")
        return self.fill(_chosen(entry, values), values)

    def fill(self, sentence: str, values: Mapping[str, Any]) -> str:
        return self.vformat(sentence, (), values)

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec in self._counts:
            return self._counted(value if isinstance(value, int) else len(value), self._counts[format_spec])
        if format_spec in self._lists:
            return self._listed([str(item) for item in value], self._lists[format_spec])
        match format_spec:
            case "term":
                return self._terms.get(value, str(value))
            case "terms":
                return self._listed([self._terms[item] for item in value], self._lists["and"])
            case "place":
                return self._places.get(value, self.phrases["place"].format(name=value))
            case "dice":
                return " ".join(map(str, value))
            case "each":
                return "; ".join(map(self.tell, value))
            case "sentence":
                return self.tell(value)
        return format(value, format_spec)

    @staticmethod
    def _counted(count: int, forms: dict[str, str]) -> str:
        return forms.get(str(count), forms["other"]).format(n=count)

    @staticmethod
    def _listed(items: Sequence[str], last: str) -> str:
        return last.join(filter(None, (", ".join(items[:-1]), items[-1])))


def _chosen(entry: Entry, values: Mapping[str, Any]) -> str:
    """The sentence of an entry for these values."""
    while not isinstance(entry, str):
        value = values[entry["by"]]
        case = "none" if value is None or value == () else str(value).casefold()
        entry = entry[case] if case in entry else entry["other"]
    return entry
