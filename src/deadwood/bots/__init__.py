"""Bots. A bot sees the whole state; all of it is public."""

from .advising import Advice, Explainer, Unit, advice, unit
from .bot_checker import DECISION_LIMIT, check_bot
from .characters import character, stage_names
from .registry import (
    USUAL_BOT,
    USUAL_SECONDS,
    Bot,
    BotFailed,
    BotUnknown,
    Factory,
    TimedBot,
    allow,
    check_factory,
    decision,
    factory,
    imported,
    level,
    level_of,
    make,
    names,
    strongest,
)

__all__ = [
    "DECISION_LIMIT",
    "USUAL_BOT",
    "USUAL_SECONDS",
    "Advice",
    "Bot",
    "BotFailed",
    "BotUnknown",
    "Explainer",
    "Factory",
    "TimedBot",
    "Unit",
    "advice",
    "allow",
    "character",
    "check_bot",
    "check_factory",
    "decision",
    "factory",
    "imported",
    "level",
    "level_of",
    "make",
    "names",
    "stage_names",
    "strongest",
    "unit",
]
