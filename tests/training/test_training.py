"""A tiny net learns, keeps what it learned, and goes on exactly where it stopped.

Holds `training.checkpoint`, `training.config`, `training.curve`, `training.evaluation` and `training.run`.
"""

import json
import os
from contextlib import contextmanager

import jax
import numpy as np
import pytest
from msgspec.structs import replace

from deadwood.neural.weights_file import load_weights
from deadwood.training import evaluation
from deadwood.training import run as training
from deadwood.training.checkpoint import CheckpointUnusable, load_checkpoint
from deadwood.training.config import Settings, SettingsUnusable, settings_from
from deadwood.training.run import Paths, Run, RunLimits, blank_games

TINY = Settings(
    players=(2,),
    width=32,
    row_width=16,
    blocks=1,
    envs=128,
    decisions=16,
    minibatch=512,
    epochs=2,
    tables=4,
    updates=30,
    rate=4e-3,
    average=0.95,
    pool=2,
    pool_every=1,
    pool_share=0.25,
    bots_share=0.125,
    half=False,
    every=1000,
    judged=int(os.environ.get("JUDGED_GAMES", "32")),
)


@pytest.fixture(scope="module")
def trained():
    """A run that has learned for a while; its compiled programs are shared by the tests.

    They play little, so they are not optimized: compiling takes longest, and would take twice as long with it.
    """
    with pytest.MonkeyPatch.context() as patch, unoptimized():
        patch.setattr(evaluation, "MOST_DECISIONS", 800)  # two tiny nets that wait for each other would never stop
        run = Run(TINY)
        for _ in range(TINY.updates):
            run.update()
        yield run


@contextmanager
def unoptimized():
    before = jax.config.read("jax_disable_most_optimizations")
    jax.config.update("jax_disable_most_optimizations", True)
    try:
        yield
    finally:
        jax.config.update("jax_disable_most_optimizations", before)


def test_a_tiny_net_beats_random(trained):
    """The seed is fixed, so this cannot fail by chance."""
    results = trained._match(trained.candidate(), trained.candidate(), "random", seed=3)
    assert all(result.share > 0.9 for result in results), results


def test_it_counts_games_with_strangers(trained):
    strengths = trained.strengths()
    assert set(strengths) == {"pool", "bots"}
    assert all(0 <= value <= 2 for value in strengths.values())


def test_the_first_evaluation_makes_the_net_the_best(trained):
    point = trained.evaluate()
    assert point.is_best
    assert point.decisions == TINY.updates * TINY.batch
    assert point.hopeful > 0
    assert "against hopeful" in point.line()


def test_a_run_goes_on_exactly_where_it_stopped(trained, tmp_path):
    paths = Paths(tmp_path / "weights.npz")
    trained.save(paths)
    for _ in range(2):
        trained.update()
    before = load_checkpoint(paths.checkpoint, blank_games)
    again = Run(before.about.settings, (), before)
    assert again.number == TINY.updates
    assert again.curve == trained.curve
    for _ in range(2):
        again.update()
    left, right = (jax.tree.leaves((one.mind, one.pool, one.games)) for one in (trained, again))
    assert all((np.asarray(one) == np.asarray(other)).all() for one, other in zip(left, right, strict=True))


def test_what_is_kept_is_the_best_net(trained, tmp_path):
    paths = Paths(tmp_path / "weights.npz")
    trained.save(paths)
    weights = load_weights(paths.weights)
    assert all((weights.weights[name] == trained.best[name]).all() for name in weights.weights)
    assert weights.about["settings"]["width"] == TINY.width
    assert weights.about["update"] == trained.best_update
    assert [point["update"] for point in json.loads(paths.curve.read_text())] == [
        point.update for point in trained.curve
    ]


def test_time_that_is_up_leaves_a_checkpoint(trained, tmp_path):
    lines = []
    paths = Paths(tmp_path / "new" / "weights.npz")
    training.train(trained, paths, RunLimits(minutes=0), lines.append)
    assert paths.weights.exists()
    assert f"--resume {paths.checkpoint}" not in lines[-1]  # all its updates are done
    assert load_checkpoint(paths.checkpoint, blank_games).about.update == trained.number


def test_an_interrupt_leaves_a_checkpoint(trained, tmp_path, monkeypatch):
    def interrupted():
        raise KeyboardInterrupt

    longer = replace(TINY, updates=10_000)
    monkeypatch.setattr(trained, "settings", longer)
    monkeypatch.setattr(trained, "update", interrupted)
    lines = []
    paths = Paths(tmp_path / "weights.npz")
    with pytest.raises(KeyboardInterrupt):
        training.train(trained, paths, RunLimits(), lines.append)
    assert f"go on with --resume {paths.checkpoint}" in lines[-1]
    assert load_checkpoint(paths.checkpoint, blank_games).about.settings == longer


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"envs": 100, "tables": 7}, r"envs \(100\) must be a multiple of tables \(7\)"),
        ({"minibatch": 1000}, r"envs times decisions \(1,048,576\) must be a multiple of minibatch"),
        ({"splits": 3}, r"minibatch \(32,768\) must be a multiple of splits \(3\)"),
        ({"players": (1, 9)}, "choose from 2 to 8"),
        ({"players": ()}, "choose from 2 to 8"),
        ({"pool_share": 0.8, "bots_share": 0.2}, "At least a tenth of the games must be self-play"),
        ({"width": 0}, "cannot be used"),
        ({"standard": 2.0}, "cannot be used"),
    ],
)
def test_settings_that_do_not_fit_are_refused(given, sentence):
    with pytest.raises(SettingsUnusable, match=sentence):
        settings_from(given)


def test_a_resumed_run_keeps_its_shapes():
    assert settings_from({"rate": 1e-5}, TINY) == replace(TINY, rate=1e-5)
    with pytest.raises(SettingsUnusable, match=r"keeps its width \(32\)"):
        settings_from({"width": 64}, TINY)


def test_other_files_are_no_checkpoints(tmp_path):
    (tmp_path / "text.npz").write_text("nothing")
    (tmp_path / "empty.npz").write_text("")
    np.savez(tmp_path / "other.npz", a=np.zeros(3))
    for name in ("text.npz", "empty.npz", "other.npz"):
        with pytest.raises(CheckpointUnusable, match="is not a checkpoint"):
            load_checkpoint(tmp_path / name, blank_games)
    with pytest.raises(CheckpointUnusable, match="There is no checkpoint"):
        load_checkpoint(tmp_path / "none.npz", blank_games)


def test_a_checkpoint_of_another_version_is_refused(trained, tmp_path, monkeypatch):
    paths = Paths(tmp_path / "weights.npz")
    trained.save(paths)
    monkeypatch.setattr("deadwood.training.checkpoint.FORMAT", 99)
    with pytest.raises(CheckpointUnusable, match="from another version of the training"):
        load_checkpoint(paths.checkpoint, blank_games)
