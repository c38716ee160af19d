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
_UNSEEN = frozenset({"Cf", "Cn", "Co"})  # formatting such as zero-width spaces, unassigned, private
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")  # marks, letters and a pattern without ink
_SELECTORS = (range(0x180B, 0x1810), range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))  # variants of the character before
_EMOJI_STYLE, _JOINER = "\ufe0f", "\u200d"  # what keyboards write after and between the parts of an emoji
_WITHOUT_GLUE = str.maketrans("", "", _EMOJI_STYLE + _JOINER)
_VISIBLE = frozenset("LNPS")  # letters, numbers, punctuation, symbols


class Seat(Struct, frozen=True):
    """The colour of a seat's die, and the bot that plays it; None for a person.

    `stand_in` is the bot that plays on for a person or a remote bot that left for good.
    """

    colour: str
    bot: str | None = None
    stand_in: str | None = None


def check_names(names: Iterable[str], *, kept: bool = False) -> tuple[str, ...]:
    """The names as they are stored (trimmed, NFC), or a SetupError that says what is wrong with one.

    Names that are `kept` in a record or a log may be any that an earlier version allowed.
    """
    if isinstance(names, str):
        raise SetupError(Refusal("R2.1", "names_not_a_list", {"names": names}))
    given, checked = list(names), list[str]()
    check_count(len(given))
    for name in given:
        checked.append(check_name(name, checked, kept=kept))
    return tuple(checked)


def check_count(players: int) -> None:
    """A SetupError if so many players cannot play (R2.1)."""
    if players not in PLAYERS:
        values = {"count": players, "least": PLAYERS[0], "most": PLAYERS[-1]}
        raise SetupError(Refusal("R2.1", "player_count", values))


def check_name(name: str, others: Sequence[str] = (), *, kept: bool = False) -> str:
    """A name as it is stored (trimmed, NFC), or a SetupError."""
    problem = name_refusal(name, others, kept=kept)
    if problem is not None:
        raise SetupError(problem)
    return _stored(name)


def name_refusal(name: str, others: Sequence[str] = (), *, kept: bool = False) -> Refusal | None:
    """Why a player cannot have this name, given the others, or None."""
    if not isinstance(name, str):
        return Refusal("R2.1", "name_not_text", {"name": name})
    stored = _stored(name)
    half = next((one for one in stored if unicodedata.category(one) == "Cs"), None)
    if half is not None:  # bytes that are not text, which a command line may contain
        return Refusal("R2.1", "name_character", {"name": shortened(stored), "character": _described(half)})
    if not any(unicodedata.category(character)[0] in _VISIBLE for character in stored):
        return Refusal("R2.1", "name_empty")
    if len(stored) > NAME_LENGTH:
        values = {"name": shortened(stored), "length": len(stored), "most": NAME_LENGTH}
        return Refusal("R2.1", "name_too_long", values)
    refused = next((one for at, one in enumerate(stored) if not _allowed(stored, at, kept)), None)
    if refused is not None:
        values = {"name": shortened(stored), "character": _described(refused)}
        return Refusal("R2.1", "name_character", values)
    compared = _narrowly if kept else compared_name
    if compared(stored) == RESERVED_NAME:
        return Refusal("R2.1", "name_reserved", {"name": shortened(stored)})
    if compared(stored) in map(compared, others):
        return Refusal("R2.1", "name_taken", {"name": shortened(stored)})
    return None


def find_name(name: str, names: Sequence[str]) -> int | None:
    """The seat of the player with this name, or None.

    Names are compared as they are checked. Kept names may differ only in what an earlier version compared.
    """
    for compared in (_narrowly, compared_name):
        wanted = compared(name)
        for seat, other in enumerate(names):
            if compared(other) == wanted:
                return seat
    return None


def compared_name(name: str) -> str:
    """A key that is the same for two names that people could not tell apart by reading: NFKC, without case."""
    folded = unicodedata.normalize("NFKC", _stored(name).translate(_WITHOUT_GLUE)).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())


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
        for bot in (seat.bot, seat.stand_in):
            if bot is not None:
                check_bot_name(bot)
        if seat.colour not in COLOURS:
            values = {"colour": seat.colour, "choices": COLOURS}
            raise SetupError(Refusal("R2.1", "colour_unknown", values))
        if seat.colour in taken:
            raise SetupError(Refusal("R2.1", "colour_taken", {"colour": seat.colour}))
        taken.add(seat.colour)
    return checked


def check_bot_name(bot: str) -> str:
    """The name of a bot, or a SetupError."""
    if not _BOT_NAME.fullmatch(bot):
        raise SetupError(Refusal("R2.1", "bot_name", {"bot": shortened(bot)}))
    return bot


def _stored(name: str) -> str:
    return unicodedata.normalize("NFC", name.strip())


def _narrowly(name: str) -> str:
    """The key that earlier versions compared."""
    return unicodedata.normalize("NFC", _stored(name).casefold())


def _allowed(name: str, at: int, kept: bool) -> bool:
    if name[at] in _SEPARATORS:
        return False
    return not (_breaks_line(name[at]) if kept else is_unseen(name, at))


def is_unseen(text: str, at: int) -> bool:
    """Whether a character has no ink, or moves its neighbours; not if it holds an emoji together."""
    character = text[at]
    if _breaks_line(character):
        return True
    selects = any(ord(character) in selectors for selectors in _SELECTORS)
    unseen = selects or character in _BLANK or unicodedata.category(character) in _UNSEEN
    return unseen and not _holds_emoji_together(text, at)


def _breaks_line(character: str) -> bool:
    return character in _BIDI or unicodedata.category(character) in _UNPRINTABLE


def _holds_emoji_together(name: str, at: int) -> bool:
    before, after = name[:at], name[at + 1 : at + 2]
    if name[at] == _EMOJI_STYLE:
        return _is_symbol(before[-1:])
    return name[at] == _JOINER and _is_symbol(before.removesuffix(_EMOJI_STYLE)[-1:]) and _is_symbol(after)


def _is_symbol(character: str) -> bool:
    return bool(character) and unicodedata.category(character)[0] == "S"


def _described(character: str) -> str:
    return character if character in _SEPARATORS else f"U+{ord(character):04X}"
