"""Reading what people type: the notation, and many words that are close to it.

Nothing here decides what is allowed: the engine does.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from ..engine.actions import ACT, END_TURN, REHEARSE, Action, Currency, Move, RoleKind, TakeRole, Upgrade
from ..engine.board import kebab
from ..engine.legality import refusal
from ..engine.notation import format_action, parse_action
from ..engine.refusal import NotationError, Refusal, shortened
from ..engine.state import State
from .wording import card_text, phrase, place, words

T = TypeVar("T")
Words = Sequence[str]

_VERBS = ("move", "take", "act", "rehearse", "upgrade", "end")
_BARE: dict[str, Action] = {"act": ACT, "rehearse": REHEARSE, "end": END_TURN}
_KINDS: tuple[RoleKind, ...] = ("star", "extra")
_CURRENCIES: tuple[Currency, ...] = ("dollars", "credits")
_COUNTED_ROLE = re.compile(r"([^\W\d_]+)\s*([0-9]{1,3})")
_TOKENS_OF_UPGRADE = re.compile(r"\$|[^\W\d_]+|[0-9]+|\S")
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
    return any(verb.startswith(word) for verb in _verbs())


def one_of(word: str, choices: Iterable[str]) -> str | None:
    """The choice that equals or begins with a word; None if none does, a NotationError if several do."""
    found = [choice for choice in choices if choice.startswith(word)]
    if word in found:
        return word
    return _only(word, [(choice, choice) for choice in found]) if found else None


def find_command(word: str, commands: Mapping[str, T]) -> T | None:
    """The command that a word means; None if the word may start an action. English words always work."""
    if word in commands:
        return commands[word]
    spoken = {phrase(f"commands.{name}"): command for name, command in commands.items()}
    if word not in spoken and starts_action(word):
        return None
    name = one_of(word, spoken)
    return spoken[name] if name else None


def _read_freely(text: str, state: State) -> Action:
    first, _, rest = " ".join(text.casefold().split()).partition(" ")
    match first and _verb(first):
        case "move":
            return _move(state, rest)
        case "take":
            return _take(state, rest)
        case "upgrade":
            return _upgrade(state, rest)
        case "act" | "rehearse" | "end" as bare if set(rest.split()) <= set(words("words.asides_of_bare")):
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
        named = [(area.id, (area.name, place(area.name))) for area in areas]
        found = [(Move(area), names[1]) for area, names in named if _fits(fits, names, rest)]
        if found:
            return _only(rest, found)
    choices = tuple(area.id for area in table.areas)
    raise NotationError(Refusal("R4.1", "no_such_area", {"area": shortened(rest), "choices": choices}))


def _take(state: State, rest: str) -> Action:
    counted = _COUNTED_ROLE.fullmatch(rest)
    kind = counted and _meant(counted[1], _KINDS)
    if counted and kind:
        return TakeRole(kind, int(counted[2]))
    roles = _roles(state)
    found = [role for role, name in roles if _fits(_is, (name, card_text(name)), rest)]
    found = found or [role for role, name in roles if _fits(_holds, (name, card_text(name)), rest)]
    found = found or [role for role, _ in roles if rest in words(f"words.{role.kind}")]
    labels = {role: f"{format_action(role).removeprefix('take ')} '{card_text(name)}'" for role, name in roles}
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
    tokens = [token for token in _TOKENS_OF_UPGRADE.findall(rest) if token not in words("words.asides_of_upgrade")]
    ranks = [int(token) for token in tokens if _RANK.fullmatch(token)]
    currencies = [currency for token in tokens if (currency := _meant(token, _CURRENCIES))]
    match ranks, currencies:
        case [rank], [currency] if len(tokens) == 2:
            return Upgrade(rank, currency)
        case [rank], [] if len(tokens) == 1:
            return _upgrade_to(state, rank)
        case _:
            raise NotationError(Refusal("", "upgrade_unclear"))


def _upgrade_to(state: State, rank: int) -> Action:
    """The upgrade in the only currency that suffices; if the engine refuses both for another reason, either one."""
    offers = [Upgrade(rank, currency) for currency in _CURRENCIES]
    refused = {offer: refusal(state, offer) for offer in offers}
    possible = [offer for offer in offers if refused[offer] is None]
    prices = {str(offer.currency): state.table.prices.get(offer) for offer in offers}
    if len(possible) > 1:
        raise NotationError(Refusal("", "currency_missing", {"rank": rank, **prices}))
    if all(problem and problem.key == "cannot_afford" for problem in refused.values()):
        player = state.players[state.active]
        own = {"own_dollars": player.dollars, "own_credits": player.credits}
        raise NotationError(Refusal("R8.4", "cannot_afford_either", {"rank": rank, **prices, **own}))
    return (possible or offers)[0]


def _verb(word: str) -> str | None:
    """The verb that a word, or the beginning of one, stands for; a NotationError if there are several."""
    verbs = _verbs()
    if word in verbs:
        return verbs[word]
    found = {verb: full for full, verb in reversed(verbs.items()) if full.startswith(word)}
    return _only(word, [(verb, found[verb]) for verb in reversed(found)]) if found else None


def _verbs() -> dict[str, str]:
    """The verb of the notation that every word stands for."""
    return {word: verb for verb in _VERBS for word in words(f"words.{verb}")}


def _meant(word: str, choices: Iterable[T]) -> T | None:
    """The choice that a word, or the beginning of one, stands for."""
    return next((choice for choice in choices if any(one.startswith(word) for one in words(f"words.{choice}"))), None)


def _fits(fits: Callable[[Words, Words], bool], names: Iterable[str], wanted: str) -> bool:
    """Whether one of the names fits what was typed."""
    return any(fits(_words(name), _words(wanted)) for name in names)


def _words(text: str) -> Words:
    """The words that distinguish one name from another."""
    every, asides = kebab(text).split("-"), words("words.asides")
    return [word for word in every if word not in asides] or every


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
