"""Events, refusals, checks, reasons, previews and notices as sentences, from the catalogues `text/*.toml`.

The engine knows titles, roles, lines and places in English. `scenes.de.toml` has the texts of cards and extras in
German, [places] of a catalogue the names of places with their prepositions. A text without a translation is kept.

A phrase of a catalogue is a sentence, or a table that picks one `by` a field. In a sentence `{area:place}` fills in
a field the way its second word says: a word of [counts] (one shot, two shots), of [lists] (a, b or c), or one of
`place`, `places`, `term`, `terms`, `dice`, `outcome`, `each`, `sentence`, `parts`, `at`, `to`, `from`, `text`,
`titles`, `action` and `bot`. Written with a capital, as in `{area:At}`, it begins a sentence.
"""

import string
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import structs

from .engine.actions import Move, TakeRole
from .engine.board import built_in_board
from .engine.deck import Card, Deck, Role
from .engine.notation import parse_action
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
Phrase = str | dict[str, Any]
Happening = TypeVar("Happening", bound=msgspec.Struct)


class BotReason(msgspec.Struct, frozen=True):
    """Why a player would choose an action: a key of [reasons], and the values that fill its sentence."""

    key: str
    values: dict[str, Any] = {}


class Preview(msgspec.Struct, frozen=True):
    """What the preview of a link says: a key of [previews], and the values that fill its sentence."""

    key: str
    values: dict[str, Any] = {}


class NoticeText(msgspec.Struct, frozen=True):
    """What a notice says to somebody whose page is closed: a key of [notices], and the values of its sentence."""

    key: str
    values: dict[str, Any] = {}


def narrate(subject: msgspec.Struct | DeadwoodError, language: str = "en") -> str:
    """The sentence for an event, a refusal, a check, a reason, a preview, a notice or an error."""
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
    return _narrator(language).options[option].value_label(value)


def house_text(rule: str, language: str = "en") -> "OptionText":
    """What a house rule of a served table is called, with its values."""
    return _narrator(language).house[rule]


def bot_text(bot: str, language: str = "en") -> "BotText":
    """What people read about a bot; a bot from another package has only its name."""
    return _narrator(language).bots.get(bot) or BotText(label=bot.capitalize())


def rules_text(language: str = "en") -> str:
    """The rules for players, in Markdown."""
    _narrator(language)
    return (TEXTS / f"rules.{language}.md").read_text(encoding="utf-8")


def fill_phrase(phrase: Phrase, language: str, values: Mapping[str, Any]) -> str:
    """A phrase of a front end's own catalogue, filled in the same ways."""
    return _narrator(language).fill(_chosen(phrase, values), values)


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
    return _narrator(language).fill("{chance:.0%}", {"chance": float(chance)})


@cache
def languages() -> tuple[str, ...]:
    """The languages that have a catalogue."""
    return tuple(sorted(path.stem for path in TEXTS.glob("*.toml") if "." not in path.stem))


def place_name(name: str, language: str = "en") -> str:
    """What an area or a section of the board is called on its sign."""
    return _narrator(language).place_name(name)


def translated_text(text: str, language: str = "en") -> str:
    """A text of a card or an extra: a title, a line, the name of a role."""
    return _narrator(language).text(text)


def translated_role(role: Role, language: str = "en") -> Role:
    """A role of a card or a set."""
    return _narrator(language).role(role)


def translated_deck(deck: Deck, language: str = "en") -> Deck:
    """A deck with its texts in a language; names, numbers and ranks stay."""
    return _translated_deck(deck, language) if _narrator(language).texts else deck


@lru_cache(maxsize=64)
def _translated_deck(deck: Deck, language: str) -> Deck:
    narrator = _narrator(language)
    return structs.replace(deck, cards=tuple(map(narrator.card, deck.cards)))


def translated_event(event: Happening, language: str = "en") -> Happening:
    """An event with places and the texts of cards in a language; its ids stay."""
    narrator = _narrator(language)
    return narrator.event(event) if narrator.texts else event


@cache
def all_titles() -> Mapping[str, tuple[str, ...]]:
    """The titles of scenes in all other languages, by the English one: cards may be printed in any of them."""
    texts = [_narrator(language).texts for language in languages()]
    return {title: tuple(one[title] for one in texts if title in one) for one in texts for title in one}


class BotText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A bot's kind in one word, what its character says, and how it plays."""

    label: str
    catchphrase: str = ""
    style: str = ""


class OptionText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an option is called in forms and lists, a sentence that explains it, and what its values are called."""

    label: str
    explanation: str
    values: dict[str, str]

    def value_label(self, value: str | int | bool | None) -> str:
        """What a value is called; the value itself if it has no text."""
        return self.values.get("none" if value is None else str(value).lower(), str(value))


@cache
def _narrator(language: str) -> "_Narrator":
    if language not in languages():
        raise DeadwoodError(f"There are no texts in {language!r}; choose from {', '.join(languages())}.")
    scenes = TEXTS / f"scenes.{language}.toml"
    texts = msgspec.toml.decode(scenes.read_bytes(), type=dict[str, str]) if scenes.exists() else {}
    return _Narrator(msgspec.toml.decode((TEXTS / f"{language}.toml").read_text(encoding="utf-8")), texts)


_PLACES = frozenset({"area", "origin"})  # fields of events that hold the name of a place
_TEXTS = frozenset({"title", "description", "role", "line"})  # and those that hold a text of a card or an extra
_SECTIONS = {Refusal: "refusals", Check: "checks", BotReason: "reasons", Preview: "previews", NoticeText: "notices"}


class _Narrator:
    """Fills the sentences of one catalogue."""

    def __init__(self, catalogue: dict[str, dict[str, Any]], texts: dict[str, str]) -> None:
        self.texts = texts
        self.phrases: dict[str, str] = catalogue["phrases"]
        self.options = msgspec.convert(catalogue["options"], dict[str, OptionText])
        self.house = msgspec.convert(catalogue["house"], dict[str, OptionText])
        self.bots = msgspec.convert(catalogue["bots"], dict[str, BotText])
        self._counts: dict[str, dict[str, str]] = catalogue["counts"]
        self._lists: dict[str, str] = catalogue["lists"]
        self._terms: dict[str, str] = catalogue["terms"]
        self._actions: dict[str, str] = catalogue["actions"]
        self._places: dict[str, dict[str, str]] = catalogue["places"]
        self._names = {area.id: area.name for area in built_in_board().areas}
        self._numbers: dict[str, str] = catalogue["numbers"]
        self._events: dict[str, Phrase] = catalogue["events"]
        self._wordings: dict[str, str] = catalogue.get("wordings", {})
        self._keyed: dict[str, dict[str, Phrase]] = {name: catalogue[name] for name in _SECTIONS.values()}
        self._ways: dict[str, Callable[[Any], str]] = {
            "term": lambda word: self._terms.get(word, str(word)),
            "terms": lambda words: self._listed([self._terms[word] for word in words], self._lists["and"]),
            "dice": lambda dice: " ".join(map(str, dice)),
            "outcome": lambda outcome: str(outcome).replace("card", self.phrases["card"]),
            "each": lambda subjects: "; ".join(map(self.narrate, subjects)),
            "sentence": self.narrate,
            "parts": self._joined,
            "text": self.text,
            "bot": self._bot,
            "action": self._action,
            "titles": self._title_list,
            "places": self._place_list,
            **{way: partial(self._place, way) for way in ("place", "at", "to", "from")},
        }

    def narrate(self, subject: msgspec.Struct) -> str:
        phrase = self._events.get(type(subject).__name__)
        if phrase is not None:
            values = structs.asdict(subject)
            return self.fill(_chosen(phrase, values), values)
        if isinstance(subject, Refusal | Check | BotReason | Preview | NoticeText):
            return self._by_key(subject)
        raise TypeError(f"{subject!r} is not an event, refusal, check or reason")

    def text(self, text: str) -> str:
        return self.texts.get(text, text)

    def place_name(self, name: str) -> str:
        return self._places.get(name, {}).get("name", name)

    def role(self, role: Role) -> Role:
        return structs.replace(role, name=self.text(role.name), line=self.text(role.line))

    def card(self, card: Card) -> Card:
        return structs.replace(
            card,
            title=self.text(card.title),
            description=self.text(card.description),
            roles=tuple(map(self.role, card.roles)),
        )

    def event(self, event: Happening) -> Happening:
        changes: dict[str, object] = {}
        for field in event.__struct_fields__:
            value = getattr(event, field)
            if field in _PLACES:
                changes[field] = self.place_name(value)
            elif field in _TEXTS and value is not None:
                changes[field] = self.text(value)
            elif field == "shares":
                changes[field] = tuple(map(self.event, value))
        return structs.replace(event, **changes) if changes else event

    def _by_key(self, subject: Refusal | Check | BotReason | Preview | NoticeText) -> str:
        phrases, values = self._keyed[_SECTIONS[type(subject)]], subject.values
        try:
            return self.fill(_chosen(phrases[subject.key], values), values)
        except (LookupError, TypeError, ValueError):  # a plugin may give any reason, and a refusal must stay readable
            return described(subject.key, values, subject.rule if isinstance(subject, Refusal) else "")

    def fill(self, sentence: str, values: Mapping[str, Any]) -> str:
        return "".join(
            [text + (self._filled(values[field], way) if field else "") for text, field, way in _parts(sentence)]
        )

    def data_error(self, error: DataError) -> str:
        problem = self._joined(error.parts)
        values = {"problem": problem, "line": error.line}
        return problem if error.line is None else self.fill(self.phrases["in_line"], values)

    def _joined(self, parts: Sequence[Part]) -> str:
        return joined_parts(self._filled(part, "") for part in parts)

    def _filled(self, value: Any, way: str) -> str:
        if not way:
            return self._worded(value) if isinstance(value, Wording) else str(value)
        if way in self._counts:
            return self._counted(value if isinstance(value, int) else len(value), self._counts[way])
        if way in self._lists:
            return self._listed([str(item) for item in value], self._lists[way])
        if way.startswith("."):
            return self._number(format(value, way))
        if way[0].isupper():
            return _capitalised(self._filled(value, way.lower()))
        if way in self._ways:
            return self._ways[way](value)
        return format(value, way)

    def _worded(self, wording: Wording) -> str:
        return self.fill(self._wordings.get(wording.words, wording.words), wording.values)

    def _bot(self, bot: str) -> str:
        return self.bots[bot].label if bot in self.bots else bot

    def _action(self, text: str) -> str:
        """An action of the notation in words."""
        action = parse_action(text)
        kind = action.kind if isinstance(action, TakeRole) else str(action.__struct_config__.tag)
        values = structs.asdict(action)
        if isinstance(action, Move):
            values["area"] = self._names.get(action.area, action.area.replace("-", " ").title())
        return self.fill(self._actions[kind], values)

    def _place(self, way: str, name: str) -> str:
        own = self._places.get(name, {})
        return own.get(way) or self.phrases[way].format(name=own.get("name", name))

    def _place_list(self, names: Sequence[str]) -> str:
        return self._listed([self._place("place", name) for name in names], self._lists["or"])

    def _title_list(self, cards: Sequence[tuple[int, str] | str]) -> str:
        return self._listed([self._titled(card) for card in cards], self._lists["or"])

    def _titled(self, card: tuple[int, str] | str) -> str:
        """A card in a list, by number and title; a plain text stands for further cards."""
        if isinstance(card, str):
            return card
        number, title = card
        return self.phrases["titled"].format(number=number, title=self.text(title))

    def _number(self, figures: str) -> str:
        return figures.replace(".", self._numbers["decimal"]).replace("%", self._numbers["percent"])

    @staticmethod
    def _counted(count: int, forms: dict[str, str]) -> str:
        return forms.get(str(count), forms["other"]).format(n=count)

    @staticmethod
    def _listed(items: Sequence[str], last: str) -> str:
        return last.join(filter(None, (", ".join(items[:-1]), items[-1])))


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


@cache
def _parts(sentence: str) -> tuple[tuple[str, str | None, str], ...]:
    """A sentence in parts: each a text, the field after it, and the way to fill it in."""
    return tuple((text, field, way or "") for text, field, way, _ in string.Formatter().parse(sentence))


def _chosen(phrase: Phrase, values: Mapping[str, Any]) -> str:
    """The sentence of a phrase for these values."""
    while not isinstance(phrase, str):
        value = values[phrase["by"]]
        case = "none" if value is None or value == () else str(value).casefold()
        phrase = phrase[case] if case in phrase else phrase["other"]
    return phrase
