"""A net that knows the lineup: the same in numpy and JAX, the right bot in the right row, and a small file."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from deadwood import Options, encoding
from deadwood.engine import rules
from deadwood.engine.actions import EndTurn
from deadwood.engine.chance import FastDice
from deadwood.neural.features import features, sizes
from deadwood.neural.judge import LineupJudge, Panel, lineup_weights
from deadwood.neural.lineup import BOTS, NOBODY, lineup_layers, new_lineup_weights, numbered, with_lineup
from deadwood.neural.net import new_weights, shape_of, win_logits
from deadwood.neural.shape import Shape
from deadwood.neural.weights_file import WeightsUnusable, load_weights, save_weights

SMALL = Shape(32, 16, 1)


@pytest.fixture(scope="module")
def state():
    """Cy, the third of three, is to move."""
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


def test_lineups_turn_with_the_seats(state):
    weights, lineup = new_lineup_weights(3, SMALL), [0, 1, 2]
    assert state.active == 2
    from_active = numbered([2, 0, 1])[None]
    logits = win_logits(np, weights, with_lineup(np, seen(state), from_active))[0, :3]
    by_seat = np.exp(np.roll(logits, 2))
    ((found,),) = Panel(LineupJudge(weights, lineup)).wins([state])
    assert found == pytest.approx(by_seat / by_seat.sum(), abs=1e-5)


def test_a_finished_game_is_judged_by_its_result():
    dice = FastDice(1)
    state, _ = rules.start(["a", "b"], Options(days=1), dice)
    chance = np.random.default_rng(1)
    while not state.over:
        actions = rules.legal_actions(state)
        better = [one for one in actions if not isinstance(one, EndTurn)] or actions
        state, _ = rules.apply(state, better[chance.integers(len(better))], dice)
    ((found,),) = Panel(LineupJudge(new_lineup_weights(1, SMALL), [0, 1])).wins([state])
    assert sorted(found) == [0, 1]


def test_its_file_is_small_and_comes_back(tmp_path):
    file = tmp_path / "lineups.npz"
    weights = new_lineup_weights(1)
    save_weights(file, weights, {"bots": BOTS})
    assert file.stat().st_size <= 1_000_000
    kept = lineup_weights(file)
    assert all((kept[name] == values.astype(np.float16)).all() for name, values in weights.items())
    assert {name: kept[name].shape for name in lineup_layers(shape_of(kept))} == lineup_layers(shape_of(weights))


def test_other_nets_are_refused_with_a_sentence(tmp_path):
    others, champion = tmp_path / "others.npz", tmp_path / "champion.npz"
    save_weights(others, new_lineup_weights(1, SMALL), {"bots": ["somebody"]})
    with pytest.raises(WeightsUnusable, match="was trained for other bots than champion, star"):
        lineup_weights(others)
    save_weights(champion, new_weights(1, SMALL), {"bots": BOTS})
    with pytest.raises(WeightsUnusable, match="do not fit the net"):
        lineup_weights(champion)
    with pytest.raises(WeightsUnusable, match="do not fit the net"):
        load_weights(others)
