"""Scene cards and roles (RULES section 10)."""

import hashlib
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from .limits import NO_UNSEEN, shown
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
from .refusal import Wording

Rank = Annotated[int, Meta(ge=1, le=6)]
BUDGETS = range(2, 7)  # R10.4
Budget = Annotated[int, Meta(ge=BUDGETS[0], le=BUDGETS[-1])]
TITLE_LENGTH, TEXT_LENGTH = 100, 400
_CHAR = r"[^\x00-\x1f\x7f-\x9f]"
_LINE = rf"^{_CHAR}*(?!\s){_CHAR}{_CHAR}*\Z"  # one line with a visible character
Text = Annotated[str, Meta(pattern=_LINE, extra_json_schema={"maxLength": TITLE_LENGTH, "not": NO_UNSEEN})]
LongText = Annotated[str, Meta(pattern=_LINE, extra_json_schema={"maxLength": TEXT_LENGTH, "not": NO_UNSEEN})]
MOST_STORED = 2**63 - 1  # the largest signed 64-bit number

LOWEST_RANK, HIGHEST_RANK = 1, 6
LEAST_STARS, MOST_STARS = 1, 3
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
        Meta(
            min_length=LEAST_STARS,
            max_length=MOST_STARS,
            description="Starring roles from left to right, ranks ascending.",
        ),
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
        """SHA-256 of the parts of the deck that the rules read: numbers, budgets and ranks."""
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
    """A deck from the text of a shared file, which must keep to the limits and may extend only built-in decks.

    `file` names it in errors.
    """
    demand_small(text, file)
    deck = _parse(text, file, _built_in_cards, shared=True)
    with locating(text):
        demand_within_limits(msgspec.to_builtins(deck), Deck, file)  # including the cards it extends
    demand_small(
        format_deck(deck), file, "with all its cards the deck has {size:,} bytes, but may have at most {most:,}"
    )
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
    demand(path.resolve() not in readers, path.name, "extends", Wording("the file extends itself"))

    def base(name: str, file: str) -> tuple[Card, ...]:
        if name in BUILT_IN_DECKS:
            return built_in_deck(name).cards
        beside = path.parent / name
        missing = Wording("there is no deck {name} beside it", {"name": shown(name)})
        demand(beside.is_file(), file, "extends", missing, ("extends",))
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
    values = {"one": BUILT_IN_DECKS[0], "other": BUILT_IN_DECKS[1], "name": shown(name)}
    problem = Wording("must be {one} or {other} here, not {name}", values)
    demand(name in BUILT_IN_DECKS, file, "extends", problem, ("extends",))
    return built_in_deck(name).cards


def check_deck(deck: Deck, file: str) -> None:
    """Raise a DataError, which names the file, unless the deck can be played with."""
    demand_valid(deck, file)
    cards = deck.cards
    for one, other in pairwise(cards):
        unique = one.number < other.number
        demand(unique, file, _entry(other), Wording("card numbers must be unique"), _place(other))
    titles = [Named(_entry(card), card.title, (*_place(card), "title")) for card in cards]
    demand_unique(titles, file, "both have the title {name}")
    roles = [
        Named(_role_entry(card, at), role.name, (*_place(card), "roles", at))
        for card in cards
        for at, role in enumerate(card.roles)
    ]
    demand_unique(roles, file, "both have the name {name}")
    words = "roles must ascend from left to right, but rank {right} follows rank {left}"
    for card in cards:
        for at, (left, right) in enumerate(pairwise(card.roles), 1):
            problem = Wording(words, {"left": left.rank, "right": right.rank})
            demand(left.rank <= right.rank, file, _entry(card), problem, (*_place(card), "roles", at))


def _place(card: Card) -> Place:
    return "cards", Item(card.number)


def _entry(card: Card) -> Wording:
    return Wording("card {number}", {"number": card.number})


def _role_entry(card: Card, at: int) -> Wording:
    return Wording("role {role} of card {card}", {"role": at + 1, "card": card.number})
