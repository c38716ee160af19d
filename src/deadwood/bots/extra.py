"""`extra`: random, but never passes when it can work."""

import random
from collections.abc import Sequence

from ..engine.actions import Action, EndTurn, TakeRole
from ..engine.state import State


class ExtraBot:
    """Takes any role it can get, and otherwise wanders about."""

    level = 1

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def decide(self, _state: State, actions: Sequence[Action]) -> Action:
        roles = [action for action in actions if isinstance(action, TakeRole)]
        moving = [action for action in actions if not isinstance(action, EndTurn)]
        return self._random.choice(roles or moving or actions)
