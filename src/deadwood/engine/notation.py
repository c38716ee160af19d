"""Actions and their outcomes as text: the same text is typed, sent and recorded."""

import re

from .actions import ACT, END_TURN, REHEARSE, Act, Action, EndTurn, Move, Rehearse, TakeRole, Upgrade
from .board import kebab
from .events import Acted, CardTurned, DayStarted, Events, SceneWrapped
from .refusal import NotationError, OutcomeError, Refusal, shortened
from .state import State

_FORMS = (
    "move AREA",
    "take star N",
    "take extra N",
    "act",
    "rehearse",
    "upgrade RANK dollars",
    "upgrade RANK credits",
    "end",
)
_WHOLE = re.compile(r"[0-9]{1,3}")
_EXPECTED = {Move: "not_a_card", Act: "not_dice"}


def format_action(action: Action) -> str:
    """`move saloon`, `take star 2`, `act`, `rehearse`, `upgrade 3 dollars`, `end`."""
    match action:
        case Move():
            return f"move {action.area}"
        case TakeRole():
            return f"take {action.kind} {action.number}"
        case Act():
            return "act"
        case Rehearse():
            return "rehearse"
        case Upgrade():
            return f"upgrade {action.rank} {action.currency}"
        case EndTurn():
            return "end"


def parse_action(text: str) -> Action:
    """The action that a text means, or a NotationError. Case and extra spaces do not matter."""
    match text.casefold().split():
        case ["move", *words] if kebab("-".join(words)):
            return Move(kebab("-".join(words)))
        case ["take", "star" | "extra" as kind, number] if _WHOLE.fullmatch(number):
            return TakeRole(kind, int(number))
        case ["act"]:
            return ACT
        case ["rehearse"]:
            return REHEARSE
        case ["upgrade", rank, "dollars" | "credits" as currency] if _WHOLE.fullmatch(rank):
            return Upgrade(int(rank), currency)
        case ["end"]:
            return END_TURN
        case _:
            raise NotationError(Refusal("", "not_an_action", {"text": shortened(text.strip()), "choices": _FORMS}))


def format_outcome(events: Events) -> str:
    """What chance decided: `card 17`, `5`, `5 / 6 5 3 1 1`, or nothing."""
    words = []
    for event in events:
        match event:
            case CardTurned():
                words.append(f"card {event.card}")
            case Acted():
                words.append(str(event.die))
            case SceneWrapped() if event.dice:
                words.append("/ " + " ".join(map(str, event.dice)))
    return " ".join(words)


def parse_outcome(text: str, action: Action, state: State) -> list[int]:
    """An outcome as the results that dice would give in this state, or an OutcomeError.

    A card is named by its number and becomes its place among the cards never turned (R10.6).
    """
    match action, text.casefold().split():
        case Move(), ["card", number] if _WHOLE.fullmatch(number):
            return [card_result(int(number), state)]
        case Act(), [die] if _WHOLE.fullmatch(die):
            return [int(die)]
        case Act(), [die, "/", *dice] if dice and all(map(_WHOLE.fullmatch, (die, *dice))):
            return [int(die), *map(int, dice)]
        case _:
            values = {"text": shortened(text), "action": format_action(action)}
            raise OutcomeError(Refusal("R12.7", _EXPECTED.get(type(action), "no_outcome_expected"), values))


def unknown_card(number: str, state: State) -> OutcomeError:
    """The error that no card has this number, with the numbers that there are: a custom deck may count from 900."""
    cards = state.table.cards  # in the order of their numbers
    values = {"card": number, "first": cards[0].number, "last": cards[-1].number}
    return OutcomeError(Refusal("R12.7", "card_unknown", values))


def card_result(number: int, state: State, history: Events = ()) -> int:
    """The place of a card among those never turned, or an OutcomeError; `history` says when it was turned."""
    index = state.table.card_numbers.get(number)
    if index is None:
        raise unknown_card(str(number), state)
    if index not in state.unseen:
        day, area = _when_turned(number, index, state, history)
        title = state.table.cards[index].title
        values = {"card": number, "title": title, "day": day, "area": area}
        raise OutcomeError(Refusal("R10.5", "card_turned_already", values))
    return state.unseen.index(index)


def _when_turned(number: int, index: int, state: State, history: Events) -> tuple[int | None, str | None]:
    """The day and the area where a card was turned, as far as they are known; no day if it still lies there."""
    if index in state.scenes:
        return None, state.table.area_names[state.scenes.index(index)]
    day = None
    for event in history:
        if isinstance(event, DayStarted):
            day = event.day
        elif isinstance(event, CardTurned) and event.card == number:
            return day, event.area
    return None, None
