"""Players that decide. A bot sees the public state alone; there is nothing else."""

from .registry import Bot, BotUnknown, make, names

__all__ = ["Bot", "BotUnknown", "make", "names"]
