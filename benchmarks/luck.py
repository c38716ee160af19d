"""How many plain games one game without luck is worth, for nets that judge luck, on games that are played only once.

    python -m benchmarks.luck play --minutes 5 --out games.jsonl
    python -m benchmarks.luck judge --games games.jsonl --lineups src/deadwood/lab/lineups.npz

`play` lets pairs of bots play at tables of 2 and 4, as the arena does, and keeps every action. `judge` plays the games
again and prints how many times as large the variance between deals is with luck as without it, and the standard error
of that: for the champion as the judge, for each file of `--lineups`, and for all together. The arena's "a game counts
as" is such a ratio for all together, but of variances by the jackknife, so it differs a little.
"""

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any

from msgspec import Struct, convert, to_builtins

from deadwood.bots.champion import weights_path
from deadwood.engine import rules
from deadwood.engine.options import Options
from deadwood.engine.scoring import win_shares
from deadwood.extras import needs
from deadwood.lab.contestants import contestant
from deadwood.lab.playing import Plan, SplitDice, play_game, seat_name, seat_names, stream
from deadwood.lab.workers import done_by, usable_cores
from deadwood.threads import keep_to_one_thread

if __name__ == "__main__":
    keep_to_one_thread()  # before numpy is imported; the processes that play inherit it

with needs("The benchmark", "lab", program=__name__ == "__main__"):
    import numpy as np

    from deadwood import encoding
    from deadwood.lab import luck
    from deadwood.lab.arena import Deal, open_deals
    from deadwood.lab.judges import LineupJudge, Panel, lineup_weights
    from deadwood.lab.lineup import BOTS
    from deadwood.lab.luck import Ledger, known
    from deadwood.neural.judge import judge_from

QUICK = "deadwood.bots.champion:QuickChampionBot"
PAIRS = (("champion", "star"), ("star", "regular"), ("champion", "regular"), ("champion", QUICK))
TABLES = (2, 4)
MOST_GAMES = 20_000  # per pair and table
SAMPLES = 400  # for a standard error
FIRST = 48  # the character of action 0


class Played(Struct, frozen=True):
    """A game: the pair, the deal, the seats, everybody's share of the win, and all actions as characters."""

    pair: tuple[str, ...]
    deal: int
    seats: tuple[str, ...]
    won: tuple[float, ...]
    actions: str
    seed: int


class Judged(Struct, frozen=True):
    """What the first bot of a pair won in a game, and its luck as each judge sees it."""

    pair: tuple[str, ...]
    players: int
    deal: tuple[int, int]  # the seed, and the number of the deal
    won: float
    luck: tuple[float, ...]


# ------------------------------------------------------------------------------------------------ playing


def plan_of(seats: tuple[str, ...], seed: int) -> Plan:
    return Plan(seats=seats, options=Options(first=seat_name(0)), seed=seed)


def chance_of(seed: int, deal: int, seats: tuple[str, ...]) -> tuple[Any, ...]:
    return (seed, deal, tuple(sorted(seats)))


def play_deal(task: tuple[tuple[str, ...], Deal, int]) -> list[Played]:
    pair, deal, seed = task
    return [game for seats in deal.seatings if (game := play(pair, deal.number, seats, seed)) is not None]


def play(pair: tuple[str, ...], deal: int, seats: tuple[str, ...], seed: int) -> Played | None:
    """A game as the arena plays it, or None if it was cut off."""
    plan, chance, found = plan_of(seats, seed), chance_of(seed, deal, seats), []
    players = [contestant(bot, stream(*chance, seat)) for seat, bot in enumerate(seats)]

    def watch(state: Any, action: Any, _after: Any) -> None:
        found.append(chr(FIRST + encoding.number_of(action, state.table)))

    row, _ = play_game(plan, deal, SplitDice(stream(*chance)), players, watch)
    return None if row.cut_off else Played(pair, deal, seats, tuple(row.won), "".join(found), seed)


def tasks(until: float, seed: int, shares: Sequence[int]) -> Iterator[tuple[tuple[str, ...], Deal, int]]:
    """Deals of all pairs and tables in turn, until the time is up; `shares` says how often each number of players."""
    turns = [(pair, players) for players, share in zip(TABLES, shares, strict=True) for pair in PAIRS * share]
    deals = {contest: iter(open_deals(*contest, MOST_GAMES, seed)) for contest in dict.fromkeys(turns)}
    for contest in cycle(turns):
        deal = next(deals[contest], None)
        if deal is None or time.monotonic() > until:
            return
        yield contest[0], deal, seed


def play_all(minutes: float, processes: int, seed: int, out: Path) -> None:
    until = time.monotonic() + 60 * minutes
    games = 0
    with out.open("w", encoding="utf-8") as file:
        for played in done_by(play_deal, tasks(until, seed, (2, 1)), processes):
            games += len(played)
            file.writelines(json.dumps(to_builtins(game)) + "\n" for game in played)
    print(f"{games:,} games are in {out}", flush=True)


# ------------------------------------------------------------------------------------------------ judging


def judge(lineups: Sequence[Path], samples: tuple[int, int], games: Sequence[Played]) -> list[Judged]:
    luck.CARDS, luck.WRAPS = samples
    return [judge_game(lineups, game) for game in games]


def judge_game(lineups: Sequence[Path], game: Played) -> Judged:
    """Play a game again, and ask all judges about it."""
    plan, chance = plan_of(game.seats, game.seed), chance_of(game.seed, game.deal, game.seats)
    dice = SplitDice(stream(*chance))
    numbers = [BOTS.index(known(bot)) for bot in game.seats]
    panel = Panel(judge_from(weights_path()), *(LineupJudge(lineup_weights(file), numbers) for file in lineups))
    ledger = Ledger(stream(*chance, game.seats, "luck"), panel)
    state, _ = rules.start(seat_names(plan), plan.options, dice)
    for character in game.actions:
        action = encoding.action_of(ord(character) - FIRST, state.table)
        after, _ = rules.apply(state, action, dice)
        ledger(state, action, after)
        state = after
    assert tuple(win_shares(state)) == game.won, "a game came out differently"
    own = [seat for seat, bot in enumerate(game.seats) if bot == game.pair[0]]
    found = tuple(sum(by_seat[seat] for seat in own) for by_seat in ledger.luck)
    won = sum(game.won[seat] for seat in own)
    return Judged(game.pair, len(game.seats), (game.seed, game.deal), won, found)


def counts_as(groups: Any, columns: Sequence[int]) -> float:
    """The variance between deals with luck, divided by that without as much luck as these judges can explain.

    A row of `groups` is a deal: games, wins, and luck for every judge.
    """
    games, won = groups[:, 0], groups[:, 1]
    given = groups[:, [2 + column for column in columns]]
    share = games / games.sum()
    won, given = won - won.sum() * share, given - given.sum(0) * share[:, None]
    weights, *_ = np.linalg.lstsq(given, won, rcond=None)
    freedom = (len(won) - 1) / max(1, len(won) - 1 - len(columns))
    left = np.square(won - given @ weights).sum() * freedom
    return float(np.square(won).sum() / left) if left else 1.0


def grouped(rows: Sequence[Judged]) -> Any:
    by_deal: dict[tuple[int, int], list[Judged]] = defaultdict(list)
    for row in rows:
        by_deal[row.deal].append(row)
    return np.array(
        [[len(deal), sum(row.won for row in deal), *np.sum([row.luck for row in deal], 0)] for deal in by_deal.values()]
    )


def line(pair: tuple[str, ...], players: int, rows: Sequence[Judged], judges: int) -> str:
    groups = grouped(rows)
    sets = [*([number] for number in range(judges)), *([list(range(judges))] if judges > 1 else [])]
    chance = np.random.default_rng(0)
    cells = []
    for columns in sets:
        again = [counts_as(chance.choice(groups, len(groups)), columns) for _ in range(SAMPLES)]
        cells.append(f"{counts_as(groups, columns):5.2f} ± {np.std(again):4.2f}")
    names = " ".join(f"{name.rpartition(':')[2]:16}" for name in pair)
    share = sum(row.won for row in rows) / len(rows)
    return f"{names} {players} {len(rows):7,} {share:6.1%}  " + "  ".join(cells)


def judge_all(files: Sequence[Path], lineups: Sequence[Path], samples: tuple[int, int], most: int, jobs: int) -> None:
    by_contest: dict[tuple[tuple[str, ...], int], list[Played]] = defaultdict(list)
    for file in files:
        for text in file.read_text(encoding="utf-8").splitlines():
            game = convert(json.loads(text), Played)
            by_contest[game.pair, len(game.seats)].append(game)
    heads = ["champion", *(file.stem for file in lineups), *(["together"] if lineups else [])]
    print(f"{'':33} players games   won  " + "  ".join(f"{head:>12}" for head in heads), flush=True)
    for (pair, players), played in sorted(by_contest.items(), key=lambda one: (one[0][1], one[0][0])):
        games = sorted(played, key=lambda game: (game.deal, game.seats))[:most]
        parts = [games[first : first + 4] for first in range(0, len(games), 4)]
        rows = [row for part in done_by(partial(judge, lineups, samples), parts, jobs) for row in part]
        print(line(pair, players, rows, 1 + len(lineups)), flush=True)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = parser.add_subparsers(dest="part", required=True)
    playing = parts.add_parser("play", help="play games and keep them")
    playing.add_argument("--minutes", type=float, default=5.0)
    playing.add_argument("--seed", type=int, default=11)
    playing.add_argument("--out", type=Path, default=Path("games.jsonl"))
    judging = parts.add_parser("judge", help="judge games that were kept")
    judging.add_argument("--games", type=Path, nargs="+", default=[Path("games.jsonl")])
    judging.add_argument("--lineups", type=Path, nargs="*", default=[])
    judging.add_argument("--most", type=int, default=1 << 30, help="games per pair and table")
    judging.add_argument("--cards", type=int, default=luck.CARDS, help="samples of cards")
    judging.add_argument("--wraps", type=int, default=luck.WRAPS, help="samples of bonus dice")
    for part in (playing, judging):
        part.add_argument("--processes", type=int, default=usable_cores())
    chosen = parser.parse_args(arguments)
    if chosen.part == "play":
        play_all(chosen.minutes, chosen.processes, chosen.seed, chosen.out)
    else:
        judge_all(chosen.games, chosen.lineups, (chosen.cards, chosen.wraps), chosen.most, chosen.processes)


if __name__ == "__main__":
    main()
