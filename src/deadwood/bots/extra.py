"""`extra`: random, but never passes when it can work."""

import random
from collections.abc import Sequence

from ..engine.actions import Action, EndTurn, TakeRole
from ..engine.state import State
from ..narration import BotReason
from .advising import Advice


class ExtraBot:
    """Takes any role it can get, and otherwise wanders about."""

    level = 1
    unit = "chance"

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def decide(self, _state: State, actions: Sequence[Action]) -> Action:
        return self._random.choice(_wanted(actions))

    def explain(self, _state: State, actions: Sequence[Action]) -> list[Advice]:
        wanted = _wanted(actions)
        return [Advice(one, (one in wanted) / len(wanted), _reason(one, one in wanted)) for one in actions]


def _wanted(actions: Sequence[Action]) -> Sequence[Action]:
    roles = [action for action in actions if isinstance(action, TakeRole)]
    active = [action for action in actions if not isinstance(action, EndTurn)]
    return roles or active or actions


def _reason(action: Action, wanted: bool) -> BotReason:
    if isinstance(action, TakeRole):
        return BotReason("work")
    return BotReason("no_work" if wanted else "work_is_better")
