"""Reading what people type: the notation, and many words that come near it.

Nothing here decides what is allowed: the engine does.
"""

import re
from collections.abc import Iterable, Sequence
from typing import TypeVar

from ..engine.actions import ACT, END_TURN, REHEARSE, Action, Currency, Move, RoleKind, TakeRole, Upgrade
from ..engine.board import kebab
from ..engine.legality import refusal
from ..engine.notation import format_action, parse_action
from ..engine.refusal import NotationError, Refusal, shortened
from ..engine.state import State

T = TypeVar("T")
Words = Sequence[str]

_VERBS = {
    "move": "move",
    "go": "move",
    "take": "take",
    "work": "take",
    "act": "act",
    "roll": "act",
    "rehearse": "rehearse",
    "upgrade": "upgrade",
    "end": "end",
    "pass": "end",
    "done": "end",
}
_BARE: dict[str, Action] = {"act": ACT, "rehearse": REHEARSE, "end": END_TURN}
_KINDS: tuple[RoleKind, ...] = ("star", "extra")
_CURRENCIES: tuple[Currency, ...] = ("dollars", "credits")
_ASIDES = frozenset({"the", "a", "an", "to", "into", "as", "on", "in", "at", "of", "role", "part"})
_ASIDES_OF_BARE = frozenset({"the", "my", "turn", "die", "dice", "role"})
_ASIDES_OF_UPGRADE = frozenset({"to", "rank", "for", "with", "in"})
_COUNTED_ROLE = re.compile(r"([a-z]+)\s*([0-9]{1,3})")
_TOKENS_OF_UPGRADE = re.compile(r"\$|[a-z]+|[0-9]+|\S")
_RANK = re.compile(r"[0-9]{1,3}")


def read_action(text: str, state: State) -> Action:
    """The action that the active player means; raises NotationError if it is unclear."""
    try:
        action = parse_action(text)
    except NotationError:
        return _read_freely(text, state)
    known = not isinstance(action, Move) or action.area in state.table.area_numbers
    return action if known else _read_freely(text, state)


def starts_action(word: str) -> bool:
    """Whether an action may start with this word or a longer form of it."""
    return any(verb.startswith(word) for verb in _VERBS)


def one_of(word: str, choices: Iterable[str]) -> str | None:
    """The choice that equals or begins with a word; None if none does, a NotationError if several do."""
    found = [choice for choice in choices if choice.startswith(word)]
    if word in found:
        return word
    return _only(word, [(choice, choice) for choice in found]) if found else None


def _read_freely(text: str, state: State) -> Action:
    first, _, rest = " ".join(text.casefold().split()).partition(" ")
    verb = one_of(first, _VERBS) if first else None
    match verb and _VERBS[verb]:
        case "move":
            return _move(state, rest)
        case "take":
            return _take(state, rest)
        case "upgrade":
            return _upgrade(state, rest)
        case "act" | "rehearse" | "end" as bare if _ASIDES_OF_BARE.issuperset(rest.split()):
            return _BARE[bare]
        case _:
            return parse_action(text)  # raises, with a list of all actions


def _move(state: State, rest: str) -> Action:
    table, here = state.table, state.players[state.active].area
    near = [table.areas[number] for number in table.neighbours[here]]
    if not rest:
        choices = tuple(area.name for area in near)
        raise NotationError(Refusal("", "area_missing", {"here": table.areas[here].name, "choices": choices}))
    for areas, fits in (
        (table.areas, _is),
        (near, _begins),
        (near, _holds),
        (table.areas, _begins),
        (table.areas, _holds),
    ):
        found = [(Move(area.id), area.name) for area in areas if fits(_words(area.name), _words(rest))]
        if found:
            return _only(rest, found)
    choices = tuple(area.id for area in table.areas)
    raise NotationError(Refusal("R4.1", "no_such_area", {"area": shortened(rest), "choices": choices}))


def _take(state: State, rest: str) -> Action:
    counted = _COUNTED_ROLE.fullmatch(rest)
    kind = counted and _begun(counted[1], _KINDS)
    if counted and kind:
        return TakeRole(kind, int(counted[2]))
    roles = _roles(state)
    found = [role for role, name in roles if _is(_words(name), _words(rest))]
    found = found or [role for role, name in roles if _holds(_words(name), _words(rest))]
    found = found or [role for role, _ in roles if role.kind == rest]
    labels = {role: f"{format_action(role).removeprefix('take ')} '{name}'" for role, name in roles}
    if found and rest:
        return _only(rest, [(role, labels[role]) for role in found])
    area = state.table.areas[state.players[state.active].area].name
    values = {"text": shortened(rest), "area": area, "choices": tuple(labels.values())}
    raise NotationError(Refusal("", "role_unknown" if rest else "role_missing", values))


def _roles(state: State) -> list[tuple[TakeRole, str]]:
    """All roles printed where the active player stands."""
    area = state.players[state.active].area
    card = state.card(area)
    stars = [(TakeRole("star", number), role.name) for number, role in enumerate(card.roles if card else (), 1)]
    extras = [(TakeRole("extra", number), role.name) for number, role in enumerate(state.table.areas[area].extras, 1)]
    return stars + extras


def _upgrade(state: State, rest: str) -> Action:
    tokens = [token for token in _TOKENS_OF_UPGRADE.findall(rest) if token not in _ASIDES_OF_UPGRADE]
    ranks = [int(token) for token in tokens if _RANK.fullmatch(token)]
    currencies = [currency for token in tokens if (currency := _currency(token))]
    match ranks, currencies:
        case [rank], [currency] if len(tokens) == 2:
            return Upgrade(rank, currency)
        case [rank], [] if len(tokens) == 1:
            return _upgrade_to(state, rank)
        case _:
            raise NotationError(Refusal("", "upgrade_unclear"))


def _upgrade_to(state: State, rank: int) -> Action:
    """The upgrade in the only currency that suffices; if neither does, any, and the engine says why not."""
    offers = [Upgrade(rank, currency) for currency in _CURRENCIES]
    possible = [offer for offer in offers if refusal(state, offer) is None]
    if len(possible) > 1:
        prices = {str(offer.currency): state.table.prices[offer] for offer in offers}
        raise NotationError(Refusal("", "currency_missing", {"rank": rank, **prices}))
    return (possible or offers)[0]


def _currency(token: str) -> Currency | None:
    return "dollars" if token == "$" else _begun(token, _CURRENCIES)


def _begun(word: str, choices: Iterable[T]) -> T | None:
    return next((choice for choice in choices if str(choice).startswith(word)), None)


def _words(text: str) -> Words:
    """The words that distinguish one name from another."""
    words = kebab(text).split("-")
    return [word for word in words if word not in _ASIDES] or words


def _is(name: Words, wanted: Words) -> bool:
    return name == wanted


def _begins(name: Words, wanted: Words) -> bool:
    """Whether the name starts with these words or their beginnings, also written as one word."""
    joined = "".join(wanted)
    each = len(wanted) <= len(name) and all(map(str.startswith, name, wanted))
    return joined != "" and (each or "".join(name).startswith(joined))


def _holds(name: Words, wanted: Words) -> bool:
    return any(_begins(name[start:], wanted) for start in range(len(name)))


def _only(text: str, found: Sequence[tuple[T, str]]) -> T:
    if len(found) > 1:
        values = {"text": shortened(text), "choices": tuple(label for _, label in found)}
        raise NotationError(Refusal("", "could_be_several", values))
    return found[0][0]
