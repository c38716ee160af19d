"""What all decisions share: the decision itself, what it may know besides the log, and common checks."""

from collections.abc import Callable

from msgspec import Struct

from ...engine.game import Game
from ...engine.refusal import Refusal
from ..protocol.refusals import Stale, refuse
from ..protocol.views import PendingOutcome
from .log import Body, Chair
from .sitting import Sitting

Held = frozenset[int]
RandomBytes = Callable[[int], bytes]
_LEAST_DISTINCT_DIGITS = 8  # a random token has fewer than eight distinct digits about once in 10^19


class Decision(Struct, frozen=True):
    """The entry to store, the chair behind it, and the game after it."""

    by: int
    body: Body
    game: Game | None = None


class Moment(Struct, frozen=True):
    """What is not in the log: the time, the chairs that connections hold, what a bot waits for, the caller."""

    now: float = 0.0
    present: Held = frozenset()
    pending: PendingOutcome | None = None
    crowded: bool = False  # the caller's address already has many chairs here


def demand_next(sitting: Sitting, seq: int) -> None:
    """Refuse a command that was sent for another position. Votes and the like leave the position as it is."""
    if not sitting.position_seq < seq <= sitting.seq + 1:
        raise Stale(Refusal("", "stale", {"expected": sitting.seq + 1, "seq": seq}))


def demand_waiting(sitting: Sitting) -> None:
    """Refuse a command that is allowed only before the game."""
    if sitting.status != "waiting":
        raise refuse("table_not_waiting")


def demand_random(secret: str) -> None:
    """Refuse a secret that somebody could guess."""
    if len(set(secret)) < _LEAST_DISTINCT_DIGITS:
        raise refuse("token_weak")


def demand_setting_up(sitting: Sitting, held: Held) -> int:
    """The host's chair, if the game has not started and the caller is the host."""
    demand_waiting(sitting)
    return demand_host(sitting, held)


def demand_host(sitting: Sitting, held: Held) -> int:
    """The host's chair, if the caller holds it."""
    if sitting.host is None or sitting.host not in held:
        raise refuse("not_the_host")
    return sitting.host


def running(sitting: Sitting) -> Game:
    """The game that is running."""
    if sitting.game is None or sitting.game.over:
        raise refuse("table_not_running")
    return sitting.game


def existing(sitting: Sitting, id: int) -> Chair:
    """The chair with this id."""
    chair = sitting.chair(id)
    if chair is None:
        raise refuse("chair_unknown", chair=id)
    return chair


def own(sitting: Sitting, held: Held, id: int) -> Chair:
    """The chair with this id, if the caller holds it."""
    chair = existing(sitting, id)
    if id not in held:
        raise refuse("not_your_chair", player=chair.name)
    return chair


def somebody(sitting: Sitting, held: Held) -> int:
    """Any chair that the caller holds."""
    by = min((chair.id for chair in sitting.chairs if chair.id in held), default=None)
    if by is None:
        raise refuse("token_unknown")
    return by
