"""`hopeful`: greedy for the next payday. Takes the role that pays best now, always acts, buys what it can afford."""

import random
from collections.abc import Sequence

from ..engine.actions import Act, Action, Move, Rehearse, TakeRole, Upgrade
from ..engine.legality import role_number
from ..engine.odds import expected_pay
from ..engine.state import State
from ..engine.table import NO_SCENE
from ..narration import BotReason
from .advising import Advice

SOMETHING_SHOT, NOTHING_SHOT = 2.0, 1.0


class HopefulBot:
    """Thinks as far as the next act."""

    level = 2

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def decide(self, state: State, actions: Sequence[Action]) -> Action:
        return max(actions, key=lambda action: self._hope(state, action))

    def explain(self, state: State, actions: Sequence[Action]) -> list[Advice]:
        return [Advice(action, self._hope(state, action), _reason(state, action)) for action in actions]

    def _hope(self, state: State, action: Action) -> float:
        match action:
            case Act():
                return 30.0
            case TakeRole():
                return 10 + next_pay(state, action)
            case Upgrade():
                return 20 + action.rank
            case Move():  # random, or it would walk back and forth for ever where it finds no role
                return _scene_hope(state, action) + 1.5 * self._random.random()
            case Rehearse():
                return -1.0
            case _:
                return 0.0


def _reason(state: State, action: Action) -> BotReason:
    match action:
        case Act():
            return BotReason("act_at_once")
        case TakeRole():
            return BotReason("next_pay", {"points": next_pay(state, action)})
        case Upgrade():
            return BotReason("any_rank", {"rank": action.rank})
        case Move():
            shooting = _scene_hope(state, action) > NOTHING_SHOT
            return BotReason("scene_there" if shooting else "nothing_there")
        case _:
            return BotReason("pays_nothing")


def next_pay(state: State, action: TakeRole) -> float:
    """Expected points of the first act in a role at the active player's place."""
    area = state.players[state.active].area
    card = state.card(area)
    assert card is not None
    rank = state.table.role(area, state.scenes[area], role_number(action)).rank
    return float(expected_pay(card.budget, 0, action.kind)) + rank / 100


def _scene_hope(state: State, action: Move) -> float:
    """A place with a scene is better than one without."""
    return SOMETHING_SHOT if state.scenes[state.table.area_numbers[action.area]] != NO_SCENE else NOTHING_SHOT
