"""Bots by name; other packages bring theirs by the entry point group `deadwood.bots`."""

import warnings
from collections.abc import Callable, Sequence
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Protocol, runtime_checkable

from ..engine.actions import Action
from ..engine.legality import legal_actions
from ..engine.refusal import DeadwoodError
from ..engine.state import State

GROUP = "deadwood.bots"
USUAL_SECONDS = 0.2  # that a bot may think about a decision where people wait for it
Factory = Callable[[int | None], "Bot"]  # makes a bot of a seed; may have a `level`


class Bot(Protocol):
    """A player that decides; of two with the same seed, both decide alike."""

    def decide(self, state: State, actions: Sequence[Action]) -> Action:
        """One of the active player's legal actions."""


@runtime_checkable
class Thinker(Protocol):
    """A bot that plays better the longer it thinks; without `seconds` it does a fixed amount of work."""

    seconds: float | None


class BotUnknown(DeadwoodError):
    """There is no bot of that name."""


class BotFailed(DeadwoodError):
    """A bot gave no action that it may do."""


def decision(bot: Bot, name: str, state: State) -> Action:
    """What a bot decides for the active player; a BotFailed by its name where it cannot, or may not do that."""
    actions = legal_actions(state)
    try:
        action = bot.decide(state, actions)
    except Exception as error:
        raise BotFailed(f"The bot '{name}' failed: {error!r}") from error
    if action not in actions:
        raise BotFailed(f"The bot '{name}' chose {action!r}, which it may not do.")
    return action


def names() -> tuple[str, ...]:
    """All bots that can be had, gentle ones first: by level, then by name."""
    return tuple(sorted(_found(), key=lambda name: (level(name), name)))


def level(name: str) -> int:
    """How strong a bot says it is, from 0."""
    return getattr(_found()[name], "level", 0)


def strongest() -> str:
    """The bot of the highest level: the one to ask for advice."""
    return names()[-1]


def make(name: str, seed: int | None = None, *, seconds: float | None = None) -> Bot:
    """A new bot; without a seed it decides differently every time.

    With `seconds`, a bot that can think longer does so, that long a decision. It then decides by the
    clock; without, the same seed makes the same game in any process.
    """
    if name not in _found():
        raise BotUnknown(f"There is no bot called '{name}'; there are: {', '.join(names())}.")
    bot = _found()[name](seed)
    if seconds is not None and isinstance(bot, Thinker):
        bot.seconds = seconds
    return bot


@cache
def _found() -> dict[str, Factory]:
    """The bots of all packages; one that cannot be imported must not spoil the others."""
    return {entry.name: factory for entry in entry_points(group=GROUP) if (factory := _loaded(entry))}


def _loaded(entry: EntryPoint) -> Factory | None:
    try:
        factory: Factory = entry.load()
    except Exception as error:
        warnings.warn(f"The bot '{entry.name}' cannot be imported: {error!r}", stacklevel=2)
        return None
    if not isinstance(getattr(factory, "level", 0), int):
        warnings.warn(f"The bot '{entry.name}' is left out: its level must be a whole number.", stacklevel=2)
        return None
    return factory
