"""Short texts that the app, the plain mode and the commands share."""

import unicodedata

from ..engine.options import Purse
from ..engine.refusal import DeadwoodError
from ..engine.state import State
from ..engine.table import FACE_DOWN
from ..narration import purse_text
from .wording import card_text, language, phrase, sentence

_HARMFUL = frozenset({"Cc", "Cs", "Zl", "Zp"})  # control, half a character, line and paragraph breaks
_REORDERING = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})


def clean(text: str) -> str:
    """A text without characters that would control the terminal."""
    return text if text.isprintable() else "".join(map(_harmless, text))


def _harmless(char: str) -> str:
    harmful = unicodedata.category(char) in _HARMFUL or unicodedata.bidirectional(char) in _REORDERING
    return "\N{REPLACEMENT CHARACTER}" if harmful and char != "\n" else char


def error_sentence(error: DeadwoodError | OSError) -> str:
    """What went wrong, for people."""
    if isinstance(error, DeadwoodError):
        return sentence(error)
    return f"{error.filename}: {error.strerror}." if error.filename else f"{error.strerror or error}."


def pay(purse: Purse) -> str:
    """As in `$1 and 1 credit`; `nothing` for an empty purse."""
    return purse_text(purse, language()) if purse.dollars or purse.credits else phrase("notes.nothing")


def scene_text(state: State, area: int) -> str:
    """The scene of a set; empty for the Trailers and the Casting Office, and after the game."""
    place, card = state.table.areas[area], state.card(area)
    if place.kind != "set" or state.over:  # in the end all cards are gone, finished or not (R9.1)
        return ""
    if card is not None:
        values = {"title": card_text(card.title), "budget": card.budget, "card": card.number}
        return phrase("scene.face_up", shots=_shots(state, area), **values)
    if state.scenes[area] == FACE_DOWN:
        return phrase("scene.face_down", shots=_shots(state, area))
    return phrase("scene.wrapped")


def _shots(state: State, area: int) -> str:
    left, printed = state.shots[area], state.table.areas[area].shots
    return phrase("scene.shots" if left == printed else "scene.shots_of", left=left, printed=printed)
