"""`check_bot`: whether a bot can sit at any table. For bot writers, and used on our own."""

import copy
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

from ..engine import rules
from ..engine.actions import Action
from ..engine.chance import FastDice
from ..engine.options import PLAYERS, Options
from ..engine.state import State
from .advising import Explainer
from .random_bot import RandomBot
from .registry import Bot, make

TABLES = (
    Options(),
    Options(deck="studio", layout="random"),
    Options(bonus="actors", layout="second", ties="shared"),
    Options(days=1, layout="GMCH"),
)
DECISION_LIMIT = 20_000  # after which a game is taken for one that does not end
SEED = 1


def check_bot(bot: str | Bot | Callable[[int], Bot]) -> list[str]:
    """What is wrong with a bot: one sentence a problem, none if all is well.

    Give what makes one of a seed, such as its class; or a bot, or the name of one. It is played against random
    bots at every number of players and with many options, from different seats: it must always give one of the
    legal actions, come to the end of the game, decide alike with the same seed, and explain all it is asked to.
    """
    try:
        makes = _maker(bot)
        problems = list(_check_class(makes()))
    except Exception as error:
        return [f"no bot could be made with a seed: {error!r}"]
    for number, (players, options) in enumerate(product(PLAYERS, TABLES)):
        problems += _check(makes, players, options, seat=number % players)
    return problems


def _maker(bot: str | Bot | Callable[[int], Bot]) -> Callable[[], Bot]:
    if isinstance(bot, str):
        return lambda: make(bot, SEED)
    if not isinstance(bot, type) and hasattr(bot, "decide"):
        return lambda: copy.deepcopy(bot)
    factory: Any = bot
    return lambda: factory(SEED)


def _check_class(bot: Bot) -> Iterator[str]:
    if not callable(getattr(bot, "decide", None)):
        yield f"{bot!r} has no decide(state, actions)"
    if not isinstance(getattr(bot, "level", 0), int):
        yield "its level is not a whole number"


def _check(makes: Callable[[], Bot], players: int, options: Options, seat: int) -> Iterator[str]:
    where = f"with {players} players and {options}"
    first, problem = _play(makes(), players, options, seat)
    if problem:
        yield f"{where}: {problem}"
    elif options == TABLES[0] and first != _play(makes(), players, options, seat)[0]:
        yield f"{where}: with the same seed the bot decided differently"


def _play(bot: Bot, players: int, options: Options, seat: int) -> tuple[State, str]:
    """A game with the bot on a seat: its last state, and what went wrong."""
    dice = FastDice(players)
    state, _ = rules.start([f"Player {seat}" for seat in range(players)], options, dice)
    bots: list[Bot] = [bot if number == seat else RandomBot(number) for number in range(players)]
    for number in range(DECISION_LIMIT):
        if state.over:
            return state, ""
        try:
            action = bots[state.active].decide(state, rules.legal_actions(state))
            problem = _problem(bot, state, action, asked=state.active == seat and number % 16 == 0)
        except Exception as error:  # whatever a bot raises is for the report
            return state, f"the bot raised {error!r}"
        if problem:
            return state, problem
        state, _ = rules.apply(state, action, dice)
    return state, f"the game did not end within {DECISION_LIMIT} decisions"


def _problem(bot: Bot, state: State, action: Action, asked: bool) -> str:
    """What is wrong with a decision, and now and then with its explanation."""
    actions = rules.legal_actions(state)
    if action not in actions:
        return f"the bot chose {action!r}, which is none of its {len(actions)} legal actions"
    if asked and isinstance(bot, Explainer):
        explained = [advice.action for advice in bot.explain(state, actions)]
        if len(explained) != len(actions) or any(one not in explained for one in actions):
            return f"the bot explained {len(explained)} actions where {len(actions)} are legal"
    return ""
