"""The list of actions: what is possible now, and what is not and why (R13.3)."""

from collections.abc import Iterator

from msgspec import Struct

from ..engine.actions import Act, Action, EndTurn, Move, Rehearse, TakeRole, Upgrade
from ..engine.legality import plausible_actions, refusal, role_number
from ..engine.odds import act_odds, expectation
from ..engine.state import State
from .sentences import pay, scene_text
from .wording import card_text, percent, phrase, sentence

KIND_MARKS = {"star": "*", "extra": "+"}  # as on the map: on the card, on the set

_LABELS: dict[type[Action], str] = {  # of a whole group, in the catalogue
    Act: "labels.act",
    Rehearse: "labels.rehearse",
    TakeRole: "labels.take_any",
    Move: "labels.move_any",
    Upgrade: "labels.upgrade_any",
    EndTurn: "labels.end",
}


class Choice(Struct, frozen=True):
    """A line of the list of actions; `action` is None if it is not possible, and `note` says why."""

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
    """The actions that a player may think of, by label; moves only to areas next door."""
    near = state.table.moves[state.players[state.active].area]
    thought_of = [one for one in plausible_actions(state) if not isinstance(one, Move) or one in near]
    for kind, label in _LABELS.items():
        found = [one for one in thought_of if isinstance(one, kind)]
        yield phrase(label), found or [TakeRole("star", 1)]  # only roles may be missing; its refusal says why


def _offer(state: State, label: str, actions: list[Action]) -> Iterator[Choice]:
    """Every action of a group, or a single line if all are impossible for the same reason."""
    problems = [refusal(state, action) for action in actions]
    reasons = [None if problem is None else sentence(problem) for problem in problems]
    if None not in reasons and len(set(reasons)) == 1:
        yield Choice(None, label, reasons[0] or "")
        return
    for action, problem in zip(actions, reasons, strict=True):
        note = _note(state, action) if problem is None else problem
        yield Choice(action if problem is None else None, label_of(state, action), note)


def label_of(state: State, action: Action) -> str:
    """A legal action in words."""
    table, player = state.table, state.players[state.active]
    match action:
        case Move():
            return phrase("labels.move", area=table.areas[table.area_numbers[action.area]].name)
        case TakeRole():
            role = table.role(player.area, state.scenes[player.area], role_number(action))
            return phrase("labels.take", mark=KIND_MARKS[action.kind], rank=role.rank, role=card_text(role.name))
        case Act():
            return phrase("labels.act")
        case Rehearse():
            return phrase("labels.rehearse")
        case Upgrade():
            return phrase("labels.upgrade", rank=action.rank)
        case EndTurn():
            return phrase("labels.end")


def _note(state: State, action: Action) -> str:
    table, player = state.table, state.players[state.active]
    match action:
        case Move():
            return scene_text(state, table.area_numbers[action.area])
        case TakeRole():
            role = table.role(player.area, state.scenes[player.area], role_number(action))
            return phrase("notes.line", line=card_text(role.line))
        case Act():
            return _act_note(state)
        case Rehearse():
            odds = act_odds(state)
            return phrase("notes.rehearsed", chance=percent(odds.chance_rehearsed)) if odds else ""
        case Upgrade():
            purse = player.dollars if action.currency == "dollars" else player.credits
            return phrase("notes.price", price=table.prices[action], purse=purse, currency=action.currency)
        case EndTurn():
            return ""


def _act_note(state: State) -> str:
    odds = act_odds(state)
    assert odds is not None  # acting is possible
    values = {"needed": odds.needed, "chance": percent(odds.chance), "pay": pay(odds.success)}
    if not odds.wraps:
        return phrase("notes.act", **values)
    return phrase("notes.act_wraps", bonus=float(expectation(odds.bonus)), **values)
