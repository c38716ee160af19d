"""What a table may choose (RULES section 12), and the numbers of the rules that no data file holds."""

from typing import Literal, get_args

from msgspec import Struct

from .refusal import Refusal, SetupError

PLAYERS = range(2, 9)  # R2.1
DAYS = range(1, 5)  # R12.6
POINTS_PER_RANK = 5  # R11.1
CHIPS_PER_REHEARSAL = 1  # R6.6


class Purse(Struct, frozen=True, gc=False):
    """An amount in both currencies."""

    dollars: int
    credits: int


class Beginning(Struct, frozen=True, gc=False):
    """What a player starts with."""

    rank: int = 1
    credits: int = 0


PAY = {  # for an act, by kind of role and success
    "star": {True: Purse(0, 2), False: Purse(0, 0)},  # R6.2
    "extra": {True: Purse(1, 1), False: Purse(1, 0)},  # R6.3
}

_BEGINNINGS = {
    5: Beginning(credits=2),
    6: Beginning(credits=4),
    7: Beginning(rank=2),
    8: Beginning(rank=2),
}


def beginning(players: int) -> Beginning:
    """What each player starts with, by the number of players (R2.3)."""
    return _BEGINNINGS.get(players, Beginning())


def usual_days(players: int) -> int:
    """How many days a game lasts, by the number of players (R2.2)."""
    return 3 if players <= 3 else 4


RANDOM = "random"  # for `first` and `layout`: drawn when the game starts

Ties = Literal["later", "shared"]
Bonus = Literal["roles", "actors"]
DiceKind = Literal["fair", "table"]

CHOICES: dict[str, tuple[str, ...]] = {"ties": get_args(Ties), "bonus": get_args(Bonus), "dice": get_args(DiceKind)}
CLAUSES = {
    "deck": "R12.1",
    "layout": "R12.2",
    "first": "R12.3",
    "ties": "R12.4",
    "bonus": "R12.5",
    "days": "R12.6",
    "dice": "R12.7",
}


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table's choices. Once a game has started they hold what was drawn (RULES section 12).

    `deck` and `layout` are looked up, and `first` found among the names, when the game starts.
    """

    deck: str = "classic"
    layout: str = "standard"
    first: str = RANDOM
    ties: Ties = "later"
    bonus: Bonus = "roles"
    days: int | None = None
    dice: DiceKind = "fair"

    @property
    def drawn(self) -> tuple[str, ...]:
        """What is to be drawn, in this order (R2.6, R10.3)."""
        return tuple(name for name in ("first", "layout") if getattr(self, name).strip().casefold() == RANDOM)

    def __post_init__(self) -> None:
        for option, choices in CHOICES.items():
            value = getattr(self, option)
            if value not in choices:
                raise SetupError(_not_a_choice(option, value, choices))
        for option in ("deck", "layout", "first"):
            value = getattr(self, option)
            if not isinstance(value, str):
                raise SetupError(Refusal(CLAUSES[option], "option_not_text", {"option": option, "value": value}))
        if self.days is not None and (type(self.days) is not int or self.days not in DAYS):
            raise SetupError(
                Refusal(CLAUSES["days"], "days_out_of_range", {"days": self.days, "least": DAYS[0], "most": DAYS[-1]})
            )


def _not_a_choice(option: str, value: object, choices: tuple[str, ...]) -> Refusal:
    return Refusal(CLAUSES[option], "not_a_choice", {"option": option, "value": value, "choices": choices})
