"""Short texts that the app, the plain mode and the commands share."""

import unicodedata

from ..engine.options import Purse
from ..engine.refusal import DeadwoodError
from ..engine.state import State
from ..engine.table import FACE_DOWN
from ..narration import narrate
from ..phrases import counted

_HARMFUL = frozenset({"Cc", "Cs", "Zl", "Zp"})  # control, half a character, line and paragraph breaks
_REORDERING = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})


def clean(text: str) -> str:
    """A text without characters that would control the terminal."""
    return text if text.isprintable() else "".join(map(_harmless, text))


def _harmless(sign: str) -> str:
    harmful = unicodedata.category(sign) in _HARMFUL or unicodedata.bidirectional(sign) in _REORDERING
    return "\N{REPLACEMENT CHARACTER}" if harmful and sign != "\n" else sign


def error_sentence(error: DeadwoodError | OSError) -> str:
    """What went wrong, for people."""
    if isinstance(error, DeadwoodError):
        return narrate(error)
    return f"{error.filename}: {error.strerror}." if error.filename else f"{error}."


def pay(purse: Purse, separator: str) -> str:
    """`$1 and 1 credit` with the separator ` and `; `nothing` for an empty purse."""
    dollars = f"${purse.dollars}" if purse.dollars else ""
    credits = counted(purse.credits, "credit") if purse.credits else ""
    return separator.join(filter(None, (dollars, credits))) or "nothing"


def scene_text(state: State, area: int) -> str:
    """The scene of a set; nothing for the Trailers and the Casting Office."""
    place, card = state.table.areas[area], state.card(area)
    if place.kind != "set":
        return ""
    shots = f"{state.shots[area]} of {counted(place.shots, 'shot')} left"
    if card is not None:
        return f'"{card.title}", ${card.budget}M, {shots} (card {card.number})'
    return f"face down, {shots}" if state.scenes[area] == FACE_DOWN else "wrapped"
