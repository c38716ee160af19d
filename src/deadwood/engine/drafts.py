"""Decks that somebody is still writing: everything that is wrong with one, and where."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
from msgspec import Struct

from .deck import (
    BUDGETS,
    HIGHEST_RANK,
    LEAST_STARS,
    LOWEST_RANK,
    MOST_STARS,
    TEXT_LENGTH,
    TITLE_LENGTH,
    Card,
    Deck,
    check_deck,
    format_deck,
)
from .loading import FILE_BYTES, convert, demand_within_limits
from .refusal import DataError, Wording


class DraftProblem(NamedTuple):
    """What is wrong, with the place of the card in the draft, or None for the deck as a whole."""

    card: int | None
    error: DataError


class CardLimits(Struct, frozen=True):
    """What a card may have, for forms."""

    budgets: tuple[int, ...] = tuple(BUDGETS)
    ranks: tuple[int, ...] = tuple(range(LOWEST_RANK, HIGHEST_RANK + 1))
    least_roles: int = LEAST_STARS
    most_roles: int = MOST_STARS
    title_length: int = TITLE_LENGTH
    text_length: int = TEXT_LENGTH


def read_draft(name: str, cards: Sequence[object]) -> tuple[Deck | None, tuple[DraftProblem, ...]]:
    """The deck if it can be played with, otherwise its problems: one for each wrong card, or one for the whole deck."""
    read = [_card(place, raw) for place, raw in enumerate(cards)]
    problems = tuple(one for one in read if isinstance(one, DraftProblem))
    if problems:
        return None, problems
    deck = Deck(name, tuple(sorted((one for one in read if isinstance(one, Card)), key=lambda card: card.number)))
    try:
        demand_within_limits(msgspec.to_builtins(deck), Deck, "")
        check_deck(deck, "")
    except DataError as error:
        return None, (DraftProblem(None, error),)
    too_big = size_problem(format_deck(deck))
    return (None, (DraftProblem(None, DataError(too_big)),)) if too_big else (deck, ())


def size_problem(text: str) -> Wording | None:
    """The problem with a text whose file would be too big to read again, or None."""
    size = len(text.encode())
    words = "its file has {size:,} bytes, but may have {most:,}; shorten its texts"
    return Wording(words, {"size": size, "most": FILE_BYTES}) if size > FILE_BYTES else None


def _card(place: int, raw: object) -> Card | DraftProblem:
    try:
        return convert(raw, Card, "", shared=True)
    except DataError as error:
        return DraftProblem(place, error)
