"""The same load on every contestant, one after the other, and a table of what was measured.

A server in one process has one core, and this client has another. At every table four people play; an update goes to
all of them.
"""

import argparse
import gc
import os
import resource
import tempfile
from statistics import median

import uvloop
from msgspec import Struct

from .boardgame_io import BoardgameIo
from .contestant import SEATS, Contestant
from .deadwood import OnPostgres, OnSQLite
from .load import Figures, Load
from .machine import memory, probe_disk, wait_for_quiet

CONTESTANTS: dict[str, type[Contestant]] = {"sqlite": OnSQLite, "postgres": OnPostgres, "boardgame.io": BoardgameIo}
HEAD = (
    "| | durable actions per second, saturated | processor time each | at {rate:,} per second: p99 of every round | "
    "processor time each | memory per connection |\n|---|---:|---:|---:|---:|---:|"
)


class Measured(Struct):
    """The results of one contestant."""

    name: str
    memory: float  # bytes per connection, including its share of a table
    steady: list[Figures]
    saturated: list[Figures]

    @property
    def row(self) -> str:
        worst = ", ".join(f"{one.p99:.1f}" for one in self.steady)
        rate, cost = (median(getattr(one, name) for one in self.saturated) for name in ("rate", "cost"))
        calm = median(one.cost for one in self.steady)
        return (
            f"| {self.name} | {rate:,.0f} | {cost:.0f} us | {worst} ms | {calm:.0f} us | {self.memory / 1000:.0f} kB |"
        )


async def measure(contestant: Contestant, arguments: argparse.Namespace) -> Measured:
    load = Load(contestant)
    before = memory(contestant.processes())
    await load.fill(arguments.connections // SEATS)
    each = (memory(contestant.processes()) - before) / arguments.connections
    gc.collect()
    gc.disable()  # so that this client's own pauses do not count as the server's
    measured = Measured(contestant.name, each, [], [])
    for _ in range(arguments.rounds):
        await wait_for_quiet(contestant.processes(), arguments.quiet)
        probe_disk(contestant.folder)
        measured.steady.append(await load.steady(arguments.rate, arguments.seconds))
        print(f"  {arguments.rate} actions/s due: {measured.steady[-1]}", flush=True)
        await wait_for_quiet(contestant.processes(), arguments.quiet)
        measured.saturated.append(await load.saturate(arguments.players, arguments.seconds))
        print(f"  saturated, {arguments.players} tables at once: {measured.saturated[-1]}", flush=True)
    gc.enable()
    load.end()
    return measured


def run(kind: type[Contestant], arguments: argparse.Namespace, cores: list[int]) -> Measured:
    print(f"{kind.name}:", flush=True)
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        contestant = kind(folder)
        os.sched_setaffinity(0, cores)
        contestant.start(cores[0] if len(cores) > 1 else None)
        os.sched_setaffinity(0, {cores[-1]})
        try:
            return uvloop.run(measure(contestant, arguments))
        finally:
            contestant.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("contestants", nargs="*", choices=[[], *CONTESTANTS], help="all, if none is named")
    parser.add_argument("--connections", type=int, default=10_000)
    parser.add_argument("--rate", type=int, default=1_000)
    parser.add_argument("--players", type=int, default=200, help="tables that play at once when saturated")
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--quiet", type=float, default=1.0, help="wait until other programs use at most this share, 0 to 1"
    )
    parser.add_argument("--folder", help="where to put databases; by default in the temporary folder")
    arguments = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    cores = sorted(os.sched_getaffinity(0))
    names = arguments.contestants or CONTESTANTS
    measured = [run(CONTESTANTS[name], arguments, cores) for name in names]
    print("\n".join(["", HEAD.format(rate=arguments.rate), *(one.row for one in measured)]))


if __name__ == "__main__":
    main()
