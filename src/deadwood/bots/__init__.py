"""Players that decide. A bot sees the public state alone; there is nothing else."""

from .advising import Advice, Explainer, advice
from .checking import check_bot
from .registry import Bot, BotUnknown, Thinker, make, names

__all__ = ["Advice", "Bot", "BotUnknown", "Explainer", "Thinker", "advice", "check_bot", "make", "names"]
