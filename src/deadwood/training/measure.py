"""How strong weights are: `python -m deadwood.training.measure --weights F --against star --players 4 --games 2000`.

The champion with these weights has one seat, the other bot all others, and every deal of cards and dice is played from
every seat. It prints a line per table. `--bars` plays all the tables by which the champion is judged.
"""

import argparse
import json
import os
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct, structs, to_builtins

from ..bots.champion import WEIGHTS_VARIABLE, weights_path
from ..engine.deck import BUILT_IN_DECKS
from ..engine.options import CHOICES, PLAYERS, Options
from ..engine.refusal import DeadwoodError
from ..extras import needs
from ..lab.contestants import check_contestants
from ..lab.workers import usable_cores
from ..threads import keep_to_one_thread

if __name__ == "__main__":
    keep_to_one_thread()  # before numpy is imported; the processes that play inherit it

with needs("The training", "jax", program=__name__ == "__main__"):
    from ..lab.arena import Contest, Deal, GameResult, play_deals
    from ..lab.statistics import ShareEstimate, share_by_groups

CHAMPION, QUICK = "deadwood.bots.champion:ChampionBot", "deadwood.bots.champion:QuickChampionBot"


class Matchup(NamedTuple):
    """A table to measure at: the number of seats, with the champion in one and the other bot in all others."""

    players: int
    against: str = "star"
    options: Options = Options()

    def __str__(self) -> str:
        others = f"{self.players - 1} {self.against}" if self.players > 2 else self.against
        usual = structs.asdict(Options())
        unusual = [str(value) for name, value in structs.asdict(self.options).items() if value != usual[name]]
        return " ".join([f"{self.players} players", *unusual, "against", others])


class Measured(Struct, frozen=True):
    """What the games of a matchup showed."""

    table: str
    players: int
    games: int
    cut_off: int
    won: ShareEstimate
    milliseconds: float

    def line(self) -> str:
        """The result as a line."""
        cut_off = f", {self.cut_off} cut off" if self.cut_off else ""
        return (
            f"{self.table}: {self.won.share:.1%} ({100 * self.won.low:.1f}-{100 * self.won.high:.1f}), "
            f"fair {1 / self.players:.1%}, {self.games:,} games{cut_off}, {self.milliseconds:.2f} ms a decision"
        )


BARS = (
    Matchup(2),
    Matchup(4),
    Matchup(4, options=Options(layout="random")),
    Matchup(4, options=Options(layout="random", bonus="actors")),
    Matchup(4, options=Options(layout="random", deck="studio")),
    Matchup(4, options=Options(layout="random", deck="studio", bonus="actors")),
    Matchup(3),
    Matchup(6),
    Matchup(8),
    *(Matchup(2, bot) for bot in ("random", "extra", "hopeful")),
)


def measure(matchup: Matchup, champion: str, games: int, seed: int, processes: int) -> Measured:
    """Play a matchup; games that are cut off count as lost."""
    lineup = (champion, *[matchup.against] * (matchup.players - 1))
    deals = [Deal(number, lineup) for number in range(-(-games // matchup.players))]
    return _evaluated(matchup, champion, play_deals(Contest(matchup.options, seed), deals, processes))


def _evaluated(matchup: Matchup, champion: str, results: Sequence[GameResult]) -> Measured:
    won: dict[int, list[float]] = defaultdict(list)
    for result in results:
        won[result.deal].append(result.won[_seat(result, champion)])
    seats = [(result, _seat(result, champion)) for result in results]
    seconds, decisions = (
        sum(getattr(result, name)[seat] for result, seat in seats) for name in ("seconds", "decisions")
    )
    return Measured(
        table=str(matchup),
        players=matchup.players,
        games=len(results),
        cut_off=sum(result.cut_off for result in results),
        won=share_by_groups([(sum(shares), len(shares)) for shares in won.values()]),
        milliseconds=1000 * seconds / max(1, decisions),
    )


def _seat(result: GameResult, champion: str) -> int:
    return result.seats.index(champion)


def prepare(weights: Path | None) -> None:
    """Tell the processes that play which weights to use."""
    if weights is not None:
        os.environ[WEIGHTS_VARIABLE] = str(weights.resolve())


def _matchups(chosen: argparse.Namespace) -> Iterable[Matchup]:
    if chosen.bars:
        return BARS
    options = Options(layout=chosen.layout, deck=chosen.deck, bonus=chosen.bonus, ties=chosen.ties)
    return [Matchup(players, chosen.against, options) for players in chosen.players]


def _counts(text: str) -> list[int]:
    counts = [int(count) for count in text.split(",") if count.strip().isdecimal()]
    if not counts or not set(counts) <= set(PLAYERS):
        raise argparse.ArgumentTypeError(f"'{text}' is not a list of numbers of players such as 2,4")
    return counts


def positive(text: str) -> int:
    """A number from 1, as an argument of a command."""
    if not (text.isascii() and text.isdecimal() and 0 < int(text) < 1 << 31):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 1")
    return int(text)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, help="by default the champion's own")
    parser.add_argument("--against", default="star", help="the bot in all other seats")
    parser.add_argument("--players", type=_counts, default=[4], help="numbers of players, as in 2,4")
    parser.add_argument("--games", type=positive, default=2000, help="per table; rounded up to whole deals")
    parser.add_argument("--processes", type=positive, default=usable_cores())
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--quick", action="store_true", help="without search")
    parser.add_argument("--bars", action="store_true", help="all tables by which the champion is judged")
    parser.add_argument("--layout", default="standard")
    parser.add_argument("--deck", choices=BUILT_IN_DECKS, default=BUILT_IN_DECKS[0])
    parser.add_argument("--bonus", choices=CHOICES["bonus"], default="roles")
    parser.add_argument("--ties", choices=CHOICES["ties"], default="later")
    parser.add_argument("--json", type=Path, help="also write the results to this file")
    return parser


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print a line per table."""
    parser = _parser()
    chosen = parser.parse_args(arguments)
    prepare(chosen.weights)
    champion = QUICK if chosen.quick else CHAMPION
    found = []
    try:
        if not weights_path().exists():
            raise DeadwoodError(f"There are no weights in {weights_path()}.")
        matchups = list(_matchups(chosen))
        check_contestants((champion, *(matchup.against for matchup in matchups)))
        for matchup in matchups:
            found.append(measure(matchup, champion, chosen.games, chosen.seed, chosen.processes))
            print(found[-1].line(), flush=True)
    except DeadwoodError as error:
        parser.error(str(error))
    if chosen.json:
        chosen.json.write_text(json.dumps(to_builtins(found)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
