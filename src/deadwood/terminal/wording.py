"""The terminal's own texts (`text/terminal.*.toml`), in the language in use.

As with gettext, the whole program uses one language: a terminal has one reader. `in_language` sets it.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from functools import cache
from typing import Any

import msgspec

from .. import narration
from ..engine.refusal import DeadwoodError
from ..narration import TEXTS, Phrase, fill_phrase, languages

DEFAULT = "en"
_in_use: ContextVar[str] = ContextVar("language in use", default=DEFAULT)


@contextmanager
def in_language(language: str) -> Iterator[None]:
    """Use a language inside a `with` block."""
    before = _in_use.set(language)
    try:
        yield
    finally:
        _in_use.reset(before)


def language() -> str:
    """The language in use."""
    return _in_use.get()


def language_of(environment: Mapping[str, str]) -> str:
    """The language that the environment asks for, as POSIX orders its variables; English if we do not speak it."""
    wanted = next(filter(None, map(environment.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    spoken = wanted.replace("-", "_").partition("_")[0].partition(".")[0].casefold()
    return spoken if spoken in languages() else DEFAULT


def language_of_environment() -> str:
    """The language of this process."""
    return language_of(os.environ)


def phrase(key: str, /, **values: Any) -> str:
    """A text by its section and name, as in `menu.new`."""
    return fill_phrase(unfilled(key), language(), values)


def unfilled(key: str) -> Phrase:
    """The phrase with this key as the catalogue has it."""
    section, _, name = key.partition(".")
    return catalogue(language())[section][name]


def words(key: str) -> tuple[str, ...]:
    """The words under a key that people may type: those of the language in use, and the English ones."""
    section, _, name = key.partition(".")
    texts = (catalogue(spoken)[section][name] for spoken in (language(), DEFAULT))
    return tuple(dict.fromkeys(word for text in texts if isinstance(text, str) for word in text.split()))


@cache
def catalogue(language: str) -> dict[str, dict[str, Phrase]]:
    """All texts in a language."""
    return msgspec.toml.decode((TEXTS / f"terminal.{language}.toml").read_bytes(), type=dict[str, dict[str, Phrase]])


def sentence(subject: msgspec.Struct | DeadwoodError) -> str:
    """An event, a refusal or an error as a sentence."""
    return narration.narrate(subject, language())


def place(name: str) -> str:
    """The name of an area."""
    return narration.place_name(name, language())


def card_text(text: str) -> str:
    """A text of a card or an extra."""
    return narration.translated_text(text, language())


def percent(chance: Fraction | float) -> str:
    """A chance in whole percent."""
    return narration.percent_text(chance, language())
