"""Scene cards and roles (RULES section 10)."""

import hashlib
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from .loading import DATA, demand, demand_unique, demand_valid, read_toml

Rank = Annotated[int, Meta(ge=1, le=6)]
BUDGETS = range(2, 7)  # R10.4
Budget = Annotated[int, Meta(ge=BUDGETS[0], le=BUDGETS[-1])]
_SIGN = r"[^\x00-\x1f\x7f-\x9f]"
Text = Annotated[str, Meta(pattern=rf"^{_SIGN}*(?!\s){_SIGN}{_SIGN}*\Z")]  # one line with a visible character

LOWEST_RANK, HIGHEST_RANK = 1, 6
MOST_STARS = 3


def most_chips(budget: int) -> int:
    """The number of chips with which even a 1 succeeds, so that rehearsing is refused (R6.7)."""
    return budget - 1


class Role(Struct, frozen=True, forbid_unknown_fields=True):
    """A part to play: on a card, or printed on a set."""

    rank: Rank
    name: Text
    line: Text


class Card(Struct, frozen=True, forbid_unknown_fields=True):
    """A scene card; its roles stand from left to right, ranks ascending."""

    number: Annotated[int, Meta(ge=1, le=999)]  # as many digits as the notation reads
    title: Text
    scene: Annotated[int, Meta(ge=1)]
    description: Text
    budget: Budget
    roles: Annotated[tuple[Role, ...], Meta(min_length=1, max_length=MOST_STARS)]


class Deck(Struct, frozen=True):
    """Scene cards, in the order of their numbers."""

    name: str
    cards: tuple[Card, ...]

    @property
    def fingerprint(self) -> str:
        """SHA-256 of what the rules read of the deck: numbers, budgets and ranks."""
        facts = [[card.number, card.budget, [role.rank for role in card.roles]] for card in self.cards]
        return hashlib.sha256(msgspec.json.encode(facts)).hexdigest()


class _DeckFile(Struct, frozen=True, forbid_unknown_fields=True):
    name: Text
    cards: Annotated[tuple[Card, ...], Meta(min_length=1)]
    extends: str | None = None


def load_deck(path: str | Path) -> Deck:
    """A deck from a file like `data/classic.toml`.

    `extends = "classic"` adds to a built-in deck, `extends = "other.toml"` to a file beside it.
    """
    path = Path(path)
    cards = sorted(_cards(path, ()), key=lambda card: card.number)
    deck = Deck(read_toml(path, _DeckFile).name, tuple(cards))
    check_deck(deck, path.name)
    return deck


@cache
def built_in_deck(name: str) -> Deck:
    """The classic or the studio deck (R10.4), loaded once."""
    return load_deck(DATA / f"{name}.toml")


BUILT_IN_DECKS = ("classic", "studio")


def _cards(path: Path, readers: tuple[Path, ...]) -> tuple[Card, ...]:
    demand(path.resolve() not in readers, path.name, "extends", "the file extends itself")
    file = read_toml(path, _DeckFile)
    if file.extends is None:
        return file.cards
    base = DATA / f"{file.extends}.toml" if file.extends in BUILT_IN_DECKS else path.parent / file.extends
    demand(base.is_file(), path.name, "extends", f"there is no deck {file.extends!r} beside it")
    return _cards(base, (*readers, path.resolve())) + file.cards


def check_deck(deck: Deck, file: str) -> None:
    """Raise a DataError, which names the file, unless the deck can be played with."""
    demand_valid(deck, file)
    cards = deck.cards
    for one, other in pairwise(cards):
        demand(one.number < other.number, file, f"card {other.number}", "card numbers must be unique")
    demand_unique([(f"card {card.number}", card.title) for card in cards], file, "title")
    roles = [(f"role {at} of card {card.number}", role.name) for card in cards for at, role in enumerate(card.roles, 1)]
    demand_unique(roles, file, "name")
    for card in cards:
        for left, right in pairwise(card.roles):
            problem = f"roles must ascend from left to right, but rank {right.rank} follows rank {left.rank}"
            demand(left.rank <= right.rank, file, f"card {card.number}", problem)
