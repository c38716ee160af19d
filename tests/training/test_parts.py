"""The parts of the training, each on numbers that can be checked by hand."""

from collections import Counter
from itertools import pairwise

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from deadwood.engine.options import PLAYERS, Options
from deadwood.neural.features import POINT_SCALE
from deadwood.training import calibrate
from deadwood.training.config import Settings
from deadwood.training.games import _strangers, by_seat, from_active
from deadwood.training.kinds import kinds
from deadwood.training.learner import adam as adam_step
from deadwood.training.learner import advantages, new_mind, pace, returns
from deadwood.training.pool import new_pool, renewed, slot
from deadwood.training.rollout import Lessons, casting
from deadwood.training.tables import standard_layout


def test_all_numbers_of_players_and_options_are_mixed():
    chosen = kinds(Settings())
    counts = Counter(kind.players for kind in chosen)
    assert set(counts) == set(PLAYERS)
    assert counts[4] == max(counts.values())
    usual = [kind for kind in chosen if kind.options == Options(layout="random")]
    assert len(usual) == pytest.approx(len(chosen) / 2, abs=len(PLAYERS))
    for name in ("deck", "bonus", "ties"):
        assert len({getattr(kind.options, name) for kind in chosen}) == 2
    assert {kind.options.days for kind in chosen} >= {None, 1, 2}
    for players in PLAYERS:
        assert len({kind.options for kind in chosen if kind.players == players}) > 4


def test_tables_of_some_numbers_of_players():
    assert {kind.players for kind in kinds(Settings(players=(2, 5), tables=16))} == {2, 5}


def test_the_standard_layout_is_one_of_the_random_ones():
    assert 0 <= standard_layout() < 384


def test_columns_add_up():
    for settings, rivals in ((Settings(), 0), (Settings(), 2), (Settings(pool_share=0, bots_share=0), 0)):
        found = casting(settings, rivals)
        assert found.columns == settings.columns
        ends = [(first, end) for _, first, end in found.groups()]
        assert all(one[1] == other[0] for one, other in pairwise(ends))
        assert not ends or (ends[0][0], ends[-1][1]) == (found.own, settings.columns)


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


def lessons(wins, over, shares):
    """Decisions of one game at one table."""
    blank = jnp.zeros((len(wins), 1, 1))
    return Lessons(
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
    played = lessons([[0.5, 0.5], [0.6, 0.4]], [False, True], [[0.0, 0.0], [1.0, 0.0]])
    last = jnp.array([[[0.1, 0.9]]])  # of the next game: it must not count
    for trace, expected in ((0.0, 0.6), (0.5, 0.8), (1.0, 1.0)):
        wins, scores = returns(played, last, last, jnp.float32(trace))
        assert wins[1, 0, 0].tolist() == [1.0, 0.0]
        assert wins[0, 0, 0, 0] == pytest.approx(expected)
        assert scores[1, 0, 0].tolist() == [1.0, 0.0]


def test_a_game_that_goes_on_is_worth_what_the_net_thinks_of_it():
    played = lessons([[0.5, 0.5]], [False], [[0.0, 0.0]])
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


def test_the_pool_has_recent_nets_and_old_ones():
    assert [slot(number, 3) for number in range(1, 9)] == [0, 1, 0, 2, 0, 1, 0, 2]
    pool = new_pool({"a": np.zeros(2, np.float32)}, 3)
    for number in range(1, 7):
        pool = renewed(pool, {"a": np.full(2, number, np.float32)}, number)
    assert pool["a"][:, 0].tolist() == [5.0, 6.0, 4.0]


def test_deciles_compare_predictions_with_what_happened():
    chances, won = np.array([0.05, 0.05, 0.55, 1.0], np.float32), np.array([0, 1, 1, 1], np.float32)
    found = calibrate.Predictions(chances, won, games=np.array([0, 1, 2, 3]))
    rows = calibrate.deciles(found)
    assert [one.predictions for one in rows] == [2, 1, 1]
    assert rows[0].difference == pytest.approx(45)
    assert rows[0].error == pytest.approx(100 * 0.5**0.5 / 2)
    text = calibrate.report(2, found)
    assert "largest difference 45.0 points" in text
    assert "*" in calibrate.plot_text(rows)
