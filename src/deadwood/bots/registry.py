"""Bots by name. Other packages add theirs through the entry point group `deadwood.bots`."""

import warnings
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Protocol, cast, runtime_checkable

from ..engine.actions import Action
from ..engine.legality import legal_actions
from ..engine.refusal import DeadwoodError
from ..engine.state import State
from ..extras import DISTRIBUTION, ExtraMissing

GROUP = "deadwood.bots"
USUAL_BOT = "regular"  # whom to play against or to stand in, unless somebody chooses: neither weak nor slow
USUAL_SECONDS = 0.2  # a bot's time for one decision while people wait
Factory = Callable[[int | None], "Bot"]  # makes a bot from a seed; may have a `level`, and `offered()`
_allowed: dict[str, Factory] = {}  # bots given as `module:Class`
_lacking: dict[str, str] = {}  # what to install for bots that need more packages


class Bot(Protocol):
    """A program that decides. Two bots with the same seed make the same decisions."""

    def decide(self, state: State, actions: Sequence[Action]) -> Action:
        """One of the active player's legal actions."""


@runtime_checkable
class TimedBot(Protocol):
    """A bot that plays better the longer it thinks; without `seconds` it does a fixed amount of work."""

    seconds: float | None


class BotUnknown(DeadwoodError):
    """No bot has that name."""


class BotFailed(DeadwoodError):
    """A bot raised an error, or chose an action that is not legal."""


def decision(bot: Bot, name: str, state: State, actions: Sequence[Action] | None = None) -> Action:
    """What a bot decides for the active player; raises BotFailed, with the bot's name, if it fails.

    A caller that knows the legal actions already may pass them.
    """
    legal = legal_actions(state) if actions is None else actions
    try:
        action = bot.decide(state, legal)
    except Exception as error:
        raise BotFailed(f"The bot '{name}' raised {error!r}.") from error
    if action not in legal:
        raise BotFailed(f"The bot '{name}' chose {action!r}, which is not one of its {len(legal)} legal actions.")
    return action


def names() -> tuple[str, ...]:
    """All installed bots, the weakest first: by level, then by name."""
    return tuple(sorted(_found(), key=lambda name: (level(name), name)))


def factory(name: str) -> Factory:
    """The function that makes the bot with that name, usually its class; raises BotUnknown for an unknown name."""
    found = _found().get(name) or _allowed.get(name)
    if found is not None:
        return found
    if name in _lacking:
        raise BotUnknown(_lacking[name])
    if ":" in name:
        raise BotUnknown(f"The bot '{name}' is a program of yours; allow it with --bot {name}")
    if not names():
        raise BotUnknown(
            f"No bots are found, because Deadwood is not installed here; install it with: pip install {DISTRIBUTION}"
        )
    raise BotUnknown(f"There is no bot called '{name}'; choose from: {', '.join(names())}.")


def allow(name: str) -> None:
    """Import the bot `module:Class`, and let `make` create it. Nothing else imports bots: a record may name any."""
    check_factory(name, imported(name))
    _allowed[name] = imported(name)


@cache
def imported(name: str) -> Factory:
    """The factory of a bot given as `module:Class`; raises BotUnknown."""
    module, _, attribute = name.partition(":")
    try:
        return cast(Factory, getattr(import_module(module), attribute))
    except Exception as error:
        advice = "name an importable module and a class in it, as in mybot:MyBot"
        raise BotUnknown(f"There is no bot '{name}' ({error}); {advice}.") from error


def check_factory(name: str, factory: Factory) -> None:
    """Raise BotUnknown if a factory does not make bots."""
    try:
        bot = factory(0)
    except Exception as error:
        raise BotUnknown(f"The bot '{name}' cannot be created with a seed: {error!r}") from error
    if not callable(getattr(bot, "decide", None)):
        raise BotUnknown(f"'{name}' is not a bot: it has no decide(state, actions).")


def level(name: str) -> int:
    """A bot's strength, from 0, as it declares it."""
    return level_of(factory(name))


def level_of(factory: Factory) -> int:
    """The level that a factory declares; 0 by default."""
    return getattr(factory, "level", 0)


def strongest() -> str:
    """The bot of the highest level: the one to ask for advice."""
    return names()[-1]


def make(name: str, seed: int | None = None, *, seconds: float | None = None) -> Bot:
    """A new bot; without a seed it decides differently every time.

    With `seconds`, a bot that can use the time thinks that long about each decision, so its decisions depend on the
    clock. Without it, the same seed gives the same game in any process.
    """
    bot = factory(name)(seed)
    if seconds is not None and isinstance(bot, TimedBot):
        bot.seconds = seconds
    return bot


@cache
def _found() -> dict[str, Factory]:
    """The bots of all packages, except those that cannot be imported."""
    return {entry.name: factory for entry in entry_points(group=GROUP) if (factory := _loaded(entry))}


def _loaded(entry: EntryPoint) -> Factory | None:
    try:
        factory: Factory = entry.load()
    except Exception as error:
        warnings.warn(f"The bot '{entry.name}' cannot be imported: {error!r}", stacklevel=2)
        return None
    try:
        if not getattr(factory, "offered", lambda: True)():
            return None  # it lacks something on this computer
    except ExtraMissing as error:
        _lacking[entry.name] = str(error)
        return None
    if not isinstance(level_of(factory), int):
        warnings.warn(f"The bot '{entry.name}' is left out: its level must be a whole number.", stacklevel=2)
        return None
    return factory
