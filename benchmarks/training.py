"""What training waits for: `python -m benchmarks.training` times every part at the sizes of `deadwood train`.

Each part is compiled alone, so the parts together are a little slower than the whole. Options are those of
`deadwood train`, as in `--set splits=8 --set envs=32768`.
"""

import argparse
import time
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import msgspec

from deadwood import vector
from deadwood.neural.net import net, new_weights
from deadwood.training.config import Settings, settings_from
from deadwood.training.games import decide, look
from deadwood.training.kinds import kinds
from deadwood.training.learner import adam, gradient, make_learn, new_mind, pace, samples_of
from deadwood.training.pool import new_pool
from deadwood.training.rollout import cast, casting, make_play, new_games, opening_of, precision
from deadwood.training.tables import stacked

ROUNDS = 10


def timed(name: str, decisions: int, work: Callable[..., Any], *arguments: Any, compiled: bool = False) -> Any:
    """Print how many decisions a second a part handles; returns its result."""
    began = time.perf_counter()
    compiled_work = work if compiled else jax.jit(work)
    result = jax.block_until_ready(compiled_work(*arguments))
    compiling = time.perf_counter() - began
    began = time.perf_counter()
    for _ in range(ROUNDS):
        jax.block_until_ready(compiled_work(*arguments))
    seconds = (time.perf_counter() - began) / ROUNDS
    rate = decisions / seconds / 1e6
    print(f"{name:32} {1000 * seconds:9.2f} ms {rate:9.2f} M decisions/s   first call {compiling:6.1f} s", flush=True)
    return result


def measure(settings: Settings) -> None:
    tables = jax.tree.map(jnp.asarray, stacked(kinds(settings)))
    cast_list = casting(settings, 0)
    opening, dtype = opening_of(settings, cast_list), precision(settings)
    fresh = new_weights(settings.seed, settings.shape)
    mind, key = new_mind(fresh), jax.random.key(1)
    pool = {name: jnp.asarray(values) for name, values in new_pool(fresh, settings.pool).items()}
    games = timed("new games", settings.envs, lambda t, k: new_games(settings, cast_list, t, k), tables, key)
    observe = jax.vmap(lambda table, moment: vector.observe(vector.State(table, *moment)))
    timed("observe", settings.envs, observe, tables, games.moment)
    seen = timed("observe and features", settings.envs, jax.vmap(lambda t, m: look(t, m, dtype)), tables, games.moment)
    halves = jax.jit(lambda weights: cast(weights, settings))(mind.weights)
    timed("net", settings.envs, lambda w, s: net(jnp, w, s), halves, seen)
    action = jax.jit(lambda mask: jnp.argmax(mask, -1))(seen.mask)
    words = jax.random.bits(key, (settings.tables, 4))
    step = jax.vmap(lambda t, g, a, k: decide(t, g, a, k, opening))
    timed("rules", settings.envs, step, tables, games, action, words)
    play = jax.jit(make_play(settings, 0))
    played = timed("play", settings.batch, play, mind.weights, pool, [], tables, games, key, compiled=True)
    samples = timed(
        "targets",
        settings.batch,
        lambda t, p: samples_of(settings, t, p, cast_list.own)._replace(seen=None),
        tables,
        played,
    )
    samples = samples._replace(seen=played.experience.seen)
    flat = jax.jit(lambda b: jax.tree.map(lambda v: v.reshape(settings.batch, *v.shape[3:]), b))(samples)
    order = jax.random.permutation(key, settings.batch)[: settings.minibatch]
    part = timed("gather a minibatch", settings.minibatch, lambda f, o: jax.tree.map(lambda v: v[o], f), flat, order)
    now = pace(settings, 0)
    timed("net on a minibatch", settings.minibatch, lambda w, s: net(jnp, w, s), halves, part.seen)
    for splits in dict.fromkeys((1, 4, 16, settings.splits)):
        tried = msgspec.structs.replace(settings, splits=splits)
        slope, _ = timed(
            f"gradient, {splits} splits",
            settings.minibatch,
            lambda w, b, tried=tried: gradient(tried, w, b, now.entropy),
            mind.weights,
            part,
        )
    timed("Adam", settings.minibatch, lambda m, s: adam(m, s, now.rate, settings.average), mind, slope)
    learn = jax.jit(make_learn(settings, cast_list.own))
    timed("learn", settings.batch * settings.epochs, learn, mind, played, tables, key, now, compiled=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting; repeatable")
    chosen = dict(one.split("=", 1) for one in parser.parse_args().set)
    settings = settings_from({name: msgspec.json.decode(value) for name, value in chosen.items()})
    print(f"JAX {jax.__version__} on {jax.devices()[0].device_kind}, {settings}")
    measure(settings)


if __name__ == "__main__":
    main()
