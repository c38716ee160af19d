"""Players that decide. A bot sees the public state alone; there is nothing else."""

from .advising import Advice, Explainer, advice
from .bot_checker import DECISION_LIMIT, check_bot
from .registry import USUAL_SECONDS, Bot, BotFailed, BotUnknown, Thinker, decision, level, make, names, strongest

__all__ = [
    "DECISION_LIMIT",
    "USUAL_SECONDS",
    "Advice",
    "Bot",
    "BotFailed",
    "BotUnknown",
    "Explainer",
    "Thinker",
    "advice",
    "check_bot",
    "decision",
    "level",
    "make",
    "names",
    "strongest",
]
