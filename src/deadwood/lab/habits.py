"""Habits of the champion compared with other bots: `python -m deadwood.lab.habits --games 200 --out runs/habits.html`.

Every bot plays against copies of itself. The program prints what they do, and writes a page with the plots.
"""

import argparse
import shlex
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from .. import __version__
from ..engine import rules
from ..engine.actions import REHEARSE, Action, TakeRole
from ..engine.chance import FACES
from ..engine.deck import HIGHEST_RANK, LOWEST_RANK
from ..engine.odds import success_chance
from ..engine.options import PLAYERS
from ..engine.refusal import DeadwoodError
from ..engine.state import State
from ..extras import needs
from ..files import replacing
from ..phrases import counted
from ..threads import keep_to_one_thread
from .contestants import check_contestants, contestant
from .playing import Plan, SplitDice, play_game, stream
from .workers import done_by, usable_cores

if __name__ == "__main__":
    keep_to_one_thread()  # before numpy is imported; the processes that play inherit it

with needs("The lab", "lab", program=__name__ == "__main__"):
    from .report.estimates import Estimate, Sums, share
    from .report.page import Top, page
    from .report.plots import Series, lines
    from .report.section import NumberTable, Section, cells
    from .report.wording import listed, percent, with_margin
    from .tables import text_table

BOTS = ("champion", "star", "regular")
LIMIT = 2_000  # decisions, several times what a game takes
_BATCH = 4  # games a worker gets at once
_ENOUGH = 20  # with fewer occasions, a share tells nothing


class Habit(Struct, frozen=True):
    """Something that players do in a share of the situations in which they could, along an axis."""

    id: str
    title: str
    unit: str  # what the share refers to
    across: str  # the axis
    compared_at: int  # where on the axis the bots are compared
    subject: str  # what the share is there
    note: str

    def finding(self, shares: Sequence[tuple[str, Estimate]]) -> str:
        """How often each bot does it, where the bots are compared."""
        return f"{self.subject}: {listed([f'{bot} {with_margin(one, percent)}' for bot, one in shares])}."


RANKS = Habit(
    "ranks",
    "At which rank do they end?",
    "players",
    "final rank",
    HIGHEST_RANK,
    f"Players who end at rank {HIGHEST_RANK}",
    "Of all players of finished games.",
)
STARS = Habit(
    "stars",
    "When do they take a starring role?",
    "open starring roles taken",
    "own rank",
    LOWEST_RANK,
    f"Open starring roles taken at rank {LOWEST_RANK}",
    "Of all decisions at which a starring role was open to the player where they stood.",
)
LAST_SHOT = Habit(
    "last-shot",
    "When do they leave the last shot to others?",
    "last shots rehearsed instead",
    "chance to succeed, in sixths",
    FACES - 1,
    f"Last shots rehearsed instead, with a chance of {FACES - 1} in {FACES}",
    "Of all decisions between acting and rehearsing on a starring role, with one shot left and another star on the "
    "set. A player whose act is certain to succeed may not rehearse.",
)
HABITS = (RANKS, STARS, LAST_SHOT)
Spot = tuple[str, int]  # a habit, and where on its axis


class Study(NamedTuple):
    """Which games to watch."""

    bot: str
    players: int
    seed: int
    games: tuple[int, ...]


class Watched(NamedTuple):
    """What was seen in one game: by spot, how often it was done, and how often it could have been."""

    bot: str
    cut_off: bool
    done: dict[Spot, int]
    possible: dict[Spot, int]


class Observer:
    """Watches a game and counts what its players do."""

    def __init__(self) -> None:
        self.done: Counter[Spot] = Counter()
        self.possible: Counter[Spot] = Counter()

    def count(self, habit: Habit, at: int, did: bool) -> None:
        """Note an occasion, and whether the player used it."""
        self.possible[habit.id, at] += 1
        self.done[habit.id, at] += did

    def __call__(self, state: State, action: Action, _after: State) -> None:
        legal = rules.legal_actions(state)
        player = state.players[state.active]
        if any(map(_stars, legal)):
            self.count(STARS, player.rank, _stars(action))
        if REHEARSE in legal and player.starring and _is_last_shot_among_stars(state):
            card = state.card(player.area)
            assert card is not None
            self.count(LAST_SHOT, int(FACES * success_chance(card.budget, player.chips)), action == REHEARSE)


def _stars(action: Action) -> bool:
    return isinstance(action, TakeRole) and action.kind == "star"


def _is_last_shot_among_stars(state: State) -> bool:
    area = state.players[state.active].area
    others = (one for seat, one in enumerate(state.players) if seat != state.active)
    return state.is_last_shot(area) and any(one.area == area and one.starring for one in others)


def watched(study: Study) -> list[Watched]:
    """The games of a study."""
    plan = Plan(seats=(study.bot,) * study.players, seed=study.seed, limit=LIMIT)
    return [_watched(plan, game) for game in study.games]


def _watched(plan: Plan, game: int) -> Watched:
    observer = Observer()
    players = [contestant(bot, stream(plan.seed, game, seat)) for seat, bot in enumerate(plan.seats)]
    row, _ = play_game(plan, game, SplitDice(stream(plan.seed, game)), players, observer)
    for reached in row.ranks:
        for rank in range(LOWEST_RANK, HIGHEST_RANK + 1):
            observer.count(RANKS, rank, rank == reached)
    return Watched(plan.seats[0], row.cut_off, dict(observer.done), dict(observer.possible))


class Results:
    """What was seen in all finished games: one that was cut off consists mostly of its endless last phase."""

    def __init__(self, games: Sequence[Watched]) -> None:
        self.bots = tuple(dict.fromkeys(game.bot for game in games))
        self.cut_off = Counter(game.bot for game in games if game.cut_off)
        self.games = len(games) // max(1, len(self.bots))
        self._sums: dict[tuple[str, Spot], Sums] = defaultdict(lambda: dict.fromkeys(("games", *_PRODUCTS), 0))
        for game in games:
            if not game.cut_off:
                self._add(game)

    def _add(self, game: Watched) -> None:
        for spot, x in game.possible.items():
            sums, y = self._sums[game.bot, spot], game.done[spot]
            for name, value in (("games", 1), *zip(_PRODUCTS, (y, x, y * y, x * y, x * x), strict=True)):
                sums[name] += value

    def points(self, habit: Habit, bot: str) -> list[tuple[int, Estimate]]:
        """The shares of a bot along the axis of a habit, where there is enough to see."""
        found = [
            (spot[1], share(sums))
            for (name, spot), sums in self._sums.items()
            if name == bot and spot[0] == habit.id and sums["x"] >= _ENOUGH
        ]
        return sorted(found, key=lambda point: point[0])

    def section(self, habit: Habit) -> Section:
        """The habit as a question with its answer."""
        series = [Series(bot, self.points(habit, bot), style) for style, bot in enumerate(self.bots)]
        at = habit.compared_at
        shares = [(one.name, dict(one.points)[at]) for one in series if at in dict(one.points)]
        finding = habit.finding(shares) if shares else "Too few games to tell."
        figure = lines(series, habit.across, habit.unit, percent, steps=True)
        return Section(habit.id, habit.title, finding, figure, _table(habit, series), habit.note)


_PRODUCTS = ("y", "x", "yy", "xy", "xx")


def _table(habit: Habit, series: Sequence[Series]) -> NumberTable:
    rows = [[f"{one.name}, {at:.0f}", *cells(found, percent)] for one in series for at, found in one.points]
    return NumberTable(habit.title, (f"bot, {habit.across}", habit.unit, "95% interval"), rows)


def study(bots: Sequence[str], players: int, games: int, seed: int = 0, jobs: int = 1) -> Results:
    """Watch every bot play this many games against itself."""
    check_contestants(tuple(bots))
    found = [one for batch in done_by(watched, _studies(bots, players, games, seed), jobs) for one in batch]
    order = {bot: place for place, bot in enumerate(bots)}
    return Results(sorted(found, key=lambda one: order[one.bot]))


def _studies(bots: Sequence[str], players: int, games: int, seed: int) -> Iterator[Study]:
    for bot in bots:
        for first in range(0, games, _BATCH):
            yield Study(bot, players, seed, tuple(range(first, min(games, first + _BATCH))))


def _cut_off(results: Results) -> str:
    stuck = [f"{counted(number, 'game')} of {bot}" for bot, number in results.cut_off.items()]
    return f"Left out: {listed(stuck)} had not ended after {LIMIT:,} decisions." if stuck else ""


def text(results: Results) -> str:
    """The findings and numbers of all habits."""
    parts = [part for part in (_cut_off(results),) if part]
    for habit in HABITS:
        section = results.section(habit)
        assert section.table is not None
        parts += [section.title, section.finding, text_table(section.table.head, section.table.rows)]
    return "\n\n".join(parts)


def write_page(results: Results, command: str, players: int, out: Path) -> None:
    """Write the findings, plots and numbers as a page like a report."""
    title = f"{counted(results.games, 'game')} each of {listed(results.bots)}, {players} players"
    facts = [
        ("Games", f"{results.games:,} a bot"),
        ("Players", str(players)),
        ("Played with", f"Deadwood {__version__}"),
    ]
    whole = page(Top(title, facts, command, "", _cut_off(results)), [results.section(habit) for habit in HABITS])
    out.parent.mkdir(parents=True, exist_ok=True)
    with replacing(out) as draft:
        draft.write_text(whole, encoding="utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bots", default=",".join(BOTS), help=f"as in {','.join(BOTS)}")
    parser.add_argument("--players", type=int, default=2, choices=PLAYERS)
    parser.add_argument("--games", type=int, default=200, help="per bot")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=usable_cores(), help="processes, by default one per core")
    parser.add_argument("--out", type=Path, help="an HTML page with plots")
    return parser


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables and write the page."""
    parser = _parser()
    chosen = parser.parse_args(arguments)
    if min(chosen.games, chosen.jobs) < 1:
        parser.error("--games and --jobs should be 1 or more")
    bots = tuple(dict.fromkeys(chosen.bots.split(",")))
    try:
        results = study(bots, chosen.players, chosen.games, chosen.seed, chosen.jobs)
        print(text(results))
        if chosen.out:
            write_page(results, _command(chosen, bots), chosen.players, chosen.out)
    except (DeadwoodError, OSError) as error:
        parser.error(str(error))


def _command(chosen: argparse.Namespace, bots: Sequence[str]) -> str:
    numbers = ["--players", chosen.players, "--games", chosen.games, "--seed", chosen.seed]
    return shlex.join(map(str, ["python", "-m", "deadwood.lab.habits", "--bots", ",".join(bots), *numbers]))


if __name__ == "__main__":
    main()
