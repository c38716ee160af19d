"""The example learns, keeps what it learned, and plays with it; at a tiny size."""

import json
from pathlib import Path

import jax
import numpy as np
import pytest

from deadwood import Options, bots
from deadwood.engine import rules
from deadwood.engine.chance import FastDice
from examples import ppo

TINY = "--games 8 --decisions 4 --minibatches 2 --epochs 1 --width 16 --updates 2 --measured 1 --measured-games 4"


def test_it_learns_at_a_tiny_size_and_its_bot_plays(tmp_path):
    weights, curve = tmp_path / "weights.npz", tmp_path / "curve.json"
    ppo.main([*TINY.split(), "--weights", str(weights), "--curve", str(curve)])
    (point,) = json.loads(curve.read_text(encoding="utf-8"))
    assert point["updates"] == 2
    assert point["decisions"] == 2 * 8 * 4
    assert 0 <= point["hopeful"] <= 1
    state = played(ppo.PPOBot(1, weights), days=1)
    assert state.over


def test_the_weights_we_give_away_beat_hopeful():
    params = ppo.PPOBot(1)._params
    assert ppo.wins(params, jax.random.key(1), "hopeful", 32) > 0.9


def played(bot, days):
    dice = FastDice(3)
    state, _ = rules.start(["0", "1"], Options(days=days), dice)
    players = [bot, bots.make("random", 3)]
    while not state.over:
        state, _ = rules.apply(state, players[state.active].decide(state, rules.legal_actions(state)), dice)
    return state


def test_its_bot_refuses_tables_it_has_not_learned(tmp_path):
    np.savez(tmp_path / "none.npz")
    state, _ = rules.start(["0", "1", "2"], Options(), FastDice(1))
    with pytest.raises(ValueError, match="games of 2 players, not of 3"):
        ppo.PPOBot(1, tmp_path / "none.npz").decide(state, rules.legal_actions(state))


def test_advantages_count_against_the_other_player():
    """Two decisions of different players and the end: what the second wins, the first loses."""
    one = np.ones((2, 1), np.float32)
    moves = ppo.Moves(
        observation=one,
        mask=one,
        action=one,
        log_chance=one,
        value=0 * one,
        reward=np.array([[0.0], [1.0]], np.float32),
        over=np.array([[False], [True]]),
        same=-one,
    )
    settings = ppo.Settings(discount=1.0, trace=1.0)
    assert np.allclose(ppo.advantages(settings, moves, np.zeros(1, np.float32)), [[-1.0], [1.0]])


def test_it_notices_dollars_that_cannot_be_counted():
    learner = ppo.Learner(ppo.Settings(games=8, decisions=4, minibatches=2, epochs=1, width=16))
    learner.check()
    state = learner._state
    learner._state = state._replace(game=state.game.replace(saturated=np.uint32(1)))
    with pytest.raises(ValueError, match="more dollars than can be counted"):
        learner.check()
    learner.learn()
    with pytest.raises(ValueError, match="more dollars than can be counted"):
        learner.measure(0.0, 4)


def test_the_weights_we_give_away_are_not_overwritten(tmp_path, monkeypatch):
    """And a net that is never measured on the way is measured at the end."""
    shipped = ppo.WEIGHTS.read_bytes()
    monkeypatch.chdir(tmp_path)
    ppo.main([*TINY.split(), "--measured", "0", "--curve", "curve.json"])
    assert ppo.WEIGHTS.read_bytes() == shipped
    assert (tmp_path / "ppo_weights.npz").exists()
    (point,) = json.loads(Path("curve.json").read_text(encoding="utf-8"))
    assert point["updates"] == 2


def test_the_last_measurement_is_of_what_is_kept(tmp_path):
    chosen = f"{TINY} --updates 3 --measured 2 --minutes 0 --weights {tmp_path / 'w.npz'} --curve {tmp_path / 'c.json'}"
    ppo.main(chosen.split())
    assert [point["updates"] for point in json.loads((tmp_path / "c.json").read_text(encoding="utf-8"))] == [0]


@pytest.mark.parametrize("minibatches", ["0", "3"])
def test_minibatches_that_do_not_divide_are_refused(minibatches, capsys):
    with pytest.raises(SystemExit):
        ppo.main([*TINY.split(), "--minibatches", minibatches])
    problem = f"32 decisions (games times decisions) cannot be divided into {minibatches} minibatches"
    assert problem in capsys.readouterr().err
