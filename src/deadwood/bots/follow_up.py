"""What the champion would do after an action: its own plan, as its net has it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ..engine import rules
from ..engine.actions import END_TURN, Action, EndTurn, Move, TakeRole, Upgrade
from ..engine.legality import legal_actions
from ..engine.state import State
from ..engine.table import FACE_DOWN
from ..narration import BotReason
from .star import Given

if TYPE_CHECKING:
    from ..neural.judge import Judge, Judgement

STEPS = 8  # decisions to look ahead, about four turns: enough to cross the town
OPEN = BotReason("plan_open")


def follow_ups(judge: "Judge", state: State, actions: Sequence[Action]) -> list[BotReason]:
    """For every action that moves, buys a rank or ends the turn, where the net would go from there.

    It takes what the net likes best, turn after turn, as if nobody else did anything meanwhile, until it comes to a
    role, a rank, or a card that nobody has seen.
    """
    found: dict[int, BotReason] = {}
    going_on: dict[int, State] = {}
    for number, action in enumerate(actions):
        _proceed(number, state, action, found, going_on, is_first=True)
    for _ in range(STEPS):
        waiting = {number: one for number, one in going_on.items() if number not in found}
        judged = judge.judge(list(waiting.values())) if waiting else []
        for (number, one), judgement in zip(waiting.items(), judged, strict=True):
            _proceed(number, one, _likeliest(one, judgement), found, going_on)
    return [found.get(number, OPEN) for number in range(len(actions))]


def _likeliest(state: State, judgement: "Judgement") -> Action:
    from ..encoding import number_of  # noqa: PLC0415 - it needs numpy

    return max(legal_actions(state), key=lambda action: judgement.policy[number_of(action, state.table)])


def _proceed(
    number: int,
    state: State,
    action: Action,
    found: dict[int, BotReason],
    going_on: dict[int, State],
    *,
    is_first: bool = False,
) -> None:
    """Follow an action: either it is what the plan is about, or the plan goes on from a later state."""
    here, table = state.players[state.active].area, state.table
    match action:
        case Move() if state.scenes[table.area_numbers[action.area]] == FACE_DOWN:
            found[number] = BotReason("plan_card", {"area": table.areas[table.area_numbers[action.area]].name})
        case TakeRole():
            found[number] = BotReason("plan_role", {"area": table.areas[here].name})
        case Upgrade() if not is_first:
            found[number] = BotReason("plan_rank", {"area": table.areas[table.office].name, "rank": action.rank})
        case Move() | Upgrade():
            going_on[number] = rules.apply(state, action, Given())[0]
        case EndTurn() if state.moved or is_first:
            going_on[number] = _next_turn(state)
        case EndTurn():
            found[number] = BotReason("plan_stay", {"area": table.areas[here].name})
        case _:
            found[number] = OPEN


def _next_turn(state: State) -> State:
    """The active player's next turn, if nobody else did anything before."""
    return replace(rules.apply(state, END_TURN, Given())[0], active=state.active)
