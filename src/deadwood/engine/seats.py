"""Who sits at the table: names and colours (R2.1)."""

import re
import unicodedata
from collections.abc import Iterable, Sequence

from msgspec import Struct

from .options import PLAYERS
from .refusal import Refusal, SetupError, shortened

COLOURS = ("red", "blue", "green", "yellow", "purple", "orange", "white", "black")
NAME_LENGTH = 40
RESERVED_NAME = "result"  # records close with a line that starts with it
_BOT_NAME = re.compile(r"[^\W_][\w.-]{0,39}(:\w{1,40})?")  # one word, as records write it, or module:Class
_SEPARATORS = frozenset(";:")
_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_UNPRINTABLE = frozenset({"Cc", "Cs", "Zl", "Zp"})  # control, half a character, line and paragraph breaks
_VISIBLE = frozenset("LNPS")  # letters, numbers, punctuation, symbols


class Seat(Struct, frozen=True):
    """The colour of a seat's die, and the bot that plays it; None for a person."""

    colour: str
    bot: str | None = None


def check_names(names: Iterable[str]) -> tuple[str, ...]:
    """The names as they are stored (trimmed, NFC), or a SetupError that says what is wrong with one."""
    if isinstance(names, str):
        raise SetupError(Refusal("R2.1", "names_not_a_list", {"names": names}))
    given, checked = list(names), list[str]()
    if len(given) not in PLAYERS:
        values = {"count": len(given), "least": PLAYERS[0], "most": PLAYERS[-1]}
        raise SetupError(Refusal("R2.1", "player_count", values))
    for name in given:
        checked.append(check_name(name, checked))
    return tuple(checked)


def check_name(name: str, others: Sequence[str] = ()) -> str:
    """A name as it is stored (trimmed, NFC), or a SetupError."""
    problem = name_refusal(name, others)
    if problem is not None:
        raise SetupError(problem)
    return _kept(name)


def name_refusal(name: str, others: Sequence[str] = ()) -> Refusal | None:
    """Why a player cannot have this name beside the others, or None."""
    if not isinstance(name, str):
        return Refusal("R2.1", "name_not_text", {"name": name})
    kept = _kept(name)
    if not any(unicodedata.category(character)[0] in _VISIBLE for character in kept):
        return Refusal("R2.1", "name_empty")
    if len(kept) > NAME_LENGTH:
        return Refusal("R2.1", "name_too_long", {"name": shortened(kept), "length": len(kept), "most": NAME_LENGTH})
    for character in kept:
        if not _allowed(character):
            values = {"name": shortened(kept), "character": _described(character)}
            return Refusal("R2.1", "name_character", values)
    if _compared(kept) == RESERVED_NAME:
        return Refusal("R2.1", "name_reserved", {"name": kept})
    if _compared(kept) in map(_compared, others):
        return Refusal("R2.1", "name_taken", {"name": kept})
    return None


def find_name(name: str, names: Sequence[str]) -> int | None:
    """The seat of the player with this name (compared trimmed and without case), or None."""
    wanted = _compared(name)
    return next((seat for seat, other in enumerate(names) if _compared(other) == wanted), None)


def usual_seats(count: int) -> tuple[Seat, ...]:
    """People only, in the order of the colours."""
    return tuple(Seat(colour) for colour in COLOURS[:count])


def check_seats(seats: Iterable[Seat], count: int) -> tuple[Seat, ...]:
    """The seats, or a SetupError: one for every player, colours known and distinct (R2.1)."""
    checked = tuple(seats)
    if len(checked) != count:
        raise SetupError(Refusal("R2.1", "seat_count", {"seats": len(checked), "players": count}))
    taken: set[str] = set()
    for seat in checked:
        if not isinstance(seat, Seat):
            raise TypeError(f"{seat!r} is not a Seat")
        if seat.bot is not None and not _BOT_NAME.fullmatch(seat.bot):
            raise SetupError(Refusal("R2.1", "bot_name", {"bot": shortened(seat.bot)}))
        if seat.colour not in COLOURS:
            values = {"colour": seat.colour, "choices": COLOURS}
            raise SetupError(Refusal("R2.1", "colour_unknown", values))
        if seat.colour in taken:
            raise SetupError(Refusal("R2.1", "colour_taken", {"colour": seat.colour}))
        taken.add(seat.colour)
    return checked


def _kept(name: str) -> str:
    return unicodedata.normalize("NFC", name.strip())


def _compared(name: str) -> str:
    return unicodedata.normalize("NFC", _kept(name).casefold())


def _allowed(character: str) -> bool:
    return (
        character not in _SEPARATORS and character not in _BIDI and unicodedata.category(character) not in _UNPRINTABLE
    )


def _described(character: str) -> str:
    return character if character in _SEPARATORS else f"U+{ord(character):04X}"
