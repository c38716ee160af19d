"""What people type at a real table for a die or a card (R12.7), read as an outcome of the notation.

Both front ends use this module, so both accept the same texts, and refuse others in the same words.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from . import rules
from .actions import Action
from .chance import FACES, OutcomeNeeded, TableDice
from .deck import Card
from .events import Events
from .notation import card_result, format_action, unknown_card
from .refusal import OutcomeError, Refusal, shortened
from .state import State

Needed = OutcomeNeeded | rules.OutcomeNeed  # what people must roll or turn now: found by playing, or in advance
Titles = Mapping[str, Sequence[str]]  # what cards are called in other languages, by their titles
NO_TITLES: Titles = {}
LISTED = 8  # the most cards that a refusal lists
_WHOLE = re.compile(r"[0-9]+")
_SEPARATORS = re.compile(r"[\s,;+]+")
_BEFORE_A_CARD = re.compile(r"(?:(?:deadwood\s+)?(?:card|karte)(?=[\s#0-9])\s*)?#?\s*(?=\S)", re.IGNORECASE)
_APOSTROPHES = re.compile(r"['`\u2018\u2019]")
_PUNCTUATION = re.compile(r"[\W_]+")


def read_outcome(text: str, action: Action, state: State, history: Events = (), titles: Titles = NO_TITLES) -> str:
    """The outcome that a text means for a legal action, or an OutcomeError; `history` says when cards were turned.

    The die alone is an outcome too, even if the scene wraps: the bonus dice are asked for next.
    """
    needed = rules.outcome_needed(state, action)
    if needed is None:
        values = {"text": shortened(text), "action": format_action(action)}
        raise OutcomeError(Refusal("R12.7", "no_outcome_expected", values))
    if not text.strip():
        raise OutcomeError(Refusal("R12.7", "outcome_missing", {"kind": needed.kind}))
    if needed.kind == "card":
        return f"card {read_card(text, state, history, titles).number}"
    return _read_dice(unicodedata.normalize("NFKC", text), action, state)


def find_cards(text: str, state: State, titles: Titles = NO_TITLES) -> tuple[Card, ...]:
    """The cards never turned that a text may mean: a list that grows shorter as somebody types."""
    wanted = _wanted(text)
    unseen = [state.table.cards[index] for index in state.unseen]
    found = [card for card in unseen if _holds(card, wanted, titles) or str(card.number).startswith(wanted)]
    return tuple(sorted(found, key=lambda card: str(card.number) != wanted))


def read_card(text: str, state: State, history: Events = (), titles: Titles = NO_TITLES) -> Card:
    """The card never turned that a number or a part of a title means, or an OutcomeError."""
    wanted = _wanted(text)
    if _WHOLE.fullmatch(wanted):
        return _numbered(wanted, state, history)
    whole = {_folded(text), wanted}
    found = [card for card in state.table.cards if whole.intersection(_folded_titles(card, titles))]
    found = found or [card for card in state.table.cards if wanted and _holds(card, wanted, titles)]
    if not found:
        raise OutcomeError(Refusal("R12.7", "card_not_found", {"text": shortened(text.strip())}))
    unseen = [card for card in found if state.table.card_numbers[card.number] in state.unseen]
    if len(unseen) > 1:
        values = {"text": shortened(text.strip()), "cards": _listed(unseen)}
        raise OutcomeError(Refusal("R12.7", "card_could_be", values))
    (card,) = unseen or found[:1]
    card_result(card.number, state, history)
    return card


def _numbered(digits: str, state: State, history: Events) -> Card:
    table, number = state.table, int(digits[:9])
    if len(digits) > 9 or number not in table.card_numbers:
        raise unknown_card(shortened(digits), state)
    card_result(number, state, history)
    return table.cards[table.card_numbers[number]]


def _listed(cards: list[Card]) -> tuple[tuple[int, str] | str, ...]:
    shown = tuple((card.number, card.title) for card in cards[:LISTED])
    return shown if len(cards) <= LISTED else (*shown, "\N{HORIZONTAL ELLIPSIS}")


def _wanted(text: str) -> str:
    """A number or a part of a title, without the word `card` before it."""
    stripped = text.strip()
    return _folded(_BEFORE_A_CARD.sub("", stripped, count=1)) or _folded(stripped)


def _holds(card: Card, wanted: str, titles: Titles) -> bool:
    return any(wanted in title for title in _folded_titles(card, titles))


def _folded_titles(card: Card, titles: Titles) -> Iterator[str]:
    return map(_folded_title, (card.title, *titles.get(card.title, ())))


@lru_cache(maxsize=2048)  # every keystroke asks for the same titles again
def _folded_title(title: str) -> str:
    return _folded(title)


def _folded(text: str) -> str:
    """The text without case, accents and punctuation."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(char for char in letters if not unicodedata.combining(char))
    return _PUNCTUATION.sub(" ", _APOSTROPHES.sub("", bare)).strip()


def _read_dice(text: str, action: Action, state: State) -> str:
    first, slash, rest = text.partition("/")
    dice = _dice(first, text)
    if len(dice) != 1:
        raise OutcomeError(Refusal("R12.7", "one_die_first", {"given": len(dice)}))
    bonus = _dice(rest, text) if slash else []
    needed = _bonus_dice(state, action, dice[0])
    if len(bonus) == 1 and len(bonus[0]) == needed:
        bonus = list(bonus[0])  # written together, as in 653
    if slash and len(bonus) != needed:
        values = {"die": dice[0], "needed": needed, "given": len(bonus)}
        raise OutcomeError(Refusal("R12.7", "bonus_dice_count", values))
    return " ".join([_checked(dice[0]), *(["/", *map(_checked, bonus)] if bonus else [])])


def _dice(part: str, text: str) -> list[str]:
    words = [word for word in _SEPARATORS.split(part) if word]
    if not all(map(_WHOLE.fullmatch, words)):
        raise OutcomeError(Refusal("R12.7", "not_dice", {"text": shortened(text.strip())}))
    return words


def _checked(die: str) -> str:
    value = die.lstrip("0")
    if len(value) != 1 or int(value) > FACES:
        raise OutcomeError(Refusal("R12.7", "die_out_of_range", {"die": shortened(die), "faces": FACES}))
    return value


def _bonus_dice(state: State, action: Action, die: str) -> int:
    """How many bonus dice are rolled if the die shows this."""
    try:
        rules.apply(state, action, TableDice([int(_checked(die))]))
    except OutcomeNeeded as needed:
        return needed.count
    return 0
