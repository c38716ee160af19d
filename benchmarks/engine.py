"""How fast the engine plays, next to other engines in the same run: `make bench`.

Everything runs on one core. Every round runs every contestant, so that a slow moment of the machine
affects all of them; the table shows medians.
"""

import argparse
import os
import random
import statistics
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from itertools import count

from deadwood import Game
from deadwood.engine import rules
from deadwood.engine.chance import FastDice
from deadwood.engine.options import Options

from . import peers

NAMES = ("Ada", "Bo", "Cy", "Dot")
IMPORT = "import time; began = time.perf_counter(); import deadwood; print(time.perf_counter() - began)"


def deadwood_rules(seconds: float) -> float:
    """Decisions per second of `legal_actions` and `apply`, events included."""
    seeds, draw, options = count(), random.Random(1).random, Options()

    def play_game() -> int:
        decisions = 0
        dice = FastDice(next(seeds))
        state, _ = rules.start(NAMES, options, dice)
        while not state.over:
            actions = rules.legal_actions(state)
            state, _ = rules.apply(state, actions[int(draw() * len(actions))], dice)
            decisions += 1
        return decisions

    return peers.rate(play_game, seconds)


def deadwood_game(fair: bool) -> Callable[[float], float]:
    """Decisions per second through `Game`, with history, undo and records."""

    def measure(seconds: float) -> float:
        seeds, draw = count(), random.Random(1).random
        return peers.rate(lambda: len(random_game(next(seeds), draw, fair).steps), seconds)

    return measure


def random_game(seed: int, draw: Callable[[], float], fair: bool) -> Game:
    game = Game.new(NAMES, seed=seed) if fair else Game.new(NAMES, dice=FastDice(seed))
    while not game.over:
        actions = game.legal_actions()
        game.play(actions[int(draw() * len(actions))])
    return game


CONTESTANTS: dict[str, Callable[[float], float]] = {
    "catanatron, 4 random players": peers.catanatron,
    "OpenSpiel backgammon from Python": lambda seconds: peers.openspiel("backgammon", seconds),
    "OpenSpiel hearts from Python": lambda seconds: peers.openspiel("hearts", seconds),
    "Deadwood, rules with events": deadwood_rules,
    "Deadwood, `Game` with history, fast dice": deadwood_game(fair=False),
    "Deadwood, `Game` with history, fair dice": deadwood_game(fair=True),
}


def memory_of_a_finished_game() -> int:
    """Bytes, the largest of twenty games of four."""
    sizes = []
    random_game(0, random.Random(0).random, fair=True)
    for seed in range(20):
        tracemalloc.start()
        before = tracemalloc.get_traced_memory()[0]
        game = random_game(seed, random.Random(seed).random, fair=True)
        sizes.append(tracemalloc.get_traced_memory()[0] - before)
        tracemalloc.stop()
        assert game.over
    return max(sizes)


def import_time() -> float:
    """Seconds that `import deadwood` takes in a fresh interpreter, the median of nine; byte code is cached."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    times = [
        float(subprocess.run([sys.executable, "-c", IMPORT], env=environment, capture_output=True, check=True).stdout)
        for _ in range(10)
    ]
    return statistics.median(times[1:])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0, help="for each contestant in each round")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    rates: dict[str, list[float]] = {name: [] for name in CONTESTANTS}
    for _ in range(arguments.rounds):
        for name, measure in CONTESTANTS.items():
            rates[name].append(measure(arguments.seconds))
    medians = {name: statistics.median(values) for name, values in rates.items()}
    yardstick = next(iter(medians.values()))
    print("| random play, one core | decisions per second | against catanatron |")
    print("|---|---:|---:|")
    for name, rate in medians.items():
        print(f"| {name} | {rate:,.0f} | {rate / yardstick:.1f} |")
    print()
    print(f"Memory of a finished game of four: {memory_of_a_finished_game() / 1000:.0f} kB at most.")
    print(f"`import deadwood`: {import_time() * 1000:.0f} ms.")


if __name__ == "__main__":
    main()
