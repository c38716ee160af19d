"""Players that decide. A bot sees the public state alone; there is nothing else."""

from .checking import check_bot
from .registry import Bot, BotUnknown, make, names

__all__ = ["Bot", "BotUnknown", "check_bot", "make", "names"]
