"""The bots that play in the lab: a registered bot by name, or any class as `module:Class`."""

from .. import bots
from ..bots import Bot, Factory


def contestant(name: str, seed: int) -> Bot:
    """A new bot that does a fixed amount of work and never looks at the clock."""
    return factory(name)(seed)


def level_of(name: str) -> int:
    """The level that a bot declares, or 0."""
    return bots.level_of(factory(name))


def check_contestants(names: tuple[str, ...]) -> None:
    """Raise BotUnknown if one of these bots cannot play."""
    for name in dict.fromkeys(names):
        bots.check_factory(name, factory(name))


def factory(name: str) -> Factory:
    """The factory of the bot with this name."""
    return bots.imported(name) if ":" in name else bots.factory(name)
