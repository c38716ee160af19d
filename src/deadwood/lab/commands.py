"""What the lab's commands do, apart from reading arguments and showing progress."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from itertools import pairwise
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ..engine import rules
from ..engine.chance import FastDice
from ..engine.options import PLAYERS
from ..engine.refusal import DeadwoodError
from .arena import TABLES, Contest, Deal, GameResult, ladder_deals, open_deals, play_deals
from .contestants import check_contestants, level_of
from .luck import can_be_judged, problem
from .playing import Plan, seat_name
from .ranking import Ranking, Rung, rank, rung
from .runs import Run, Summary
from .workers import Progress, usable_cores

LADDER_TABLES = (2, 4)

Bar = Callable[[str], AbstractContextManager[Progress]]  # a progress bar with this label


class WorkerSettings(Struct, frozen=True):
    """Where games are played: in processes on this machine, or on a Ray cluster."""

    jobs: int | None = None
    ray: str | None = None

    @property
    def count(self) -> int:
        """The number of processes, by default one per core."""
        return self.jobs or usable_cores()


def simulate(plan: Plan, games: int, file: Path | None, workers: WorkerSettings, bar: Bar) -> tuple[Run, Summary]:
    """Start a run, or continue it."""
    check_contestants(plan.seats)
    run = Run(plan, games, file or Path("runs") / f"{'-'.join(plan.seats).replace(':', '.')}.parquet")
    with bar("games") as progress:
        return run, run.go_on(workers.count, workers.ray, progress)


class Arena:
    """A contest between bots."""

    def __init__(self, names: Sequence[str], games: int, contest: Contest) -> None:
        if len(set(names)) < 2:
            raise DeadwoodError("An arena needs two bots or more, as in --bots star,regular or --bots all.")
        check_contestants(tuple(names))
        self._names, self._games = tuple(sorted(dict.fromkeys(names), key=level_of)), games
        self._contest = replace(contest, judged=contest.judged and _can_be_judged(contest))
        self.note = problem() if contest.judged else None  # a sentence for people, if there is something to say

    def rankings(self, players: Sequence[int], workers: WorkerSettings, bar: Bar) -> list[Ranking]:
        """All bots against each other: a ranking for each table size, then one over all sizes."""
        seed = self._contest.seed
        tables = {
            count: self._played(open_deals(self._names, count, self._games, seed), f"{count} players", workers, bar)
            for count in players or TABLES
        }
        rankings = [rank(results, count) for count, results in tables.items()]
        if len(tables) > 1:
            everything = [result for results in tables.values() for result in results]
            everything.sort(key=lambda result: result.deal)  # mix the sizes: ratings depend on the order of games
            rankings.append(rank(everything))
        return rankings

    def ladder(self, players: Sequence[int], workers: WorkerSettings, bar: Bar) -> list[Rung]:
        """Each bot against the next weaker one, with half the seats each, at tables of these sizes."""
        tables = players or LADDER_TABLES
        odd = [count for count in tables if count % 2]
        if odd:
            raise DeadwoodError(
                f"A ladder gives each bot half the seats; choose an even number of players, not {odd[0]}."
            )
        return [
            rung(
                stronger,
                weaker,
                self._played(
                    ladder_deals(stronger, weaker, count, self._games), f"{stronger}, {weaker} by {count}", workers, bar
                ),
            )
            for weaker, stronger in pairwise(self._names)
            for count in tables
        ]

    def _played(self, deals: Sequence[Deal], label: str, workers: WorkerSettings, bar: Bar) -> list[GameResult]:
        with bar(label) as progress:
            return play_deals(self._contest, deals, workers.count, workers.ray, progress)


def _can_be_judged(contest: Contest) -> bool:
    """Whether luck can be measured at these tables; their kind does not depend on the number of players."""
    names = [seat_name(seat) for seat in range(PLAYERS[0])]
    state, _ = rules.start(names, contest.options, FastDice(0), board=contest.board, deck=contest.deck)
    return can_be_judged(state)
