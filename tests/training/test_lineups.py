"""Lineups are drawn as they should be, the right bot acts, and a tiny net learns who wins.

Holds `training.circles`.
"""

import json
from contextlib import contextmanager

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from msgspec.structs import replace

from deadwood import vector
from deadwood.encoding import SEATS
from deadwood.lab.judges import lineup_weights
from deadwood.lab.lineup import BOTS, NOBODY, new_lineup_weights
from deadwood.neural.net import new_weights
from deadwood.neural.shape import Shape
from deadwood.neural.weights_file import load_weights, save_weights
from deadwood.training import circles, lineups
from deadwood.training.circles import Circle, Players, new_lineups
from deadwood.training.config import settings_from
from deadwood.training.kinds import kinds
from deadwood.training.learner import new_mind
from deadwood.training.lineups import Examples, make_begin
from deadwood.training.tables import stacked

SMALL = Shape(32, 16, 1)
TINY = settings_from(
    {"width": 32, "row_width": 16, "blocks": 1, "envs": 32, "decisions": 8, "minibatch": 64, "tables": 4}
    | {"players": (2, 3), "half": False, "rate": 4e-3, "average": 0.9}
)
NETS = {name: new_weights(number, SMALL) for number, name in enumerate(circles.NETS)}


@contextmanager
def unoptimized():
    """Compiling takes longest, and would take twice as long with optimizations."""
    before = jax.config.read("jax_disable_most_optimizations")
    jax.config.update("jax_disable_most_optimizations", True)
    try:
        yield
    finally:
        jax.config.update("jax_disable_most_optimizations", before)


@pytest.fixture(scope="module")
def opening():
    """Tables, games that begin there, and what the bots see."""
    tables = jax.tree.map(jnp.asarray, stacked(kinds(TINY)))
    looking = jax.vmap(lambda table, moment: lineups.look(table, moment, jnp.float32))
    with unoptimized():
        evening = jax.jit(make_begin(TINY, circles.circles(TINY.columns)))(tables, jax.random.key(1))
        return tables, evening, jax.jit(looking)(tables, evening.games.moment)


def drawn(circle, players):
    key = jax.random.bits(jax.random.key(players), (1, 2))
    found = np.asarray(new_lineups([circle], jnp.array([players], jnp.uint32), key))[0]
    assert (found[:, players:] == NOBODY).all()
    return found[:, :players]


@pytest.mark.parametrize("players", [2, 3, 4, 8])
def test_a_lineup_of_two_bots(players):
    found = drawn(Circle((0, 1), 2000), players)
    assert set(np.unique(found)) == {0, 1}
    stars = found.sum(1)
    alone = (stars == 0) | (stars == players)
    assert alone.mean() == pytest.approx(0.25, abs=0.04)
    assert (stars == 0).sum() == pytest.approx((stars == players).sum(), abs=120)
    assert np.mean(np.abs(2 * stars - players) <= 1) > 0.37  # about as many of each
    assert set(stars) == set(range(players + 1))
    assert found.mean(0) == pytest.approx(np.full(players, 0.5), abs=0.06)  # every bot in every seat


def test_a_lineup_of_any_bots():
    found = drawn(Circle(tuple(range(len(BOTS))), 2000), 4)
    assert set(np.unique(found)) == set(range(len(BOTS)))
    several = np.array([len(set(row)) for row in found])
    assert set(several) == {1, 2, 3, 4}


def test_circles_share_all_columns():
    for columns in (4, 8, 256):
        found = circles.circles(columns)
        assert sum(circle.columns for circle in found) == columns
        assert all(circle.columns > 0 for circle in found)
        assert found[-1].bots == tuple(range(len(BOTS)))


def test_the_bot_in_the_active_seat_acts(opening, monkeypatch):
    """Each bot plays its own number, which need not be legal here."""
    monkeypatch.setattr(circles, "_by_net", lambda weights, _sampled, seen, _key: 0 * seen.mask[..., 0] + weights)
    monkeypatch.setattr(
        circles, "_by_vector_bot", lambda name, state, _key: BOTS.index(name) + 0 * state.game.active.astype(int)
    )
    monkeypatch.setattr(circles, "restless", lambda _state, own, _other, _key: own)
    tables, evening, seen = opening
    chosen, state = circles.circles(TINY.columns), evening.games.state(tables)
    by = Players({name: BOTS.index(name) for name in circles.NETS}, 0)
    found = circles.actions(chosen, by, state, seen, evening.lineups, jax.random.key(2))
    active = np.asarray(state.game.active, int)
    assert np.array_equal(found, np.take_along_axis(np.asarray(evening.lineups), active[..., None], -1)[..., 0])


def test_in_the_last_scene_the_champion_does_not_wait_for_ever():
    tables = jax.tree.map(jnp.asarray, stacked(kinds(TINY)[:1]))
    begun = vector.start(jax.random.key(1), vector.make_table(2, kinds(TINY)[0].options), (1, 4000), 3)
    game = begun.game.replace(scenes_left=jnp.uint32(2), day=tables.days[0])
    state = vector.State(tables, *begun[1:])._replace(game=game)
    own, other = jnp.full((1, 4000), 31), jnp.full((1, 4000), 19)
    found = np.asarray(circles.restless(state, own, other, jax.random.key(1)))
    assert 0.07 < (found == 19).mean() < 0.13
    earlier = state._replace(game=game.replace(scenes_left=jnp.uint32(3)))
    assert (np.asarray(circles.restless(earlier, own, other, jax.random.key(1))) == 31).all()


def test_it_learns_who_wins_from_the_lineup(opening):
    """In these made-up games the seats of the champion share the win."""
    settings = replace(TINY, minibatch=TINY.batch)
    seen = jax.tree.map(lambda values: values[None].repeat(settings.decisions, 0), opening[2])
    chance = np.random.default_rng(1)
    lineup = np.where(np.asarray(seen.present) > 0, chance.integers(0, 2, (*seen.present.shape[:3], SEATS)), NOBODY)
    is_champion = lineup == 0
    wins = np.where(is_champion.any(-1, keepdims=True), is_champion, np.asarray(seen.present) > 0).astype(np.float32)
    examples = Examples(
        lineups.with_lineup(jnp, seen, jnp.asarray(lineup)), jnp.asarray(wins / wins.sum(-1, keepdims=True))
    )
    flat = jax.tree.map(lambda values: values.reshape(-1, *values.shape[3:]), examples)
    entropy = -np.where(flat.wins > 0, flat.wins * np.log(np.maximum(flat.wins, 1e-9)), 0).sum(-1).mean()
    mind = new_mind(new_lineup_weights(1, SMALL))
    learn = jax.jit(lambda mind, key: lineups._learn(settings, mind, examples, key, jnp.float32(0.01)))
    assert lineups.loss(settings, mind.weights, flat) > entropy + 0.2
    for number in range(60):
        mind, _ = learn(mind, jax.random.key(number))
    assert lineups.loss(settings, mind.weights, flat) < entropy + 0.05


def test_a_tiny_run_writes_a_net_that_the_lab_can_use(tmp_path, capsys):
    for name, weights in NETS.items():
        save_weights(tmp_path / f"{name}.npz", weights, {})
    given = ["--champion", "champion", "--star", "star", "--regular", "regular"]
    given = [one if one.startswith("--") else str(tmp_path / f"{one}.npz") for one in given]
    given += ["--width", "32", "--row-width", "16", "--blocks", "1", "--envs", "32", "--decisions", "8"]
    given += ["--minibatch", "64", "--tables", "4", "--players", "2,3", "--no-half", "--updates", "3"]
    with unoptimized():
        lineups.main([*given, "--out", str(tmp_path / "lineups.npz")])
    assert "3 updates, last loss" in capsys.readouterr().out
    kept = lineup_weights(tmp_path / "lineups.npz")
    fresh = new_lineup_weights(1, SMALL)
    assert all(np.isfinite(values).all() for values in kept.values())
    assert any((kept[name] != values.astype(np.float16)).any() for name, values in fresh.items())
    about = load_weights(tmp_path / "lineups.npz", lineups.lineup_layers).about
    assert about["updates"] == 3
    assert about["decisions"] == 3 * 32 * 8
    assert json.loads(json.dumps(about["settings"]))["players"] == [2, 3]


def test_time_or_updates_end_a_run():
    assert lineups.Duration(10, 1.0).passed(5, 30.0) == 0.5
    assert lineups.Duration(10, 1.0).passed(2, 45.0) == 0.75
    assert lineups.Duration(10).passed(10, 1e9) == 1
