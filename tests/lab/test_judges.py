"""Judges that know the lineup: every seat gets its chance, and files of other nets are refused."""

import numpy as np
import pytest

from deadwood import Options
from deadwood.engine import rules
from deadwood.engine.actions import EndTurn
from deadwood.engine.chance import FastDice
from deadwood.lab.judges import LineupJudge, Panel, lineup_weights
from deadwood.lab.lineup import BOTS, lineup_layers, new_lineup_weights, numbered, with_lineup
from deadwood.neural import weights_file
from deadwood.neural.judge import look
from deadwood.neural.net import new_weights, shape_of, win_logits
from deadwood.neural.shape import Shape
from deadwood.neural.weights_file import WeightsUnusable, load_weights, save_weights

SMALL = Shape(32, 16, 1)


def test_lineups_turn_with_the_seats():
    state, _ = rules.start(["a", "b", "c"], Options(first="c"), FastDice(1))  # the third is active
    weights, lineup = new_lineup_weights(3, SMALL), [0, 1, 2]
    assert state.active == 2
    from_active = numbered([2, 0, 1])[None]
    logits = win_logits(np, weights, with_lineup(np, look([state]), from_active))[0, :3]
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


def test_a_sentence_names_the_command_that_makes_such_a_net(tmp_path, monkeypatch):
    with pytest.raises(WeightsUnusable, match=r"`python -m deadwood.training.lineups --out .*none.npz` makes one"):
        lineup_weights(tmp_path / "none.npz")
    monkeypatch.setattr(weights_file.features, "VERSION", 99)
    save_weights(tmp_path / "later.npz", new_lineup_weights(1, SMALL), {"bots": BOTS})
    monkeypatch.undo()
    with pytest.raises(WeightsUnusable, match=r"Train it again with `python -m deadwood.training.lineups`"):
        lineup_weights(tmp_path / "later.npz")


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
