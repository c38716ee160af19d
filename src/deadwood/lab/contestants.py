"""Who plays in the lab: a bot of the registry, or one that is being written, as `module:Class`."""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import cast

from .. import bots
from ..bots import Bot
from ..engine.refusal import DeadwoodError


class ContestantError(DeadwoodError):
    """There is no such bot, or it cannot be made."""


def contestant(name: str, seed: int) -> Bot:
    """A new bot; of those that can think by the clock, one that does a fixed amount of work."""
    if ":" not in name:
        return bots.make(name, seed)
    return factory(name)(seed)


def level_of(name: str) -> int:
    """How strong a bot says it is; a bot that says nothing is at the bottom."""
    return bots.level(name) if ":" not in name else getattr(factory(name), "level", 0)


def check_contestants(names: tuple[str, ...]) -> None:
    """Raise a ContestantError if one of them cannot play."""
    for name in dict.fromkeys(names):
        try:
            bot = contestant(name, 0)
        except DeadwoodError:
            raise
        except Exception as error:
            raise ContestantError(f"The bot '{name}' cannot be made with a seed: {error!r}") from error
        if not callable(getattr(bot, "decide", None)):
            raise ContestantError(f"'{name}' is no bot: it has no decide(state, actions).")


@cache
def factory(name: str) -> Callable[[int], Bot]:
    """What makes a bot that is named as `module:Class`."""
    module, _, attribute = name.partition(":")
    try:
        return cast(Callable[[int], Bot], getattr(import_module(module), attribute))
    except Exception as error:
        advice = "name a module that can be imported from here, and a class in it, as in mybot:MyBot"
        raise ContestantError(f"There is no bot '{name}' ({error}); {advice}.") from error
