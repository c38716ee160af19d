"""Decks that somebody is still writing: everything that is wrong with one, and where."""

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from .deck import BUDGETS, HIGHEST_RANK, LOWEST_RANK, MOST_STARS, Card, Deck, check_deck, format_deck
from .loading import FILE_BYTES, convert, demand_within_limits
from .refusal import DataError


class DraftProblem(Struct, frozen=True):
    """What is wrong, with the place of the card in the draft, or None for the deck as a whole."""

    card: int | None
    text: str


class CardLimits(Struct, frozen=True):
    """What a card may have, for forms."""

    budgets: tuple[int, ...] = tuple(BUDGETS)
    ranks: tuple[int, ...] = tuple(range(LOWEST_RANK, HIGHEST_RANK + 1))
    most_roles: int = MOST_STARS


def read_draft(name: str, cards: Sequence[object]) -> tuple[Deck | None, tuple[DraftProblem, ...]]:
    """The deck, if it can be played with, and otherwise its problems: one for each card, or one of the whole deck."""
    read = [_card(place, raw) for place, raw in enumerate(cards)]
    problems = tuple(one for one in read if isinstance(one, DraftProblem))
    if problems:
        return None, problems
    deck = Deck(name, tuple(sorted((one for one in read if isinstance(one, Card)), key=lambda card: card.number)))
    try:
        demand_within_limits(msgspec.to_builtins(deck), Deck, "")
        check_deck(deck, "")
    except DataError as error:
        return None, (DraftProblem(None, error.problem),)
    too_big = size_problem(format_deck(deck))
    return (None, (DraftProblem(None, too_big),)) if too_big else (deck, ())


def size_problem(text: str) -> str | None:
    """What is wrong with the text of a file that is too big to be read again."""
    size = len(text.encode())
    return f"its file has {size:,} bytes, but may have {FILE_BYTES:,}; shorten its texts" if size > FILE_BYTES else None


def _card(place: int, raw: object) -> Card | DraftProblem:
    try:
        return convert(raw, Card, "", shared=True)
    except DataError as error:
        return DraftProblem(place, error.problem)
