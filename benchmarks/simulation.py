"""How fast games are simulated, next to catanatron's simulator in the same run, and with two processes instead of one.

Whole games of four random bots, with everything that a run stores. The first part runs on one core. Every round runs
both contestants, so that a slow moment of the machine affects both; the table shows medians.
"""

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from itertools import count
from multiprocessing import get_context
from pathlib import Path

from deadwood.lab.frames import games_frame
from deadwood.lab.playing import Plan, play_games
from deadwood.lab.runs import Run

from . import peers

PLAN = Plan(seats=("random",) * 4)
PORTION = 50  # games measured and put into a table together


def deadwood_games() -> Callable[[], int]:
    chunks = count()

    def play() -> int:
        first = next(chunks) * PORTION
        rows, _ = play_games(PLAN, range(first, first + PORTION))
        games_frame(rows)
        return len(rows)

    return play


def rounds_on_one_core(seconds: float, rounds: int) -> dict[str, float]:
    catanatron = peers.catanatron_games()
    contestants = {"catanatron": lambda: int(catanatron() > 0), "Deadwood, measured and stored": deadwood_games()}
    rates: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, play in contestants.items():
            rates[name].append(peers.rate(play, seconds))
    return {name: statistics.median(values) for name, values in rates.items()}


def run_seconds(games: int, jobs: int) -> float:
    """Wall time of a whole run, including starting the workers and writing files."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        Run(PLAN, games, Path(folder) / "run.parquet").go_on(jobs)
        return time.perf_counter() - began


def loop_seconds(_number: int) -> float:
    """Wall time of a loop that only computes."""
    began = time.perf_counter()
    sum(number * number % 7 for number in range(8_000_000))
    return time.perf_counter() - began


def scaling_of_the_machine() -> float:
    """How much work two cores do here in the time of one: virtual cores may share a real one."""
    with get_context("spawn").Pool(2) as pool:
        alone = min(loop_seconds(0) for _ in range(3))
        return 2 * alone / min(max(pool.map(loop_seconds, range(2), chunksize=1)) for _ in range(3))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=5.0, help="for each contestant in each round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--games", type=int, default=10_000, help="in the runs with one and two processes")
    arguments = parser.parse_args()
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    rates = rounds_on_one_core(arguments.seconds, arguments.rounds)
    os.sched_setaffinity(0, cores)
    yardstick = next(iter(rates.values()))
    print("| games of four random bots, one core | games per second | against catanatron |")
    print("|---|---:|---:|")
    for name, rate in rates.items():
        print(f"| {name} | {rate:,.0f} | {rate / yardstick:.1f} |")
    pairs = [[run_seconds(arguments.games, jobs) for jobs in (1, 2)] for _ in range(3)]
    scaling = statistics.median(one / two for one, two in pairs)
    print()
    print(f"A run of {arguments.games:,} games with two processes instead of one: {scaling:.2f} times as fast.")
    print(f"Two loops of plain Python at the same time, on the same cores: {scaling_of_the_machine():.2f} times one.")


if __name__ == "__main__":
    main()
