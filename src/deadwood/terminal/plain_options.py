"""Asking for the options of a new game, one after the other, in the plain mode (RULES section 12)."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from ..engine.deck import BUILT_IN_DECKS, load_deck
from ..engine.options import CHOICES, DAYS, RANDOM
from ..engine.refusal import DeadwoodError
from ..narration import option_explanation, option_label, value_label
from .console import Console
from .new_game import NewGame
from .sentences import error_sentence
from .wording import language, phrase

USUAL = "usual"


def ask_options(console: Console, chosen: NewGame) -> NewGame:
    """The new game with other options; an empty answer leaves one as it is."""
    for option in ("deck", "layout", "first", "ties", "bonus", "days", "dice"):
        chosen = _asked(console, chosen, option)
    return chosen


def _asked(console: Console, chosen: NewGame, option: str) -> NewGame:
    console.say(f"{option_label(option, language())}: {option_explanation(option, language())}")
    values = list(_values(chosen, option))
    for value in values:
        label = value_label(option, None if value == USUAL else value, language())
        console.say(f"  {value}" if label == value else f"  {value:10} {label}")
    present = _present(chosen, option)
    while True:
        answer = console.ask(f"{option_label(option, language())} [{present}] ", values)
        try:
            return _changed(chosen, option, answer) if answer else chosen
        except (DeadwoodError, OSError) as error:
            console.say(error_sentence(error))


def _values(chosen: NewGame, option: str) -> Iterator[str]:
    match option:
        case "deck":
            yield from BUILT_IN_DECKS
            yield phrase("plain.deck_file")
        case "layout":
            yield from ("standard", "second", RANDOM, "GM/CH")
        case "first":
            yield from (RANDOM, *chosen.names)
        case "days":
            yield from (USUAL, *map(str, DAYS))
        case _:
            yield from CHOICES[option]


def _present(chosen: NewGame, option: str) -> str:
    if option == "deck" and chosen.deck:
        return chosen.deck.name
    value = getattr(chosen.options, option)
    return USUAL if value is None else str(value)


def _changed(chosen: NewGame, option: str, answer: str) -> NewGame:
    """The new game with one option changed; raises if it could not start like this."""
    value: Any = answer
    if option == "deck":
        own = None if answer in BUILT_IN_DECKS else load_deck(Path(os.path.expanduser(answer)))
        chosen = replace(chosen, deck=own)
        value = BUILT_IN_DECKS[0] if own else answer
    elif option == "days":
        value = None if answer == USUAL else int(answer) if answer.isdecimal() and len(answer) == 1 else answer
    changed = replace(chosen, options=replace(chosen.options, **{option: value}))
    changed.preview()
    return changed
