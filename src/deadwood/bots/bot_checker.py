"""`check_bot`: whether a bot can play at any table. For people who write bots, and for our own."""

import copy
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

from ..engine import rules
from ..engine.chance import FastDice
from ..engine.options import PLAYERS, Options
from ..engine.state import State
from .advising import Explainer
from .random_bot import RandomBot
from .registry import Bot, BotFailed, decision, make

TABLES = (
    Options(),
    Options(deck="studio", layout="random"),
    Options(bonus="actors", layout="second", ties="shared"),
    Options(days=1, layout="GMCH"),
)
DECISION_LIMIT = 20_000  # a game that takes more decisions is cut off
SEED = 1


def check_bot(bot: str | Bot | Callable[[int], Bot]) -> list[str]:
    """Problems with a bot, one sentence each; an empty list if it works.

    Pass a bot's name, a bot, or a function that makes one from a seed, such as its class. It plays against random
    bots with every number of players and many options, from different seats. It must always choose a legal action,
    reach the end of the game, decide the same with the same seed, and explain every action if it explains any.
    """
    try:
        makes = _maker(bot)
        problems = list(_check_class(makes()))
    except Exception as error:
        return [f"The bot could not be made with a seed: {error!r}."]
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
        yield f"{bot!r} has no decide(state, actions)."
    if not isinstance(getattr(bot, "level", 0), int):
        yield "Its level is not a whole number."


def _check(makes: Callable[[], Bot], players: int, options: Options, seat: int) -> Iterator[str]:
    where = f"With {players} players and {options}"
    try:
        end = _play(makes(), players, options, seat)
        if options == TABLES[0] and end != _play(makes(), players, options, seat):
            yield f"{where}: With the same seed the bot decided differently."
    except BotFailed as problem:
        yield f"{where}: {problem}"


def _play(bot: Bot, players: int, options: Options, seat: int) -> State:
    """The last state of a game with the bot in a seat; raises BotFailed."""
    dice = FastDice(players)
    state, _ = rules.start([f"Player {seat}" for seat in range(players)], options, dice)
    bots: list[Bot] = [bot if number == seat else RandomBot(number) for number in range(players)]
    for number in range(DECISION_LIMIT):
        if state.over:
            return state
        if state.active == seat and number % 16 == 0 and isinstance(bot, Explainer):
            _check_explanation(bot, state)
        action = decision(bots[state.active], type(bot).__name__, state)
        state, _ = rules.apply(state, action, dice)
    raise BotFailed(f"The game did not end within {DECISION_LIMIT:,} decisions.")


def _check_explanation(bot: Explainer, state: State) -> None:
    actions = rules.legal_actions(state)
    try:
        explained = [advice.action for advice in bot.explain(state, actions)]
    except Exception as error:
        raise BotFailed(f"The bot '{type(bot).__name__}' could not explain itself: {error!r}.") from error
    if len(explained) != len(actions) or any(one not in explained for one in actions):
        raise BotFailed(f"The bot explained {len(explained)} actions, but {len(actions)} are legal.")
