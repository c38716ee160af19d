"""Chance for many games at once: random words from a key, and the dice and cards drawn from them.

Nothing random is stored: the caller passes a key, and the same key gives the same results on every device.

How uniform the draws are. A key has two words of 32 bits. A bijection on pairs first scrambles them into k and s:
simple keys such as 1, 2, 3 then give unrelated results, and uniform keys stay uniform. Every game gets a word
`b = mix(game ^ k)`, and from it the words `word(j) = mix((b ^ s) + j * (b | 1))` for j = 0, 1, … `mix` is a bijection
on 32 bits, so for any k, game and j, a uniform s gives an exactly uniform word.

Two words of a game never come from the same input to `mix`, because the stride is odd. Given one of them, the input of
the other is uniform over a class modulo 2 (if their j differ by an odd number) or 4 (by 2), over all keys. Over all
2**32 inputs, the classes modulo 4 give every face of a die within 7.8e-5 of a sixth and every roll of three within
8.9e-4 of one in 216; those modulo 2 within 2.3e-5 and 3.3e-4. The joint probability for two words has a relative error
of at most the product of two such numbers: 6.9e-8 for an act's die and three wrap dice, 1.1e-7 for all six wrap dice.

A draw among n is `floor(word * n / 2**32)`: every result comes from either the floor or the ceiling of 2**32 / n
words, so its probability differs from 1 / n by less than 2**-32, a relative error of n * 2**-32: 1.5e-8 for a card of
62, 1.4e-9 for a die, 9e-8 for a layout of 384. Three wrap dice together are one draw among 216, with a relative error
below 5.1e-8. Where one word gives two results (a die, and the first player of the next game), the second is drawn from
the fraction that the first leaves, so both together are one draw among 6 * 8 or fewer: 1.2e-8. A layout always has its
own word.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

from ..engine.chance import FACES
from .words import Array

HALF_WORD = 16
DICE_PER_WORD = 3
SCRAMBLING = (0x9E3779B9, 0x85EBCA6B)  # arbitrary; without them a key of zeros would stay zero


class Chance(NamedTuple):
    """Chance results for one action; those it does not need are ignored."""

    card: Array  # which of the unseen cards, counted from 0, is turned (R10.6)
    die: Array  # 1 to 6 (R6.1)
    dice: tuple[Array, ...]  # six dice, 1 to 6; only the first `budget` of them count (R7.2)


def mix(word: Array) -> Array:
    """A bijection in which every bit affects all others (the `lowbias32` of Wellons's hash-prospector)."""
    word = (word ^ (word >> 16)) * jnp.uint32(0x7FEB352D)
    word = (word ^ (word >> 15)) * jnp.uint32(0x846CA68B)
    return word ^ (word >> 16)


def words(key: Array, shape: tuple[int, ...], count: int) -> list[Array]:
    """`count` random words for every game of a batch. `key` is a JAX key, or its two words."""
    data = jax.random.key_data(key) if jnp.issubdtype(key.dtype, jax.dtypes.prng_key) else key
    k, s = _scrambled(data[0], data[1])
    game = lax.iota(jnp.uint32, max(1, _size(shape))).reshape(shape)
    own = mix(game ^ k)
    start, stride = own ^ s, own | 1  # odd, so that no two words of a game have the same input
    return [mix(start + stride * jnp.uint32(j)) for j in range(count)]


def _scrambled(k: Array, s: Array) -> tuple[Array, Array]:
    """A bijection on pairs. Simple keys are not random: `jax.random.key(5)` is the words 0 and 5."""
    for odd in SCRAMBLING:
        k = mix(k ^ mix(s + jnp.uint32(odd)))
        s = mix(s ^ mix(k + jnp.uint32(odd)))
    return k, s


def draw(word: Array, count: Array | int) -> Array:
    """A number below `count`, which must be less than 2**16: exactly the high word of the product."""
    low = (word & ((1 << HALF_WORD) - 1)) * count
    return ((word >> HALF_WORD) * count + (low >> HALF_WORD)) >> HALF_WORD


def rest(word: Array, count: int) -> Array:
    """What is left of a word after a draw among `count`: the fraction below the digit that was drawn."""
    return word * count


def roll(word: Array) -> list[Array]:
    """Three dice: the base-6 digits of a draw among 216."""
    first, others = _divided(draw(word, FACES**DICE_PER_WORD), FACES**2)
    return [die + 1 for die in (first, *_divided(others, FACES))]


def _divided(number: Array, by: int) -> tuple[Array, Array]:
    """Quotient and remainder; exact for numbers below 2**8, and faster than a division."""
    quotient = (number * ((1 << HALF_WORD) // by + 1)) >> HALF_WORD
    return quotient, number - quotient * by


def chance_from(three: list[Array], unseen: Array) -> Chance:
    """Chance results from three words, with `unseen` cards left. No action both turns a card and rolls a die."""
    once, low, high = three
    return Chance(draw(once, unseen), draw(once, FACES) + 1, (*roll(low), *roll(high)))


def _size(shape: tuple[int, ...]) -> int:
    size = 1
    for length in shape:
        size *= length
    return size
