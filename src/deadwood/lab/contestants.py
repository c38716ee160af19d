"""The bots that play in the lab: a registered bot by name, or any class as `module:Class`."""

from functools import cache
from importlib import import_module
from typing import cast

from .. import bots
from ..bots import Bot, Factory
from ..engine.refusal import DeadwoodError


class ContestantError(DeadwoodError):
    """A requested bot does not exist or cannot be created."""


def contestant(name: str, seed: int) -> Bot:
    """A new bot that does a fixed amount of work and never looks at the clock."""
    return factory(name)(seed)


def level_of(name: str) -> int:
    """The level that a bot declares, or 0."""
    return bots.level_of(factory(name))


def check_contestants(names: tuple[str, ...]) -> None:
    """Raise ContestantError if one of these bots cannot play."""
    for name in dict.fromkeys(names):
        try:
            bot = contestant(name, 0)
        except DeadwoodError:
            raise
        except Exception as error:
            raise ContestantError(f"The bot '{name}' cannot be created with a seed: {error!r}") from error
        if not callable(getattr(bot, "decide", None)):
            raise ContestantError(f"'{name}' is not a bot: it has no decide(state, actions).")


def factory(name: str) -> Factory:
    """The factory of the bot with this name."""
    return _imported(name) if ":" in name else bots.factory(name)


@cache
def _imported(name: str) -> Factory:
    module, _, attribute = name.partition(":")
    try:
        return cast(Factory, getattr(import_module(module), attribute))
    except Exception as error:
        advice = "name an importable module and a class in it, as in mybot:MyBot"
        raise ContestantError(f"There is no bot '{name}' ({error}); {advice}.") from error
