"""The arena: bots play each other, and every deal of cards and dice is played in all seatings."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import cycle
from math import ceil
from random import Random
from time import perf_counter

from msgspec import Struct
from msgspec.structs import replace

from ..bots import DECISION_LIMIT, Bot
from ..engine.actions import Action
from ..engine.board import Board
from ..engine.deck import Deck
from ..engine.options import Options
from ..engine.state import State
from .contestants import contestant
from .luck import Chances, Ledger, judges_of
from .playing import Plan, SplitDice, play_game, seat_name, stream
from .workers import Progress, done_by

TABLES = (2, 3, 4, 6, 8)

Lineup = tuple[str, ...]


class Deal(Struct, frozen=True):
    """One set of cards and dice, and the bots that play it once in every seating."""

    number: int
    lineup: Lineup

    @property
    def seatings(self) -> tuple[Lineup, ...]:
        """Every rotation of the lineup, without duplicates."""
        rotations = (self.lineup[shift:] + self.lineup[:shift] for shift in range(len(self.lineup)))
        return tuple(dict.fromkeys(rotations))


class GameResult(Struct, frozen=True):
    """The result of a game. Tuples are by seat, in turn order."""

    deal: int
    seats: Lineup
    places: tuple[int, ...]
    won: tuple[float, ...]
    scores: tuple[int, ...]
    cut_off: bool
    decisions: tuple[int, ...]
    seconds: tuple[float, ...]
    luck: Chances = ()  # what chance added to everybody's chance to win, if it was judged


class Contest(Struct, frozen=True):
    """The settings that all games of an arena share."""

    options: Options = Options()
    seed: int = 0
    limit: int = DECISION_LIMIT
    board: Board | None = None
    deck: Deck | None = None
    judged: bool = False  # whether luck is measured


def open_deals(names: Sequence[str], players: int, games: int, seed: int) -> list[Deal]:
    """Enough deals for this many games with randomly drawn lineups, so that on average all bots meet equally often."""
    return _enough(_lineups(tuple(names), players, Random(stream(seed, "lineups", players))), games)


def ladder_deals(stronger: str, weaker: str, players: int, games: int) -> list[Deal]:
    """Deals between equal numbers of two bots, which sit in two blocks in one deal and alternate in the next."""
    half = players // 2
    blocks, mixed = (stronger,) * half + (weaker,) * half, (stronger, weaker) * half
    return _enough(cycle(dict.fromkeys((blocks, mixed))), games)


def play_deals(
    contest: Contest, deals: Sequence[Deal], jobs: int, ray: str | None = None, progress: Progress = lambda _d, _a: None
) -> list[GameResult]:
    """The results of all deals, in the same order no matter which worker played them."""
    games = sum(len(deal.seatings) for deal in deals)
    results: list[GameResult] = []
    for played in done_by(partial(play_deal, contest), deals, jobs, ray):
        results += played
        progress(len(results), games)
    return sorted(results, key=lambda result: (result.deal, result.seats))


def play_deal(contest: Contest, deal: Deal) -> list[GameResult]:
    """One deal in all its seatings, with the same cards and dice."""
    return [_play(contest, deal, seats) for seats in deal.seatings]


def _play(contest: Contest, deal: Deal, seats: Lineup) -> GameResult:
    options = replace(contest.options, first=seat_name(0))  # every bot takes every seat, so a fixed first seat is fair
    plan = Plan(
        seats=seats,
        options=options,
        seed=contest.seed,
        limit=contest.limit,
        board=contest.board,
        deck=contest.deck,
    )
    chance = (contest.seed, deal.number, tuple(sorted(seats)))  # the same in all seatings of a deal
    players = [Stopwatch(contestant(bot, stream(*chance, seat))) for seat, bot in enumerate(seats)]
    ledger = Ledger(stream(*chance, seats, "luck"), judges_of(seats)) if contest.judged else None
    row, _ = play_game(plan, deal.number, SplitDice(stream(*chance)), players, ledger)
    return GameResult(
        deal=deal.number,
        seats=seats,
        places=tuple(row.places),
        won=tuple(row.won),
        scores=tuple(row.scores),
        cut_off=row.cut_off,
        decisions=tuple(player.decisions for player in players),
        seconds=tuple(player.seconds for player in players),
        luck=ledger.luck if ledger and not row.cut_off else (),
    )


class Stopwatch:
    """Wraps a bot and measures how long it thinks."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self.decisions = 0
        self.seconds = 0.0

    def decide(self, state: State, actions: Sequence[Action]) -> Action:
        began = perf_counter()
        action = self._bot.decide(state, actions)
        self.seconds += perf_counter() - began
        self.decisions += 1
        return action


def _lineups(names: Lineup, players: int, chance: Random) -> Iterator[Lineup]:
    """Random lineups without end. If there are fewer bots than players, some bots take several seats."""
    copies = ceil(players / len(names))
    while True:
        yield tuple(chance.sample(names * copies, players))


def _enough(lineups: Iterator[Lineup], games: int) -> list[Deal]:
    deals: list[Deal] = []
    for number, lineup in enumerate(lineups):
        if games <= 0:
            break
        deals.append(Deal(number, lineup))
        games -= len(deals[-1].seatings)
    return deals
