"""`check_bot`: whether a bot can sit at any table. For bot writers, and used on our own."""

from collections.abc import Callable, Iterator
from itertools import cycle

from ..engine import rules
from ..engine.chance import FastDice
from ..engine.options import PLAYERS, Options
from ..engine.state import State
from .random_bot import RandomBot
from .registry import Bot

TABLES = (
    Options(),
    Options(deck="studio", layout="random"),
    Options(bonus="actors", layout="second", ties="shared"),
    Options(days=1, layout="GMCH"),
)
DECISION_LIMIT = 50_000


def check_bot(make: Callable[[int], Bot]) -> list[str]:
    """What is wrong with a bot that `make(seed)` makes: one sentence a problem, none if all is well.

    It is played against random bots at every number of players and many options: it must always
    give one of the legal actions, come to the end of the game, and decide alike with the same seed.
    """
    tables = zip(PLAYERS, cycle(TABLES), strict=False)
    return [problem for players, options in tables for problem in _check(make, players, options)]


def _check(make: Callable[[int], Bot], players: int, options: Options) -> Iterator[str]:
    where = f"with {players} players and {options}"
    first, problem = _play(make, players, options)
    if problem:
        yield f"{where}: {problem}"
    elif first != _play(make, players, options)[0]:
        yield f"{where}: with the same seed the bot decided differently"


def _play(make: Callable[[int], Bot], players: int, options: Options) -> tuple[State, str]:
    """A game with the bot on the first seat: its last state, and what went wrong."""
    dice = FastDice(players)
    state, _ = rules.start([f"Player {seat}" for seat in range(players)], options, dice)
    bots: list[Bot] = [make(1), *(RandomBot(seat) for seat in range(1, players))]
    for _ in range(DECISION_LIMIT):
        if state.over:
            return state, ""
        actions = rules.legal_actions(state)
        try:
            action = bots[state.active].decide(state, actions)
        except Exception as error:  # whatever a bot raises is for the report
            return state, f"the bot raised {error!r}"
        if action not in actions:
            return state, f"the bot chose {action!r}, which is none of its {len(actions)} legal actions"
        state, _ = rules.apply(state, action, dice)
    return state, f"the game did not end within {DECISION_LIMIT} decisions"
