"""`random`: any legal action. For tests, and for people who want to win."""

import random
from collections.abc import Sequence

from ..engine.actions import Action
from ..engine.state import State
from ..narration import BotReason
from .advising import Advice


class RandomBot:
    """Chooses any legal action, all equally likely."""

    level = 0
    unit = "chance"

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def decide(self, _state: State, actions: Sequence[Action]) -> Action:
        return self._random.choice(actions)

    def explain(self, _state: State, actions: Sequence[Action]) -> list[Advice]:
        reason = BotReason("any", {"choices": len(actions)})
        return [Advice(action, 1 / len(actions), reason) for action in actions]
