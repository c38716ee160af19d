"""A net that knows the lineup: the same in numpy and JAX, and the right bot in the right row."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from deadwood import Options, encoding
from deadwood.engine import rules
from deadwood.engine.chance import FastDice
from deadwood.lab.lineup import NOBODY, new_lineup_weights, numbered, with_lineup
from deadwood.neural.features import features, sizes
from deadwood.neural.net import win_logits
from deadwood.neural.shape import Shape

SMALL = Shape(32, 16, 1)


@pytest.fixture(scope="module")
def state():
    """Cy, the third of three, is active."""
    return rules.start(["a", "b", "c"], Options(first="c"), FastDice(1))[0]


def seen(state):
    return features(np, encoding.observe(state)[None], encoding.action_mask(state)[None])


def test_numpy_and_jax_see_and_think_the_same(state):
    weights = new_lineup_weights(3, SMALL)
    lineups = np.random.default_rng(1).integers(0, NOBODY + 1, (20, encoding.SEATS)).astype(np.uint8)
    rows = features(np, *(np.stack([one] * 20) for one in (encoding.observe(state), encoding.action_mask(state))))
    by_numpy = with_lineup(np, rows, lineups)
    by_jax = jax.jit(partial(with_lineup, jnp))(rows, lineups)
    assert np.array_equal(by_numpy.seats, by_jax.seats)
    both = win_logits(np, weights, by_numpy), jax.jit(partial(win_logits, jnp))(weights, by_jax)
    assert np.allclose(*both, atol=1e-4)
    assert np.ptp(both[0][:, 0]) > 1e-4  # it depends on the lineup


def test_a_row_says_who_sits_there(state):
    rows = with_lineup(np, seen(state), numbered([1, 5])[None]).seats[0, :, sizes().seat :]
    assert rows[0].tolist() == [0, 1, 0, 0, 0, 0, 0, 0]
    assert rows[1].tolist() == [0, 0, 0, 0, 0, 1, 0, 0]
    assert not rows[2:].any()
