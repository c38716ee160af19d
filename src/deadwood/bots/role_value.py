"""What a role is worth to a player alone on a set: act or rehearse, solved exactly."""

from functools import cache
from typing import NamedTuple

from ..engine.deck import most_chips
from ..engine.odds import success_chance
from ..engine.options import CHIPS_PER_REHEARSAL, PAY
from ..engine.scoring import points


class Work(NamedTuple):
    """The work left in a role: budget, shots, chips, and the bonus for the last shot."""

    starring: bool
    budget: int
    shots: int
    chips: int
    bonus: float


@cache
def worth(work: Work, turn: float) -> float:
    """Points that the role still earns, if every turn costs what a turn is worth elsewhere."""
    return max(acting(work, turn), rehearsing(work, turn))


def acting(work: Work, turn: float) -> float:
    """Like `worth`, acting now. A failure leaves everything as it was, so the expected waiting time is 1 / chance."""
    chance = float(success_chance(work.budget, work.chips))
    pay = PAY["star" if work.starring else "extra"]
    success = points(pay[True]) + (worth(work._replace(shots=work.shots - 1), turn) if work.shots > 1 else work.bonus)
    return success + ((1 - chance) * points(pay[False]) - turn) / chance


def rehearsing(work: Work, turn: float) -> float:
    """Like `worth`, rehearsing now; minus infinity if that is refused (R6.7)."""
    if work.chips >= most_chips(work.budget):
        return float("-inf")
    return worth(work._replace(chips=work.chips + CHIPS_PER_REHEARSAL), turn) - turn


def duration(work: Work, turn: float) -> float:
    """The number of turns that the role takes with the strategy of `worth`."""
    if rehearsing(work, turn) > acting(work, turn):
        return 1 + duration(work._replace(chips=work.chips + CHIPS_PER_REHEARSAL), turn)
    turns = 1 / float(success_chance(work.budget, work.chips))
    return turns + (duration(work._replace(shots=work.shots - 1), turn) if work.shots > 1 else 0.0)
