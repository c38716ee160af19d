"""Exact chances and expectations, as fractions, for front ends and bots."""

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod
from types import MappingProxyType
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from .chance import FACES
from .options import PAY, Purse
from .scoring import points
from .state import State
from .table import FIRST_EXTRA, role_kind
from .wrap import cast_of, deal, paid_roles

T = TypeVar("T")
Distribution = Mapping[int, Fraction]  # dollars -> chance


class ActOdds(Struct, frozen=True):
    """What acting now would bring a working player."""

    needed: int  # the lowest die that succeeds
    chance: Fraction
    chance_rehearsed: Fraction  # with one more chip
    success: Purse
    failure: Purse
    wraps: bool  # a success is the last shot
    bonus: Distribution  # the player's own wrap bonus, with the present cast

    @property
    def expected(self) -> Fraction:
        """What one act brings on average, in points (R11.1): its pay, and the player's bonus if it wraps the scene."""
        bonus = expectation(self.bonus) if self.wraps else 0
        return self.chance * (points(self.success) + bonus) + (1 - self.chance) * points(self.failure)


def needed_die(budget: int, chips: int) -> int:
    """The lowest die that succeeds (R6.1)."""
    return max(1, budget - chips)


def success_chance(budget: int, chips: int) -> Fraction:
    """The chance that an act succeeds (R6.1)."""
    return Fraction(FACES + 1 - needed_die(budget, chips), FACES)


def act_odds(state: State, seat: int | None = None) -> ActOdds | None:
    """The odds of a seat's next act, by default the active one's; None if that player is not working."""
    player = state.players[state.active if seat is None else seat]
    card = state.card(player.area)
    if state.over or player.role is None or card is None:
        return None
    pay = PAY[role_kind(player.role)]
    return ActOdds(
        needed=needed_die(card.budget, player.chips),
        chance=success_chance(card.budget, player.chips),
        chance_rehearsed=success_chance(card.budget, player.chips + 1),
        success=pay[True],
        failure=pay[False],
        wraps=state.shots[player.area] == 1,
        bonus=wrap_bonus(state, player.area, player.role),
    )


def role_odds(state: State, role: int) -> ActOdds | None:
    """The odds of the active player's first act on a role of the set there; None if no card lies face up."""
    player = replace(state.players[state.active], role=role, chips=0)
    players = tuple(player if seat == state.active else one for seat, one in enumerate(state.players))
    return act_odds(replace(state, players=players))


def wrap_bonus(state: State, area: int, role: int) -> Distribution:
    """What a player on that role would get if the scene wrapped now, with its present cast."""
    return _bonus(state, area, role, dealt_dice, _surely)


def expected_bonus(state: State, area: int, role: int) -> Fraction:
    """The mean of `wrap_bonus`."""
    return _bonus(state, area, role, _mean_of_dealt_dice, Fraction)


def _bonus(state: State, area: int, role: int, dealt: Callable[[int, int, int], T], sure: Callable[[int], T]) -> T:
    if state.card(area) is None:
        raise ValueError(f"there is no scene to wrap at {state.table.areas[area].name}")
    cast = {**cast_of(state, area), role: 0}
    if all(number >= FIRST_EXTRA for number in cast):  # R7.1
        return sure(0)
    if role >= FIRST_EXTRA:  # R7.4
        return sure(state.table.areas[area].extras[role - FIRST_EXTRA].rank)
    roles = paid_roles(state, area, cast)
    return dealt(state.table.cards[state.scenes[area]].budget, len(roles), roles.index(role))


def _surely(dollars: int) -> Distribution:
    return {dollars: Fraction(1)}


@cache
def _mean_of_dealt_dice(dice: int, places: int, place: int) -> Fraction:
    return expectation(dealt_dice(dice, places, place))


@cache
def dealt_dice(dice: int, places: int, place: int) -> Distribution:
    """The sum of the dice that one of the places is dealt; place 0 is the best role's (R7.2)."""
    ways: Counter[int] = Counter()
    for faces in combinations_with_replacement(range(1, FACES + 1), dice):
        orders = factorial(dice) // prod(map(factorial, Counter(faces).values()))
        ways[sum(deal(faces, places)[place])] += orders
    return MappingProxyType({dollars: Fraction(count, FACES**dice) for dollars, count in sorted(ways.items())})


def expectation(distribution: Distribution) -> Fraction:
    """The mean of a distribution."""
    return sum((value * chance for value, chance in distribution.items()), Fraction(0))
