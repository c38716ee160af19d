"""How fast the vector engine plays, next to Pgx in the same run and on the same device: `make bench-vector`.

All contestants play at random, with the same number of games side by side; a new game starts when one ends, and only
real decisions count. Every round runs every contestant; the table shows medians. A contestant that does not run is
named and left out.
"""

import argparse
import itertools
import statistics
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

import jax
import jax.numpy as jnp

from deadwood import vector
from deadwood.vector.playing import play_on

Advance = Callable[[Any, jax.Array], Any]
PEERS = ("tic_tac_toe", "kuhn_poker", "leduc_holdem", "connect_four", "backgammon")
PEER_DECISIONS = 10  # in one compiled call; backgammon's are slow


def deadwood(games: int, decisions: int, players: int) -> tuple[Advance, Any]:
    advance: Advance = jax.jit(lambda state, key: play_on(state, key, decisions)[0], donate_argnums=0)
    return advance, jax.jit(lambda key: vector.init(key, players, shape=(games,)))(jax.random.key(0))


def pgx(name: str, games: int, decisions: int) -> tuple[Advance, Any]:
    """A game of Pgx, played as in its documentation: categorical choice among the legal actions, `auto_reset`."""
    peer, experimental = import_module("pgx"), import_module("pgx.experimental")
    environment = peer.make(name)
    step = jax.vmap(experimental.auto_reset(environment.step, environment.init))

    def decide(state: Any, key: jax.Array) -> tuple[Any, None]:
        choosing, stepping = jax.random.split(key)
        logits = jnp.log(state.legal_action_mask.astype(jnp.float32))
        action = jax.random.categorical(choosing, logits, axis=1)
        return step(state, action, jax.random.split(stepping, games)), None

    advance: Advance = jax.jit(
        lambda state, key: jax.lax.scan(decide, state, jax.random.split(key, decisions))[0], donate_argnums=0
    )
    return advance, jax.jit(jax.vmap(environment.init))(jax.random.split(jax.random.key(0), games))


class Contestant:
    """An engine, and how fast it played in every round."""

    def __init__(self, name: str, games: int, decisions: int, make: Callable[[int, int], tuple[Advance, Any]]) -> None:
        self.name, self.games, self.rates = name, games, list[float]()
        self._decisions = games * (PEER_DECISIONS if name.startswith("Pgx") else decisions)
        self._advance, self._state = make(games, decisions)
        self._state = jax.block_until_ready(self._advance(self._state, jax.random.key(0)))

    def measure(self, number: int, seconds: float) -> None:
        decisions, began = 0, time.perf_counter()
        keys = (jax.random.fold_in(jax.random.key(1 + number), call) for call in itertools.count())
        while (elapsed := time.perf_counter() - began) < seconds:
            key = next(keys)
            self._state = jax.block_until_ready(self._advance(self._state, key))
            decisions += self._decisions
        self.rates.append(decisions / elapsed)


def contestants(games: list[int], decisions: int) -> list[Contestant]:
    made = []
    wanted: list[tuple[str, int, Callable[[int, int], tuple[Advance, Any]]]] = [
        (f"Pgx {name}", games[0], lambda games, _, name=name: pgx(name, games, PEER_DECISIONS)) for name in PEERS
    ]
    wanted += [
        ("Deadwood, 4 players", count, lambda count, decisions: deadwood(count, decisions, 4)) for count in games
    ]
    wanted += [("Deadwood, 2 players", games[0], lambda count, decisions: deadwood(count, decisions, 2))]
    for name, count, make in wanted:
        try:
            made.append(Contestant(name, count, decisions, make))
        except Exception as error:  # a peer that does not run with this JAX must not spoil the others
            print(f"{name}: did not run: {error!r:.300}", flush=True)
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, nargs="+", help="side by side; peers play the first of these numbers")
    parser.add_argument("--decisions", type=int, default=200, help="in one compiled call")
    parser.add_argument("--seconds", type=float, default=2.0, help="for each contestant in each round")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    device = jax.devices()[0]
    games = arguments.games or ([1 << 20, 1 << 22] if device.platform == "gpu" else [1 << 14])
    made = contestants(games, arguments.decisions)
    for number in range(arguments.rounds):
        for one in made:
            one.measure(number, arguments.seconds)
    print(f"JAX {jax.__version__} on {device.device_kind}, {jax.device_count()} device(s)")
    print("| random play | games side by side | decisions per second |")
    print("|---|---:|---:|")
    for one in made:
        print(f"| {one.name} | {one.games:,} | {statistics.median(one.rates):,.0f} |")


if __name__ == "__main__":
    main()
