"""Bots by name; other packages bring theirs by the entry point group `deadwood.bots`."""

from collections.abc import Callable, Sequence
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Protocol

from ..engine.actions import Action
from ..engine.refusal import DeadwoodError
from ..engine.state import State

GROUP = "deadwood.bots"


class Bot(Protocol):
    """A player that decides; of two with the same seed, both decide alike."""

    def decide(self, state: State, actions: Sequence[Action]) -> Action:
        """One of the active player's legal actions."""


class BotUnknown(DeadwoodError):
    """There is no bot of that name."""


def names() -> tuple[str, ...]:
    """All bots, gentle ones first: by level, then by name."""
    return tuple(sorted(_found(), key=lambda name: (_found()[name].level, name)))


def make(name: str, seed: int | None = None) -> Bot:
    """A new bot; without a seed it decides differently every time."""
    if name not in _found():
        raise BotUnknown(f"There is no bot called '{name}'; there are: {', '.join(names())}.")
    return _found()[name].factory(seed)


class _Entry:
    """A registered bot; its package is imported when it is first asked for."""

    def __init__(self, entry: EntryPoint) -> None:
        self._entry = entry

    @property
    def factory(self) -> Callable[[int | None], Bot]:
        loaded: Callable[[int | None], Bot] = self._entry.load()
        return loaded

    @property
    def level(self) -> int:
        return getattr(self.factory, "level", 0)


@cache
def _found() -> dict[str, _Entry]:
    return {entry.name: _Entry(entry) for entry in entry_points(group=GROUP)}
