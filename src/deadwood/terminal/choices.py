"""The list of actions: what is possible now, and what is not and why (R13.3)."""

from collections.abc import Iterator

from msgspec import Struct

from ..engine.actions import Act, Action, EndTurn, Move, Rehearse, TakeRole, Upgrade
from ..engine.legality import plausible_actions, refusal, role_number
from ..engine.odds import act_odds, expectation
from ..engine.state import State
from ..narration import narrate
from .sentences import pay, scene_text

KIND_MARKS = {"star": "*", "extra": "+"}  # as on the map: on the card, on the set

_LABELS: dict[type[Action], str] = {
    Act: "Act",
    Rehearse: "Rehearse",
    TakeRole: "Take a role",
    Move: "Move",
    Upgrade: "Upgrade",
    EndTurn: "End the turn",
}


class Choice(Struct, frozen=True):
    """A line of the list of actions; `action` is None where it is not possible, and `note` says why."""

    action: Action | None
    label: str
    note: str


def choices(state: State) -> list[Choice]:
    """Possible actions first, the most natural ones at the top; then what is not possible."""
    if state.over:
        return []
    offered = [choice for group in _groups(state) for choice in _offer(state, *group)]
    return sorted(offered, key=lambda choice: choice.action is None)


def _groups(state: State) -> Iterator[tuple[str, list[Action]]]:
    """The actions that come to mind, by their label; of all areas only those next door."""
    near = state.table.moves[state.players[state.active].area]
    thought_of = [one for one in plausible_actions(state) if not isinstance(one, Move) or one in near]
    for kind, label in _LABELS.items():
        found = [one for one in thought_of if isinstance(one, kind)]
        yield label, found or [TakeRole("star", 1)]  # only roles may be missing; its refusal says why


def _offer(state: State, label: str, actions: list[Action]) -> Iterator[Choice]:
    """Every action of a group, or one line for all if none is possible for the same reason."""
    problems = [refusal(state, action) for action in actions]
    reasons = [None if problem is None else narrate(problem) for problem in problems]
    if None not in reasons and len(set(reasons)) == 1:
        yield Choice(None, label, reasons[0] or "")
        return
    for action, problem in zip(actions, reasons, strict=True):
        note = _note(state, action) if problem is None else problem
        yield Choice(action if problem is None else None, _label(state, action), note)


def _label(state: State, action: Action) -> str:
    table, player = state.table, state.players[state.active]
    match action:
        case Move():
            return f"Move to {table.areas[table.area_numbers[action.area]].name}"
        case TakeRole():
            role = table.role(player.area, state.scenes[player.area], role_number(action))
            return f"Take {KIND_MARKS[action.kind]}{role.rank} {role.name}"
        case Act():
            return "Act"
        case Rehearse():
            return "Rehearse"
        case Upgrade():
            return f"Upgrade to rank {action.rank}"
        case EndTurn():
            return "End the turn"


def _note(state: State, action: Action) -> str:
    table, player = state.table, state.players[state.active]
    match action:
        case Move():
            return scene_text(state, table.area_numbers[action.area])
        case TakeRole():
            role = table.role(player.area, state.scenes[player.area], role_number(action))
            return f'"{role.line}"'
        case Act():
            return _act_note(state)
        case Rehearse():
            odds = act_odds(state)
            return f"then {float(odds.chance_rehearsed):.0%}" if odds else ""
        case Upgrade():
            price = table.prices[action]
            if action.currency == "dollars":
                return f"${price} of your ${player.dollars}"
            return f"{price} of your {player.credits} credits"
        case EndTurn():
            return ""


def _act_note(state: State) -> str:
    odds = act_odds(state)
    assert odds is not None  # acting is possible
    bonus = f"; wraps the scene, bonus about ${float(expectation(odds.bonus)):.1f}" if odds.wraps else ""
    return f"{odds.needed}+ on the die, {float(odds.chance):.0%}: {pay(odds.success, ' + ')}{bonus}"
