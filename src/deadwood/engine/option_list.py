"""The options of a table as data (RULES section 12): front ends offer what is listed here."""

from msgspec import Struct, structs

from .board import Board, built_in_board
from .deck import BUILT_IN_DECKS
from .options import CHOICES, CLAUSES, DAYS, PLAYERS, RANDOM, Options, usual_days


class OneOf(Struct, frozen=True, tag="one_of"):
    """One value from a fixed list."""

    values: tuple[str, ...]


class WholeNumber(Struct, frozen=True, tag="whole_number"):
    """A whole number, or null for the usual one: `usual` gives it by the number of players."""

    least: int
    most: int
    usual: dict[int, int]


class PlayerName(Struct, frozen=True, tag="player_name"):
    """The name of a player at the table, or one of the values."""

    values: tuple[str, ...]


class Spelled(Struct, frozen=True, tag="spelled"):
    """One of the values, or a text such as the examples."""

    values: tuple[str, ...]
    examples: tuple[str, ...]


Allowed = OneOf | WholeNumber | PlayerName | Spelled


class Option(Struct, frozen=True):
    """One choice of a table: the field of Options, its clause, its default and what it may be."""

    name: str
    clause: str
    default: str | int | None
    allowed: Allowed


def list_options(board: Board | None = None) -> tuple[Option, ...]:
    """All options in the order of their clauses; the named layouts are those of the board."""
    allowed: dict[str, Allowed] = {
        "deck": OneOf(BUILT_IN_DECKS),
        "layout": _layouts(built_in_board() if board is None else board),
        "first": PlayerName((RANDOM,)),
        "days": WholeNumber(DAYS[0], DAYS[-1], {players: usual_days(players) for players in PLAYERS}),
        **{name: OneOf(values) for name, values in CHOICES.items()},
    }
    return tuple(
        Option(field.name, CLAUSES[field.name], field.default, allowed[field.name]) for field in structs.fields(Options)
    )


def _layouts(board: Board) -> Spelled:
    """R10.3; the examples are a square with a turned section, a row and an L, by the sections' initials."""
    one, two, three, four = (section.initial for section in board.sections)
    examples = (f"{one}'{two}/{three}{four}", f"{one}{two}{three}{four}", f"{one}./{two}./{three}{four}'")
    return Spelled((*board.layouts, RANDOM), examples)
