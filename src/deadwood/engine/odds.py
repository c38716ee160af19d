"""Exact chances and expectations, as fractions, for front ends and bots."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from .actions import RoleKind
from .chance import FACES
from .deck import Card
from .options import CHIPS_PER_REHEARSAL, PAY, Purse
from .scoring import points
from .state import State
from .table import FIRST_EXTRA, role_kind
from .wrap import best_first, cast_of, deal, extra_bonus, paid_roles

Distribution = Mapping[int, Fraction]  # dollars -> chance
Bonus = int | tuple[int, int, int]  # a certain amount, or the arguments of `dealt_dice`


class ActOdds(Struct, frozen=True, eq=False):
    """What acting now would bring a working player. Equal situations share one object, so identity is equality."""

    needed: int  # the lowest die that succeeds
    chance: Fraction
    chance_rehearsed: Fraction  # with the chip of one more rehearsal
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


@cache
def success_chance(budget: int, chips: int) -> Fraction:
    """The chance that an act succeeds (R6.1)."""
    return Fraction(FACES + 1 - needed_die(budget, chips), FACES)


def act_odds(state: State, seat: int | None = None) -> ActOdds | None:
    """The odds of a seat's next act, by default the active one's; None if that player is not working."""
    player = state.players[state.active if seat is None else seat]
    card = state.card(player.area)
    if state.over or player.role is None or card is None:
        return None
    wraps, bonus = state.is_last_shot(player.area), _bonus(state, player.area, player.role)
    return _act_odds(card.budget, player.chips, role_kind(player.role), wraps, bonus)


@cache
def _act_odds(budget: int, chips: int, kind: RoleKind, wraps: bool, bonus: Bonus) -> ActOdds:
    return ActOdds(
        needed=needed_die(budget, chips),
        chance=success_chance(budget, chips),
        chance_rehearsed=success_chance(budget, chips + CHIPS_PER_REHEARSAL),
        success=PAY[kind][True],
        failure=PAY[kind][False],
        wraps=wraps,
        bonus=_distribution(bonus),
    )


@cache
def expected_pay(budget: int, chips: int, kind: RoleKind) -> Fraction:
    """What one act pays on average, in points, without a bonus (R6.1 to R6.3, R11.1)."""
    return _act_odds(budget, chips, kind, wraps=False, bonus=0).expected


def role_odds(state: State, role: int) -> ActOdds | None:
    """The odds of the active player's first act on a role of the set they are on; None if no card lies face up."""
    player = replace(state.players[state.active], role=role, chips=0)
    players = tuple(player if seat == state.active else one for seat, one in enumerate(state.players))
    return act_odds(replace(state, players=players))


def wrap_bonus(state: State, area: int, role: int) -> Distribution:
    """What a player on that role would get if the scene wrapped now, with its present cast."""
    return _distribution(_bonus(state, area, role))


def expected_bonus(state: State, area: int, role: int) -> Fraction:
    """The mean of `wrap_bonus`."""
    return _mean(_bonus(state, area, role))


def full_cast_bonus(card: Card, role: int) -> Distribution:
    """What a starring role gets at the wrap if somebody is on every role of its card, with either option (R12.5)."""
    order = best_first(card)
    return dealt_dice(card.budget, len(order), order.index(role))


def _bonus(state: State, area: int, role: int) -> Bonus:
    if state.card(area) is None:
        raise ValueError(f"there is no scene to wrap at {state.table.areas[area].name}")
    cast = {**cast_of(state, area), role: 0}
    if all(number >= FIRST_EXTRA for number in cast):  # R7.1
        return 0
    if role >= FIRST_EXTRA:  # R7.4
        return extra_bonus(state.table.areas[area].extras[role - FIRST_EXTRA])
    roles = paid_roles(state, area, cast)
    return state.table.cards[state.scenes[area]].budget, len(roles), roles.index(role)


def _distribution(bonus: Bonus) -> Distribution:
    return MappingProxyType({bonus: Fraction(1)}) if isinstance(bonus, int) else dealt_dice(*bonus)


@cache
def _mean(bonus: Bonus) -> Fraction:
    return expectation(_distribution(bonus))


@cache
def dealt_dice(dice: int, places: int, place: int) -> Distribution:
    """The distribution of the sum of the dice dealt to one place; place 0 is the best role's (R7.2)."""
    ways: Counter[int] = Counter()
    for faces in combinations_with_replacement(range(1, FACES + 1), dice):
        orders = factorial(dice) // prod(map(factorial, Counter(faces).values()))
        ways[sum(deal(faces, places)[place])] += orders
    return MappingProxyType({dollars: Fraction(count, FACES**dice) for dollars, count in sorted(ways.items())})


def expectation(distribution: Distribution) -> Fraction:
    """The mean of a distribution."""
    return sum((value * chance for value, chance in distribution.items()), Fraction(0))
