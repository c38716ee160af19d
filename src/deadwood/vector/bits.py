"""Sets of small numbers as the bits of a word."""

from collections.abc import Sequence

import jax.numpy as jnp
from jax import lax

from .words import WORD_BITS, Array

ALL = (1 << WORD_BITS) - 1


def count_bits(word: Array) -> Array:
    """The number of set bits."""
    return lax.population_count(word)


def nth_bit(word: Array, n: Array) -> Array:
    """The position of the nth set bit, counted from 0."""
    at = jnp.zeros_like(word)
    for width in (16, 8, 4, 2, 1):
        further = at | width
        below = count_bits(word & ~(jnp.uint32(ALL) << further))
        at = jnp.where(below <= n, further, at)
    return at


def pick(values: Sequence[Array], index: Array) -> Array:
    """One of a few arrays, elementwise; quicker than a gather."""
    picked = values[0]
    for number, value in enumerate(values[1:], 1):
        picked = jnp.where(index == number, value, picked)
    return picked


def look_up(table: Array, index: Array) -> Array:
    """The table's entry. The index is not checked: one outside the table is a bug."""
    return jnp.asarray(table).at[index].get(mode="promise_in_bounds")
