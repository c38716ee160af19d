"""`random`: any legal action. For tests, and for people who want to win."""

import random
from collections.abc import Sequence

from ..engine.actions import Action
from ..engine.state import State


class RandomBot:
    """Chooses evenly among the legal actions."""

    level = 0

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def decide(self, _state: State, actions: Sequence[Action]) -> Action:
        return self._random.choice(actions)
