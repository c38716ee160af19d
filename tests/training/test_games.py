"""Seats at all tables: who sits there, and what is worth how much to whom."""

import jax
import jax.numpy as jnp
import numpy as np

from deadwood.engine.options import PLAYERS
from deadwood.training.games import _strangers, by_seat, from_active


def test_strangers_leave_the_learner_a_seat_and_take_one():
    words = jax.random.bits(jax.random.key(1), (2, 500))
    for players in PLAYERS:
        found = np.asarray(_strangers(words[0], words[1], jnp.uint32(players)))
        seats = np.array([bin(word).count("1") for word in found])
        assert seats.min() >= 1
        assert seats.max() == players - 1
        assert (found < 1 << players).all()


def test_values_turn_with_the_seats():
    values = jnp.array([[0.5, 0.3, 0.2, 0, 0, 0, 0, 0]])
    active, players = jnp.array([1]), jnp.array([3])
    turned = by_seat(values, active, players)
    assert np.allclose(turned[0, :3], [0.2, 0.5, 0.3])
    assert np.allclose(from_active(turned, active, players), values)
    assert not turned[0, 3:].any()
