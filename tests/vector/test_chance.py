"""Dice and cards are as even as the derivation in `deadwood.vector.chance` says."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from deadwood.engine.chance import FACES
from deadwood.vector import chance

SOME_WORDS = np.concatenate(
    [
        np.random.default_rng(1).integers(0, 2**32, 20_000, np.uint32),
        np.arange(5, dtype=np.uint32),
        ~np.arange(5, dtype=np.uint32),
    ]
)


@pytest.mark.parametrize("count", [1, 2, 5, FACES, 7, 31, 40, 60, 62, 216, 384])
def test_a_draw_is_the_exact_high_word_of_the_product(count):
    """So every result has the floor or the ceiling of 2**32 / count of all words: off by less than 2**-32."""
    drawn = np.asarray(chance.draw(jnp.asarray(SOME_WORDS), jnp.uint32(count)))
    assert (drawn == SOME_WORDS.astype(np.uint64) * np.uint64(count) >> np.uint64(32)).all()


def test_three_dice_are_the_digits_of_a_draw_among_216():
    dice = np.stack([np.asarray(die) for die in chance.roll(jnp.asarray(SOME_WORDS))])
    drawn = (SOME_WORDS.astype(np.uint64) * np.uint64(FACES**3)) >> np.uint64(32)
    assert ((dice[0] - 1) * 36 + (dice[1] - 1) * 6 + dice[2] - 1 == drawn).all()
    assert dice.min() == 1
    assert dice.max() == FACES


def test_dividing_by_multiplying_is_exact():
    numbers = np.arange(1 << 8, dtype=np.uint32)
    for by in (FACES, FACES**2):
        quotient, remainder = chance._divided(jnp.asarray(numbers), by)
        assert (np.asarray(quotient) == numbers // by).all()
        assert (np.asarray(remainder) == numbers % by).all()


def test_mixing_is_a_bijection():
    """Both multipliers are odd, and `x ^ x >> k` can be undone; here on all words that differ in few bits."""
    words = np.unique(
        np.array([1 << i ^ 1 << j ^ 1 << k for i in range(32) for j in range(32) for k in range(32)], np.uint64)
    )
    mixed = np.asarray(chance.mix(jnp.asarray(words.astype(np.uint32))))
    assert len(np.unique(mixed)) == len(words)


def chi_square(values: np.ndarray, count: int) -> float:
    expected = values.size / count
    return float(((np.bincount(values.ravel(), minlength=count) - expected) ** 2 / expected).sum())


@pytest.mark.parametrize("count", [FACES, 40, 60])
def test_draws_look_even(count):
    """A smoke test: within five standard deviations of what chance allows, by game and over time."""
    games, times = 1 << 12, 64
    keys = jax.random.bits(jax.random.key(3), (times, 2))
    words = jax.vmap(lambda key: jnp.stack(chance.words(key, (games,), 4)))(keys)
    drawn = np.asarray(chance.draw(words, jnp.uint32(count)))
    for at in range(4):
        assert chi_square(drawn[:, at], count) < within(count)
    pairs = drawn[:, 0].astype(np.int64) * count + drawn[:, 1]  # two words of one game
    assert chi_square(pairs, count**2) < within(count**2)
    neighbours = drawn[:, 0, :-1].astype(np.int64) * count + drawn[:, 0, 1:]  # the same word of two games
    assert chi_square(neighbours, count**2) < within(count**2)
    later = drawn[:-1, 0].astype(np.int64) * count + drawn[1:, 0]  # the same word, one decision later
    assert chi_square(later, count**2) < within(count**2)


def test_keys_of_jax_and_their_words_are_the_same():
    key = jax.random.key(7)
    for one, other in zip(chance.words(key, (3,), 2), chance.words(jax.random.key_data(key), (3,), 2), strict=True):
        assert (one == other).all()


def test_every_die_has_its_own_digits():
    once, low, high = (jnp.asarray(SOME_WORDS[at : at + 1000]) for at in (0, 1000, 2000))
    came = chance.chance_from([once, low, high], jnp.uint32(40))
    assert (came.card == chance.draw(once, 40)).all()
    assert (came.die == chance.draw(once, FACES) + 1).all()
    assert (jnp.stack(came.dice) == jnp.stack([*chance.roll(low), *chance.roll(high)])).all()


def dice_of_plain_keys(count):
    """One game alone with every key from 0: the act's die and the six wrap dice, from 0, by die and key."""

    def dice(seed):
        came = chance.chance_from(chance.words(jax.random.key(seed), (), 3), jnp.uint32(40))
        return jnp.stack([came.die, *came.dice]) - 1

    return np.asarray(jax.jit(jax.vmap(dice))(jnp.arange(count))).T.astype(np.int64)


def test_the_words_of_plain_keys_are_not_the_same_word():
    """`jax.random.key(n)` consists of 0 and n: neither this nor the number of the game may make words equal."""
    words = np.stack([np.stack(chance.words(jax.random.key(seed), (3,), 4)) for seed in range(20)])
    assert len(np.unique(words)) == words.size


def test_plain_keys_give_dice_that_are_independent():
    dice = dice_of_plain_keys(1 << 15)
    for one in range(7):
        assert chi_square(dice[one], FACES) < within(FACES)
        for other in range(one):
            assert chi_square(dice[one] * FACES + dice[other], FACES**2) < within(FACES**2)
    first, last = (dice[at] * 36 + dice[at + 1] * 6 + dice[at + 2] for at in (1, 4))
    assert chi_square(first * FACES**3 + last, FACES**6) < within(FACES**6)


def test_neighbouring_plain_keys_give_dice_that_are_independent():
    """In particular, no die of one key repeats another die of the next."""
    dice = dice_of_plain_keys(1 << 15)
    for one in range(7):
        for other in range(7):
            for later in (1, 2):
                pairs = dice[one, :-later] * FACES + dice[other, later:]
                assert chi_square(pairs, FACES**2) < within(FACES**2)


def test_a_key_is_scrambled_one_to_one():
    """So that uniform keys stay uniform; here for all pairs of small words."""
    small = jnp.arange(1 << 8, dtype=jnp.uint32)
    k, s = chance._scrambled(*(grid.ravel() for grid in jnp.meshgrid(small, small)))
    assert len(np.unique(np.asarray(k).astype(np.uint64) << np.uint64(32) | np.asarray(s))) == 1 << 16


def within(count):
    """Five standard deviations above what a chi-square is expected to be."""
    return count + 5 * (2 * count) ** 0.5
