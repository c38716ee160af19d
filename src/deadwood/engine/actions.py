"""What a player can do. Their texts are in `notation`."""

from typing import Final, Literal

from msgspec import Struct

RoleKind = Literal["star", "extra"]
Currency = Literal["dollars", "credits"]


class Move(Struct, frozen=True, gc=False, tag="move"):
    """Step through a doorway into the area with this id (R4)."""

    area: str


class TakeRole(Struct, frozen=True, gc=False, tag="take"):
    """Take a starring role of the card or an extra role of the set, counted from the left (R5)."""

    kind: RoleKind
    number: int


class Act(Struct, frozen=True, gc=False, tag="act"):
    """Roll the die against the budget (R6.1)."""


class Rehearse(Struct, frozen=True, gc=False, tag="rehearse"):
    """Take a practice chip (R6.6)."""


class Upgrade(Struct, frozen=True, gc=False, tag="upgrade"):
    """Buy a rank in the Casting Office (R8)."""

    rank: int
    currency: Currency


class EndTurn(Struct, frozen=True, gc=False, tag="end"):
    """End the turn (R3.1)."""


Action = Move | TakeRole | Act | Rehearse | Upgrade | EndTurn

ACT: Final = Act()
REHEARSE: Final = Rehearse()
END_TURN: Final = EndTurn()
