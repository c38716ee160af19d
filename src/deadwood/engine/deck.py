"""Scene cards and roles (RULES section 10)."""

import hashlib
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from .limits import NO_UNSEEN
from .loading import (
    DATA,
    Item,
    Named,
    Place,
    demand,
    demand_small,
    demand_unique,
    demand_valid,
    demand_within_limits,
    format_toml,
    locating,
    parse_toml,
    read_text,
)

Rank = Annotated[int, Meta(ge=1, le=6)]
BUDGETS = range(2, 7)  # R10.4
Budget = Annotated[int, Meta(ge=BUDGETS[0], le=BUDGETS[-1])]
_SIGN = r"[^\x00-\x1f\x7f-\x9f]"
_LINE = rf"^{_SIGN}*(?!\s){_SIGN}{_SIGN}*\Z"  # one line with a visible character
Text = Annotated[str, Meta(pattern=_LINE, extra_json_schema={"maxLength": 100, "not": NO_UNSEEN})]
LongText = Annotated[str, Meta(pattern=_LINE, extra_json_schema={"maxLength": 400, "not": NO_UNSEEN})]
MOST_STORED = 2**63 - 1  # the biggest number that JSON carries to every program

LOWEST_RANK, HIGHEST_RANK = 1, 6
MOST_STARS = 3
MOST_CARDS = 200


def most_chips(budget: int) -> int:
    """The number of chips with which even a 1 succeeds, so that rehearsing is refused (R6.7)."""
    return budget - 1


class Role(Struct, frozen=True, forbid_unknown_fields=True):
    """A part to play: on a card, or printed on a set."""

    rank: Annotated[Rank, Meta(description="The rank that a player needs to take the role.")]
    name: Annotated[Text, Meta(description="Who it is; no two roles of a file have the same name.")]
    line: Annotated[LongText, Meta(description="What the player reads out loud.")]


class Card(Struct, frozen=True, forbid_unknown_fields=True):
    """A scene card; its roles stand from left to right, ranks ascending."""

    # as many digits as the notation reads
    number: Annotated[int, Meta(ge=1, le=999, description="Names the card; no two cards share it.")]
    title: Annotated[Text, Meta(description="The title of the scene; no two cards share it.")]
    scene: Annotated[
        int,
        Meta(
            ge=1,
            le=MOST_STORED,
            extra_json_schema={"maximum": 9999},
            description="The number of the scene in its film; no rule reads it.",
        ),
    ]
    description: Annotated[LongText, Meta(description="What happens in the scene.")]
    budget: Annotated[Budget, Meta(description="In millions: what a die and practice chips must reach.")]
    roles: Annotated[
        tuple[Role, ...],
        Meta(min_length=1, max_length=MOST_STARS, description="Starring roles from left to right, ranks ascending."),
    ]


Cards = Annotated[
    tuple[Card, ...],
    Meta(min_length=1, extra_json_schema={"maxItems": MOST_CARDS}, description="The scene cards."),
]


class Deck(Struct, frozen=True):
    """Scene cards, in the order of their numbers."""

    name: Text
    cards: Cards

    @property
    def fingerprint(self) -> str:
        """SHA-256 of what the rules read of the deck: numbers, budgets and ranks."""
        facts = [[card.number, card.budget, [role.rank for role in card.roles]] for card in self.cards]
        return hashlib.sha256(msgspec.json.encode(facts)).hexdigest()


class DeckFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A deck of scene cards for Deadwood."""

    name: Annotated[Text, Meta(description="The name of the deck.")]
    cards: Cards
    extends: Annotated[
        str | None, Meta(description="Adds the cards to classic, to studio, or to a file in the same folder.")
    ] = None


def load_deck(path: str | Path) -> Deck:
    """A deck from a file like `data/classic.toml`.

    `extends = "classic"` adds to a built-in deck, `extends = "other.toml"` to a file beside it.
    """
    return _load(Path(path), ())


def parse_deck(text: str, file: str = "deck") -> Deck:
    """A deck from the text of a file that people share: within limits, and it can extend only built-in decks.

    `file` names it in errors.
    """
    demand_small(text, file, "a deck")
    deck = _parse(text, file, _built_in_cards, shared=True)
    with locating(text):
        demand_within_limits(msgspec.to_builtins(deck), Deck, file)  # with the cards it extends
    demand_small(format_deck(deck), file, "a deck, written out with all its cards,")
    return deck


def format_deck(deck: Deck) -> str:
    """The text of a file that holds the whole deck."""
    return format_toml(deck)


@cache
def built_in_deck(name: str) -> Deck:
    """The classic or the studio deck (R10.4), loaded once."""
    return load_deck(DATA / f"{name}.toml")


BUILT_IN_DECKS = ("classic", "studio")


def _load(path: Path, readers: tuple[Path, ...]) -> Deck:
    demand(path.resolve() not in readers, path.name, "extends", "the file extends itself")

    def base(name: str, file: str) -> tuple[Card, ...]:
        if name in BUILT_IN_DECKS:
            return built_in_deck(name).cards
        beside = path.parent / name
        demand(beside.is_file(), file, "extends", f"there is no deck {name!r} beside it", ("extends",))
        return _load(beside, (*readers, path.resolve())).cards

    return _parse(read_text(path), path.name, base)


def _parse(text: str, file: str, base: Callable[[str, str], tuple[Card, ...]], *, shared: bool = False) -> Deck:
    read = parse_toml(text, DeckFile, file, shared=shared)
    with locating(text):
        cards = (*(base(read.extends, file) if read.extends else ()), *read.cards)
        deck = Deck(read.name, tuple(sorted(cards, key=lambda card: card.number)))
        check_deck(deck, file)
    return deck


def _built_in_cards(name: str, file: str) -> tuple[Card, ...]:
    problem = f"must be {' or '.join(BUILT_IN_DECKS)} here, not {name!r}"
    demand(name in BUILT_IN_DECKS, file, "extends", problem, ("extends",))
    return built_in_deck(name).cards


def check_deck(deck: Deck, file: str) -> None:
    """Raise a DataError, which names the file, unless the deck can be played with."""
    demand_valid(deck, file)
    cards = deck.cards
    for one, other in pairwise(cards):
        demand(one.number < other.number, file, f"card {other.number}", "card numbers must be unique", _place(other))
    demand_unique([Named(f"card {card.number}", card.title, (*_place(card), "title")) for card in cards], file, "title")
    roles = [
        Named(f"role {at} of card {card.number}", role.name, (*_place(card), "roles", at - 1))
        for card in cards
        for at, role in enumerate(card.roles, 1)
    ]
    demand_unique(roles, file, "name")
    for card in cards:
        for at, (left, right) in enumerate(pairwise(card.roles), 1):
            problem = f"roles must ascend from left to right, but rank {right.rank} follows rank {left.rank}"
            demand(left.rank <= right.rank, file, f"card {card.number}", problem, (*_place(card), "roles", at))


def _place(card: Card) -> Place:
    return "cards", Item(card.number)
