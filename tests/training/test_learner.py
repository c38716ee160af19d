"""Targets, losses, rates and Adam, on numbers that can be checked by hand."""

import jax.numpy as jnp
import numpy as np
import pytest

from deadwood.neural.features import POINT_SCALE
from deadwood.training.config import Settings
from deadwood.training.learner import adam as adam_step
from deadwood.training.learner import advantages, new_mind, pace, returns
from deadwood.training.rollout import Experience


def experience(wins, over, shares):
    """Decisions of one game at one table."""
    blank = jnp.zeros((len(wins), 1, 1))
    return Experience(
        seen=None,
        action=blank,
        log_chance=blank,
        active=blank,
        wins=jnp.array(wins)[:, None, None, :],
        scores=POINT_SCALE * 0 * jnp.array(wins)[:, None, None, :],
        over=jnp.array(over)[:, None, None],
        final_shares=jnp.array(shares)[:, None, None, :],
        final_scores=POINT_SCALE * jnp.array(shares)[:, None, None, :],
        by_learner=blank,
    )


def test_returns_look_ahead_as_far_as_the_trace_says():
    played = experience([[0.5, 0.5], [0.6, 0.4]], [False, True], [[0.0, 0.0], [1.0, 0.0]])
    last = jnp.array([[[0.1, 0.9]]])  # of the next game: it must not count
    for trace, expected in ((0.0, 0.6), (0.5, 0.8), (1.0, 1.0)):
        wins, scores = returns(played, last, last, jnp.float32(trace))
        assert wins[1, 0, 0].tolist() == [1.0, 0.0]
        assert wins[0, 0, 0, 0] == pytest.approx(expected)
        assert scores[1, 0, 0].tolist() == [1.0, 0.0]


def test_a_game_that_goes_on_is_worth_what_the_net_thinks_of_it():
    played = experience([[0.5, 0.5]], [False], [[0.0, 0.0]])
    wins, _ = returns(played, jnp.array([[[0.7, 0.3]]]), jnp.zeros((1, 1, 2)), jnp.float32(0.5))
    assert wins[0, 0, 0].tolist() == pytest.approx([0.7, 0.3])


def test_the_margin_counts_beside_the_win():
    wins, scores = jnp.array([0.1, -0.1, 0, 0]), jnp.array([2.0, 0.0, 1.0, 0.0]) / POINT_SCALE
    found = advantages(Settings(points=0.01), wins, scores, jnp.array(3))
    assert found[0] == pytest.approx(0.1 + 0.01 * (2.0 - 0.5))
    assert found[1] == pytest.approx(-0.1 + 0.01 * (0.0 - 1.5))


def test_rates_fall_to_the_end():
    settings = Settings(updates=10)
    assert pace(settings, 0).rate == pytest.approx(settings.rate)
    assert pace(settings, 10).rate == pytest.approx(settings.last_rate)
    assert pace(settings, 99).entropy == pytest.approx(settings.last_entropy)


def test_adam_goes_downhill_and_the_average_follows():
    mind = new_mind({"a": np.array([1.0, -1.0], np.float32)})
    for _ in range(200):
        mind = adam_step(mind, {"a": mind.weights["a"]}, jnp.float32(0.05), 0.9)
    assert np.abs(mind.weights["a"]).max() < 0.1
    assert np.abs(mind.average["a"]).max() < 0.2
    assert int(mind.gradients) == 200
