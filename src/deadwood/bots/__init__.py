"""Players that decide. A bot sees the public state alone; there is nothing else."""

from .advising import Advice, Explainer, advice
from .checking import check_bot
from .registry import USUAL_SECONDS, Bot, BotUnknown, Thinker, make, names, strongest

__all__ = [
    "USUAL_SECONDS",
    "Advice",
    "Bot",
    "BotUnknown",
    "Explainer",
    "Thinker",
    "advice",
    "check_bot",
    "make",
    "names",
    "strongest",
]
