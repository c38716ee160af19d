"""Bots of the registry in vector form: an action for every game at once, from the state and a random word."""

from collections.abc import Callable

import jax.numpy as jnp
from jax import lax

from ..encoding import (
    ACT_NUMBER,
    AREAS,
    END_NUMBER,
    FIRST_CREDIT_UPGRADE,
    FIRST_DOLLAR_UPGRADE,
    FIRST_TAKE,
    RANKS,
    ROLES,
)
from ..engine.board import MOST_EXTRAS
from ..engine.deck import MOST_STARS
from .bits import count_bits, nth_bit
from .chance import draw, mix
from .legality import legal_bits, look_around
from .state import State, fixed_place
from .table import NO_SCENE, RANK_BITS
from .words import WORD_BITS, Array

VectorBot = Callable[[State, Array], Array]

MOVES = (1 << AREAS) - 1
TAKES = ((1 << ROLES) - 1) << FIRST_TAKE
STAR_TAKES = ((1 << MOST_STARS) - 1) << FIRST_TAKE
FIRST_EXTRA_TAKE = FIRST_TAKE + MOST_STARS
UPGRADES = ((1 << 2 * RANKS) - 1) << FIRST_DOLLAR_UPGRADE
END = 1 << END_NUMBER
POINT_BITS = 8  # how far a word is shifted, to leave room for additions


def random_bot(state: State, word: Array) -> Array:
    """Any legal action, like `deadwood.bots.random_bot`."""
    return any_of(legal_bits(state), word)


def any_of(bits: Array, word: Array) -> Array:
    """One of the actions in a word, all equally likely."""
    return nth_bit(bits, draw(word, count_bits(bits)))


def extra_bot(state: State, word: Array) -> Array:
    """Takes any role it can get, and otherwise wanders about, like `deadwood.bots.extra`."""
    legal = legal_bits(state)
    moving = legal & ~jnp.uint32(END)
    choices = jnp.where(legal & TAKES != 0, legal & TAKES, jnp.where(moving != 0, moving, legal))
    return any_of(choices, word)


def hopeful_bot(state: State, word: Array) -> Array:
    """Greedy for the next payday, like `deadwood.bots.hopeful`: acts, or buys a rank, or takes a role, or moves."""
    legal = legal_bits(state)
    action: Array = jnp.uint32(END_NUMBER)
    for wanted, choice in (
        (MOVES, _best_walk(state, legal, word)),
        (TAKES, _best_pay(state, legal)),
        (UPGRADES, _best_rank(legal)),
        (1 << ACT_NUMBER, jnp.uint32(ACT_NUMBER)),
    ):
        action = jnp.where(legal & wanted != 0, choice, action)
    return action


def _highest_bit(bits: Array) -> Array:
    """The position of the highest set bit; undefined if no bit is set."""
    return WORD_BITS - 1 - lax.clz(bits)


def _best_rank(legal: Array) -> Array:
    """The highest affordable rank, for dollars if possible."""
    every = (1 << RANKS) - 1
    dollars, credits = (legal >> FIRST_DOLLAR_UPGRADE) & every, (legal >> FIRST_CREDIT_UPGRADE) & every
    highest = _highest_bit(dollars | credits)
    in_dollars = (dollars >> highest) & 1 == 1
    return highest + jnp.where(in_dollars, jnp.uint32(FIRST_DOLLAR_UPGRADE), jnp.uint32(FIRST_CREDIT_UPGRADE))


def _best_pay(state: State, legal: Array) -> Array:
    """The first act pays more in any extra role than in a starring role; among equals, the highest rank wins."""
    ranks = look_around(state).area.extra_ranks
    best, action = jnp.zeros_like(legal), _highest_bit(legal & STAR_TAKES)
    for number in range(MOST_EXTRAS):
        rank = (ranks >> (RANK_BITS * number)) & ((1 << RANK_BITS) - 1)
        better = ((legal >> (FIRST_EXTRA_TAKE + number)) & 1 == 1) & (rank > best)
        best, action = jnp.where(better, rank, best), jnp.where(better, FIRST_EXTRA_TAKE + number, action)
    return action


def _best_walk(state: State, legal: Array, word: Array) -> Array:
    """An area with a scene is worth one point more; up to 1.5 points are added at random."""
    best, action = jnp.zeros_like(legal), jnp.zeros_like(legal)
    half_point = 1 << (WORD_BITS - POINT_BITS)
    for area in range(AREAS):
        half_points = (mix(word + area) >> POINT_BITS) * 3
        half_points += jnp.where(fixed_place(state, area).scene == NO_SCENE, 0, jnp.uint32(2 * half_point))
        better = ((legal >> area) & 1 == 1) & (half_points >= best)
        best, action = jnp.where(better, half_points, best), jnp.where(better, jnp.uint32(area), action)
    return action


VECTOR_BOTS: dict[str, VectorBot] = {"random": random_bot, "extra": extra_bot, "hopeful": hopeful_bot}
