"""The players' dice in a terminal: a colour and, because colour is never the only cue, a symbol."""

from collections.abc import Sequence

from msgspec import Struct

from ..engine.seats import Seat


class Look(Struct, frozen=True):
    """A colour that is legible on dark and light grounds, and a distinct symbol."""

    colour: str
    symbol: str


LOOKS = {
    "red": Look("#e0524d", "▲"),
    "blue": Look("#4f8fe6", "●"),
    "green": Look("#3fa35b", "■"),
    "yellow": Look("#d9a514", "◆"),
    "purple": Look("#a86fd6", "★"),
    "orange": Look("#e0812f", "✚"),
    "white": Look("#b9b9b9", "○"),
    "black": Look("#7d7d8c", "♠"),
}


def look(seat: Seat) -> Look:
    """The look of a seat's die."""
    return LOOKS[seat.colour]


_PIPS = {
    1: ("       ", "   ●   ", "       "),
    2: (" ●     ", "       ", "     ● "),
    3: (" ●     ", "   ●   ", "     ● "),
    4: (" ●   ● ", "       ", " ●   ● "),
    5: (" ●   ● ", "   ●   ", " ●   ● "),
    6: (" ●   ● ", " ●   ● ", " ●   ● "),
}


def dice_picture(dice: Sequence[int]) -> str:
    """Large dice, side by side."""
    rows = [
        "  ".join("╭───────╮" for _ in dice),
        *("  ".join(f"│{_PIPS[die][row]}│" for die in dice) for row in range(3)),
        "  ".join("╰───────╯" for _ in dice),
    ]
    return "\n".join(rows)
