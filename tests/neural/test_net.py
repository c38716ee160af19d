"""The net computes the same in numpy and in JAX, and survives being saved to a file.

Holds `neural.judge`, `neural.shape` and `neural.weights_file`.
"""

import json
import random
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from deadwood import Options, encoding
from deadwood.bots.champion import OWN_WEIGHTS
from deadwood.engine import rules
from deadwood.engine.chance import FastDice
from deadwood.engine.deck import BUILT_IN_DECKS
from deadwood.engine.options import CHOICES
from deadwood.neural import weights_file
from deadwood.neural.features import features
from deadwood.neural.judge import Judge, softmax
from deadwood.neural.net import layer_sizes, net, new_weights, shape_of
from deadwood.neural.shape import Shape
from deadwood.neural.weights_file import WeightsUnusable, load_weights, save_weights

SMALL = Shape(32, 16, 2)


@pytest.fixture(scope="module")
def state():
    return rules.start(["a", "b", "c"], Options(first="b"), FastDice(1))[0]


@pytest.fixture(scope="module")
def seen(state):
    return features(np, encoding.observe(state)[None], encoding.action_mask(state)[None])


compiled_net = jax.jit(partial(net, jnp))


def test_numpy_and_jax_think_the_same(seen):
    weights = new_weights(3, SMALL)
    for one, other in zip(net(np, weights, seen), compiled_net(weights, seen), strict=True):
        assert np.allclose(one, other, atol=1e-4)


def played_positions(count):
    """Observations and masks from random games at tables of all sizes, with all decks and rules."""
    chance = random.Random(1)
    while True:
        players, dice = chance.randint(2, 8), FastDice(chance.getrandbits(32))
        deck, bonus, ties = (chance.choice(CHOICES.get(name, BUILT_IN_DECKS)) for name in ("deck", "bonus", "ties"))
        options = Options(layout="random", deck=deck, bonus=bonus, ties=ties)
        state, _ = rules.start([str(seat) for seat in range(players)], options, dice)
        while not state.over:
            if chance.random() < 0.2:
                yield encoding.observe(state), encoding.action_mask(state)
                count -= 1
                if not count:
                    return
            state, _ = rules.apply(state, chance.choice(rules.legal_actions(state)), dice)


def test_the_net_that_ships_thinks_the_same_in_numpy_and_jax_in_thousands_of_positions():
    weights = load_weights(OWN_WEIGHTS).weights
    observations, masks = map(np.stack, zip(*played_positions(3000), strict=True))
    think = jax.jit(lambda observation, mask: net(jnp, weights, features(jnp, observation, mask)))
    for first in range(0, 3000, 1000):
        part = slice(first, first + 1000)
        one = net(np, weights, features(np, observations[part], masks[part]))
        other = think(observations[part], masks[part])
        assert np.allclose(softmax(one.logits), softmax(np.asarray(other.logits)), atol=1e-4)
        assert np.allclose(softmax(one.wins), softmax(np.asarray(other.wins)), atol=1e-4)
        assert np.allclose(one.scores, other.scores, atol=1e-3)


def test_in_bfloat16_it_thinks_almost_the_same(seen):
    weights = new_weights(3, SMALL)
    half = {name: jnp.asarray(values, jnp.bfloat16) for name, values in weights.items()}
    rows = seen._replace(
        **{name: jnp.asarray(getattr(seen, name), jnp.bfloat16) for name in ("areas", "seats", "rest")}
    )
    one, other = net(np, weights, seen), compiled_net(half, rows)
    assert other.logits.dtype == jnp.float32
    assert np.allclose(one.wins, other.wins, atol=0.05)
    assert np.allclose(one.scores, other.scores, atol=0.05)


def test_illegal_actions_and_empty_seats_have_no_chance(state):
    (judgement,) = Judge(new_weights(1, SMALL)).judge([state])
    legal = encoding.action_mask(state)
    assert judgement.policy[legal].sum() == pytest.approx(1)
    assert not judgement.policy[~legal].any()
    assert sum(judgement.wins) == pytest.approx(1)
    assert len(judgement.wins) == len(judgement.scores) == 3


def test_the_same_seed_makes_the_same_net():
    one, other = new_weights(5, SMALL), new_weights(5, SMALL)
    assert all((one[name] == other[name]).all() for name in one)
    assert shape_of(one) == SMALL
    assert {name: values.shape for name, values in one.items() if not name.endswith("bias")} == layer_sizes(SMALL)


@pytest.fixture
def file(tmp_path):
    save_weights(tmp_path / "weights.npz", new_weights(1, SMALL), {"seed": 1})
    return tmp_path / "weights.npz"


def test_weights_are_kept_as_halves(file):
    weights, about = load_weights(file)
    fresh = new_weights(1, SMALL)
    assert about["seed"] == 1
    assert all((weights[name] == fresh[name].astype(np.float16)).all() for name in fresh)


@pytest.mark.parametrize("name", ["encoding", "features"])
def test_weights_of_another_version_are_refused_with_a_sentence(file, name):
    rewrite(file, **{name: 0})
    with pytest.raises(WeightsUnusable, match=f"was trained for version 0 of the {name}; this is version"):
        load_weights(file)


def rewrite(file, **changes):
    with np.load(file) as kept:
        arrays = dict(kept)
    about = json.loads(arrays["about"].tobytes()) | changes
    arrays["about"] = np.frombuffer(json.dumps(about).encode(), np.uint8)
    np.savez(file, **arrays)


def test_other_files_are_refused_with_a_sentence(tmp_path, file):
    (tmp_path / "text.npz").write_text("no weights")
    np.savez(tmp_path / "other.npz", a=np.zeros(3))
    for name in ("text.npz", "other.npz"):
        with pytest.raises(WeightsUnusable, match="is not a file of weights"):
            load_weights(tmp_path / name)
    with pytest.raises(WeightsUnusable, match="There is no file"):
        load_weights(tmp_path / "none.npz")
    file.write_bytes(file.read_bytes()[:1000])
    with pytest.raises(WeightsUnusable, match="is not a file of weights"):
        load_weights(file)


def test_weights_that_do_not_fit_are_refused(tmp_path):
    weights = new_weights(1, SMALL)
    weights["move"] = weights["move"][:, :-1]
    save_weights(tmp_path / "weights.npz", weights, {})
    with pytest.raises(WeightsUnusable, match="do not fit the net"):
        load_weights(tmp_path / "weights.npz")


def test_a_net_from_the_future_is_refused_not_misread(tmp_path, monkeypatch):
    monkeypatch.setattr(weights_file.encoding, "VERSION", 99)
    save_weights(tmp_path / "weights.npz", new_weights(1, SMALL), {})
    monkeypatch.undo()
    with pytest.raises(WeightsUnusable, match=r"version 99 of the encoding; .* again with `deadwood train`"):
        load_weights(tmp_path / "weights.npz")
