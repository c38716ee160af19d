"""The bonuses of a wrap (RULES section 7), elementwise: computed for every game, kept where a scene wraps."""

from collections.abc import Sequence
from typing import NamedTuple

import jax.numpy as jnp

from ..engine.deck import MOST_STARS
from .bits import pick
from .state import Player
from .table import RANK_BITS, Area, Card
from .words import Array

STARS = (1 << MOST_STARS) - 1
HAND_BITS = 6  # enough for the sum of six dice
# These comparisons sort any six values.
SORTING_NETWORK = ((0, 5), (1, 3), (2, 4), (1, 2), (3, 4), (0, 3), (2, 5), (0, 1), (2, 3), (4, 5), (1, 2), (3, 4))


class Bonuses(NamedTuple):
    """What a wrap pays for every role, packed, the left-hand role lowest; `extras` leaves room for the stars."""

    stars: Array
    extras: Array

    def of(self, player: Player) -> Array:
        """A player's bonus; undefined for players without a role there."""
        star = (self.stars >> (HAND_BITS * player.role)) & ((1 << HAND_BITS) - 1)
        extra = (self.extras >> (RANK_BITS * player.role)) & ((1 << RANK_BITS) - 1)
        return jnp.where(player.role < MOST_STARS, star, extra)


def all_bonuses(card: Card, area: Area, stars: Array, bonus_actors: Array, dice: Sequence[Array]) -> Bonuses:
    """R7.3 for stars, R7.4 for extras; no bonuses if nobody is on the card (R7.1)."""
    nobody = stars == 0
    shares = star_shares(card, stars, bonus_actors, dice)
    return Bonuses(jnp.where(nobody, 0, shares), jnp.where(nobody, 0, area.extra_ranks << (RANK_BITS * MOST_STARS)))


def star_shares(card: Card, stars: Array, bonus_actors: Array, dice: Sequence[Array]) -> Array:
    """The dollars of every starring role, packed, if somebody is on the card (R7.2)."""
    paid = jnp.where(bonus_actors, stars, card.roles)  # R12.5
    bits = [(paid >> role) & 1 for role in range(MOST_STARS)]
    hands = deal(highest_first(dice, card.budget), bits[0] + bits[1] + bits[2])
    left = pick(hands, bits[1] + bits[2])  # the right-hand role is the best one (R7.2)
    middle = pick(hands[:2], bits[2])
    return left | middle << HAND_BITS | hands[0] << (2 * HAND_BITS)


def highest_first(dice: Sequence[Array], budget: Array) -> list[Array]:
    """The first `budget` dice, highest first, then zeros."""
    ordered = [jnp.where(number < budget, die, 0) for number, die in enumerate(dice)]
    for one, other in SORTING_NETWORK:
        high, low = jnp.maximum(ordered[one], ordered[other]), jnp.minimum(ordered[one], ordered[other])
        ordered[one], ordered[other] = high, low
    return ordered


def deal(ordered: Sequence[Array], places: Array) -> list[Array]:
    """The sums of the dice dealt in turn to 1 to 3 places, the best place first (R7.2)."""
    one, two, three, four, five, six = ordered
    odd, even = one + three + five, two + four + six
    first = pick([odd + even, odd, one + four], places - 1)
    second = jnp.where(places == 2, even, two + five)
    return [first, second, three + six]
