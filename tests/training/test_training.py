"""A tiny net learns, keeps what it learned, and goes on exactly where it stopped.

Holds `cli.train`, `training.checkpoint`, `training.config`, `training.curve`, `training.evaluation` and `training.run`.
"""

import json
import os
from contextlib import contextmanager
from copy import copy
from functools import partial
from types import SimpleNamespace

import jax
import msgspec
import numpy as np
import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from deadwood import Options
from deadwood.cli.train import train
from deadwood.neural.weights_file import load_weights
from deadwood.training import evaluation
from deadwood.training import run as training
from deadwood.training.checkpoint import CheckpointUnusable, load_checkpoint
from deadwood.training.config import Settings, SettingsUnusable, settings_from
from deadwood.training.curve import Point, Strength
from deadwood.training.evaluation import Match
from deadwood.training.kinds import Kind
from deadwood.training.run import Paths, Run, RunLimits, blank_games
from deadwood.training.watch import Seen

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
        patch.setattr(evaluation, "SAMPLED", 1.0)  # two tiny nets that wait for each other would never stop
        patch.setattr(evaluation, "MOST_DECISIONS", 1600)
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


@pytest.fixture(scope="module")
def evaluated(trained):
    """The point that its first evaluation finds."""
    return trained.evaluate()


def test_a_tiny_net_beats_random(evaluated):
    """The seed is fixed, so this cannot fail by chance."""
    strength = evaluated.others["random"]
    assert strength.mean - strength.error > 1.5, strength


def test_it_counts_games_with_strangers(trained):
    strengths = trained.strengths()
    assert set(strengths) == {"pool", "bots"}
    assert all(0 <= value <= 2 for value in strengths.values())


def test_the_first_evaluation_makes_the_net_the_best(evaluated):
    point = evaluated
    assert point.is_best
    assert point.decisions == TINY.updates * TINY.batch
    assert set(point.others) == {"pool 1", "pool 2", "random", "extra", "hopeful"} == set(point.best_others)
    assert point.hopeful == point.others["hopeful"].mean > 0
    assert point.others["random"].mean > point.best_others["random"].mean  # the best net until then was untrained
    assert f"{point.strength:.3f} ± {point.error:.3f} against the best net" in point.line()
    assert "against hopeful" in point.line()


def test_a_net_is_as_good_as_itself(trained):
    """Both sides play by the same rule; the seed is fixed, so this cannot fail by chance."""
    net = trained.candidate()
    found = trained._match.of_nets(net, net, 1)
    assert 0.05 < found.error < 0.15
    assert found.mean == pytest.approx(1, abs=2 * found.error)


def test_every_opponent_is_met_from_every_seat():
    kinds = [Kind(2, Options()), Kind(3, Options())]
    match = Match(replace(TINY, players=(2, 3)), kinds, 32, 1.0)
    bots = match._mixed()
    seats = match._seating(bots).seats
    slots = np.where(bots > 0, bots + 2, np.arange(32) // 16)
    assert [int((slots == slot).sum()) for slot in range(6)] == [8, 8, 0, 6, 5, 5]
    for slot in (0, 1, 3, 4, 5):
        for players, row in zip((2, 3), np.asarray(seats), strict=True):
            counts = np.bincount(row[slots == slot], minlength=players)
            assert counts.max() - counts.min() <= 1


def point(strength, error, others=(), best_others=()):
    return Point(
        update=1,
        decisions=1,
        minutes=0.0,
        strength=strength,
        error=error,
        hopeful=1.9,
        is_best=False,
        others=dict(zip(["random"], others, strict=False)),
        best_others=dict(zip(["random"], best_others, strict=False)),
    )


def test_better_means_better_by_more_than_luck():
    assert point(1.04, 0.03).is_better
    assert not point(1.02, 0.03).is_better
    assert point(1.04, 0.03, [Strength(1.95, 0.02)], [Strength(2.0, 0.02)]).is_better
    forgetful = point(1.04, 0.03, [Strength(1.9, 0.02)], [Strength(2.0, 0.02)])
    assert not forgetful.is_better
    assert "weaker than the best net against random" in forgetful.line()


@pytest.mark.parametrize(("strength", "random", "is_best"), [(1.05, 2.0, True), (1.02, 2.0, False), (1.05, 1.7, False)])
def test_a_run_keeps_a_net_that_is_better_and_has_forgotten_nothing(trained, monkeypatch, strength, random, is_best):
    class Fake:
        def of_nets(self, _net, _best, _seed):
            return Strength(strength, 0.03)

        def of_others(self, net, _pool, _seed):
            return {"hopeful": Strength(1.5, 0.1), "random": Strength(2.0 if net is best else random, 0.01)}

    run = copy(trained)
    best, run.best_star, run.curve = run.best, None, [point(1.5, 0.1)]
    monkeypatch.setattr(run, "_match", Fake())
    assert run.evaluate().is_best == is_best
    assert (run.best is not best) == is_best


def test_a_measured_net_that_forgot_is_not_the_best(trained):
    run = copy(trained)
    run.best_star, run.curve = None, [point(1.5, 0.1, [Strength(1.7, 0.02)], [Strength(2.0, 0.02)])]
    run.note(Seen(1, {}, {"2 players against star": 0.9}, 1.8))
    assert run.best_star is None
    assert run.curve[0].star
    assert not run.curve[0].is_best


def test_curves_of_earlier_versions_are_read():
    old = {"update": 1, "decisions": 2, "minutes": 0.1, "strength": 1.1, "hopeful": 1.9, "is_best": True, "star": {}}
    assert "1.100 against the best net" in msgspec.convert(old, Point).line()
    new = point(1.05, 0.03, [Strength(1.9, 0.02)], [Strength(2.0, 0.02)])
    assert msgspec.convert(json.loads(json.dumps(msgspec.to_builtins(new))), Point) == new


def test_a_run_goes_on_exactly_where_it_stopped(trained, tmp_path):
    paths = Paths(tmp_path / "weights.npz")
    trained.save(paths)
    for _ in range(2):
        trained.update()
    before = load_checkpoint(paths.checkpoint, blank_games)
    again = Run(before.about.settings, (), before)  # compiled anew, as in another process
    assert again.number == TINY.updates
    assert again.curve == trained.curve
    for _ in range(2):
        again.update()
    left, right = (jax.tree.leaves((one.mind, one.pool, one.games)) for one in (trained, again))
    assert all((np.asarray(one) == np.asarray(other)).all() for one, other in zip(left, right, strict=True))


def resumed(run, checkpoint):
    """A run from a checkpoint, with the compiled programs of another one."""
    again = copy(run)
    again._begin(load_checkpoint(checkpoint, blank_games))
    again.settings = run.settings
    return again


def begun_like(run, settings, rivals, before=None):
    """A new run, with the compiled programs of another one: they do not depend on the number of updates."""
    assert replace(settings, updates=TINY.updates) == TINY
    assert (rivals, before) == ([], None)
    again = copy(run)
    again.settings, again._match = settings, LargerIsBetter()
    again._begin(None)
    return again


class LargerIsBetter:
    def of_nets(self, net, best, _seed):
        return Strength(1 + float(np.abs(net["trunk"]).sum() - np.abs(best["trunk"]).sum()), 0.0)

    def of_others(self, _net, _pool, _seed):
        return {"hopeful": Strength(1.0, 0.1)}


def without_time(curve):
    return [replace(one, minutes=0.0) for one in curve]


def test_a_run_that_stops_when_time_is_up_goes_on_as_if_it_had_not(trained, tmp_path, monkeypatch):
    """Time stands still but for updates: each takes a minute. The second run is stopped after one of two.

    A net counts as better the larger its weights are: that takes less time than games.
    """
    trained.save(Paths(tmp_path / "start.npz"))
    start = trained.number
    monkeypatch.setattr(trained, "settings", replace(TINY, updates=start + 2, every=2))
    monkeypatch.setattr(trained, "_match", LargerIsBetter())
    whole, first = (resumed(trained, tmp_path / "start.checkpoint.npz") for _ in range(2))
    training.train(whole, Paths(tmp_path / "whole.npz"), RunLimits(), lambda _line: None)

    monkeypatch.setattr(training, "time", SimpleNamespace(perf_counter=lambda: 60.0 * first.number))
    lines = []
    paths = Paths(tmp_path / "parts.npz")
    training.train(first, paths, RunLimits(minutes=1), lines.append)
    assert first.number == start + 1
    assert lines[-1].endswith(f"go on with --resume {paths.checkpoint}")
    assert "compiling, evaluating and saving included" in lines[-2]
    again = resumed(trained, paths.checkpoint)
    training.train(again, paths, RunLimits(), lambda _line: None)

    left, right = (jax.tree.leaves((one.mind, one.pool, one.games, one.best)) for one in (whole, again))
    assert all((np.asarray(one) == np.asarray(other)).all() for one, other in zip(left, right, strict=True))
    assert without_time(again.curve) == without_time(whole.curve)
    assert start + 1 not in [one.update for one in again.curve]
    assert again.curve[-1].update == start + 2
    assert (again.best_update, again.best_star) == (whole.best_update, whole.best_star)


def test_an_evaluation_that_was_interrupted_comes_first_when_the_run_goes_on(trained, tmp_path, monkeypatch):
    trained.save(Paths(tmp_path / "start.npz"))
    monkeypatch.setattr(trained, "settings", replace(TINY, updates=TINY.updates + 2, every=1))
    run = resumed(trained, tmp_path / "start.checkpoint.npz")
    monkeypatch.setattr(run, "evaluate", interrupted)
    paths = Paths(tmp_path / "weights.npz")
    with pytest.raises(KeyboardInterrupt):
        training.train(run, paths, RunLimits(), lambda _line: None)
    again = resumed(trained, paths.checkpoint)
    monkeypatch.setattr(again, "evaluate", lambda: evaluated.append(again.number) or again.curve[-1])
    evaluated = []
    training.train(again, paths, RunLimits(minutes=0), lambda _line: None)
    assert evaluated == [run.number]


def interrupted():
    raise KeyboardInterrupt


def test_the_best_net_is_kept(trained, tmp_path):
    paths = Paths(tmp_path / "weights.npz")
    trained.save(paths)
    weights = load_weights(paths.weights)
    assert all((weights.weights[name] == trained.best[name]).all() for name in weights.weights)
    assert weights.about["settings"]["width"] == TINY.width
    assert weights.about["update"] == trained.best_update
    assert [point["update"] for point in json.loads(paths.curve.read_text())] == [
        point.update for point in trained.curve
    ]


def test_time_that_is_up_leaves_a_checkpoint(trained, tmp_path, monkeypatch):
    monkeypatch.setattr(trained, "_match", LargerIsBetter())
    lines = []
    paths = Paths(tmp_path / "new" / "weights.npz")
    training.train(trained, paths, RunLimits(minutes=0), lines.append)
    assert paths.weights.exists()
    assert f"--resume {paths.checkpoint}" not in lines[-1]  # all its updates are done
    assert load_checkpoint(paths.checkpoint, blank_games).about.update == trained.number


def test_an_interrupt_leaves_a_checkpoint(trained, tmp_path, monkeypatch):
    longer = replace(TINY, updates=10_000)
    monkeypatch.setattr(trained, "settings", longer)
    monkeypatch.setattr(trained, "update", interrupted)
    lines = []
    paths = Paths(tmp_path / "weights.npz")
    with pytest.raises(KeyboardInterrupt):
        training.train(trained, paths, RunLimits(), lines.append)
    assert f"go on with --resume {paths.checkpoint}" in lines[-1]
    assert load_checkpoint(paths.checkpoint, blank_games).about.settings == longer


def options(settings):
    """The settings as options of the command."""
    for name, value in msgspec.structs.asdict(settings).items():
        option = f"--{name.replace('_', '-')}"
        if isinstance(value, bool):
            yield option if value else f"--no-{name}"
        else:
            yield from (option, ",".join(map(str, value)) if isinstance(value, tuple) else str(value))


def test_the_command_trains_and_keeps_everything(trained, home, monkeypatch):
    few = options(replace(TINY, updates=2))
    monkeypatch.setattr(training, "Run", partial(begun_like, trained))
    done = CliRunner().invoke(train, ["--out", "new/weights.npz", *few])
    assert done.exit_code == 0, done.output
    assert "update 2: 0 M decisions" in done.output
    assert "the best so far" in done.output
    assert done.output.splitlines()[-1] == "The best weights are in new/weights.npz"
    assert load_weights(home / "new" / "weights.npz").about["update"] == 2
    refused = CliRunner().invoke(train, ["--resume", "new/weights.checkpoint.npz", "--width", "64"])
    assert refused.exit_code == 1
    assert "keeps its width (32)" in refused.output


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


def test_other_files_are_not_checkpoints(tmp_path):
    (tmp_path / "text.npz").write_text("nothing")
    (tmp_path / "empty.npz").write_text("")
    np.savez(tmp_path / "other.npz", a=np.zeros(3))
    for name in ("text.npz", "empty.npz", "other.npz"):
        with pytest.raises(CheckpointUnusable, match="is not a checkpoint"):
            load_checkpoint(tmp_path / name, blank_games)
    with pytest.raises(CheckpointUnusable, match="There is no checkpoint"):
        load_checkpoint(tmp_path / "none.npz", blank_games)


@pytest.mark.parametrize("name", ["gradients", "mean/trunk", "best/area_bias", "pool/move", "games/0"])
def test_a_checkpoint_without_one_of_its_arrays_is_refused(trained, tmp_path, name):
    paths = Paths(tmp_path / "weights.npz")
    trained.save(paths)
    with np.load(paths.checkpoint) as kept:
        arrays = {one: kept[one] for one in kept.files if one != name}
    np.savez(paths.checkpoint, **arrays)
    with pytest.raises(CheckpointUnusable, match="is not a whole checkpoint"):
        load_checkpoint(paths.checkpoint, blank_games)


def test_a_checkpoint_of_another_version_is_refused(trained, tmp_path, monkeypatch):
    paths = Paths(tmp_path / "weights.npz")
    trained.save(paths)
    monkeypatch.setattr("deadwood.training.checkpoint.FORMAT", 99)
    with pytest.raises(CheckpointUnusable, match="from another version of the training"):
        load_checkpoint(paths.checkpoint, blank_games)
