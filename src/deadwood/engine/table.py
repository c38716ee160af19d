"""Table: what stays the same all game, with look-ups that make the rules fast."""

from collections.abc import Sequence
from functools import cache
from typing import Any, TypeVar

from msgspec import Struct, structs

from .actions import Action, Move, RoleKind, TakeRole, Upgrade
from .board import Area, Board, built_in_board, check_board
from .deck import BUILT_IN_DECKS, HIGHEST_RANK, MOST_STARS, Card, Deck, Role, built_in_deck, check_deck, most_chips
from .events import SetAfter, TurnEnded
from .layout import Layout, Neighbours, distances, neighbours, stored_layout
from .options import DAYS, Options, usual_days
from .refusal import Refusal, SetupError

FACE_DOWN = -1  # in State.scenes: a card nobody has turned yet
NO_SCENE = -2  # in State.scenes: wrapped, or not a set
FIRST_EXTRA = MOST_STARS  # in Player.role: first the card's roles from the left, then the set's


def role_kind(role: int) -> RoleKind:
    """Whether a role, as Player.role counts it, is on the card or on the set."""
    return "star" if role < FIRST_EXTRA else "extra"


Takes = tuple[tuple[TakeRole, ...], ...]  # by the rank of the player who takes the role
Upgrades = tuple[tuple[tuple[Upgrade, int], ...], ...]  # with their prices, by the rank of the player who buys one
Amount = TypeVar("Amount", int, float)


class Table(Struct, frozen=True, eq=False, gc=False):
    """Names, options, board and deck of a game; shared by all its states."""

    names: tuple[str, ...]
    options: Options
    board: Board
    deck: Deck
    layout: Layout
    days: int
    first: int
    drawn: tuple[str, ...]
    areas: tuple[Area, ...]
    cards: tuple[Card, ...]
    most_chips: tuple[int, ...]
    trailers: int
    office: int
    neighbours: Neighbours
    distances: tuple[tuple[int, ...], ...]
    area_ids: tuple[str, ...]
    area_names: tuple[str, ...]
    area_numbers: dict[str, int]
    numbers: tuple[int, ...]
    scenes_a_day: int
    card_numbers: dict[int, int]
    new_scenes: tuple[int, ...]
    new_shots: tuple[int, ...]
    new_sets: tuple[SetAfter, ...]
    empty_sets: tuple[SetAfter, ...]
    moves: tuple[tuple[Action, ...], ...]
    star_takes: tuple[Takes, ...]
    extra_takes: tuple[Takes, ...]
    prices: dict[Upgrade, int]
    upgrades: Upgrades
    turn_ends: tuple[TurnEnded, ...]

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Table) and self._identity() == other._identity())

    def __hash__(self) -> int:
        return hash(self.names)  # fast: bots look up what they know of a table at every decision

    def __repr__(self) -> str:
        return f"Table({', '.join(self.names)}; {self.options})"

    def _identity(self) -> tuple[object, ...]:
        return self.names, self.options, self.deck, self.board

    def snapshot(self) -> "TableSnapshot":
        """The table without its look-ups."""
        return TableSnapshot(self.names, self.options, self.drawn, self.board, self.deck)

    def role(self, area: int, scene: int, role: int) -> Role:
        """The role with this number on a set with this face-up card."""
        if role < FIRST_EXTRA:
            return self.cards[scene].roles[role]
        return self.areas[area].extras[role - FIRST_EXTRA]


class TableSnapshot(Struct, frozen=True):
    """A table for JSON: sent once, it explains all snapshots of its states."""

    names: tuple[str, ...]
    options: Options
    drawn: tuple[str, ...]
    board: Board
    deck: Deck

    def table(self) -> Table:
        """The table again."""
        layout = stored_layout(self.options.layout, self.board)
        first = self.names.index(self.options.first)
        return make_table(
            self.names, self.options, board=self.board, deck=self.deck, layout=layout, first=first, drawn=self.drawn
        )


def make_table(
    names: tuple[str, ...],
    options: Options,
    *,
    board: Board,
    deck: Deck,
    layout: Layout,
    first: int,
    drawn: tuple[str, ...],
) -> Table:
    """The table of a game whose draws are made; its options hold what was drawn (RULES section 12)."""
    days = options.days or usual_days(len(names))
    _check_size(deck, days, board)
    areas, prices = board.areas, _prices(board)
    return Table(
        names=names,
        options=structs.replace(options, deck=deck_name(deck), layout=layout.text, first=names[first], days=days),
        board=board,
        deck=deck,
        layout=layout,
        days=days,
        first=first,
        drawn=drawn,
        turn_ends=tuple(TurnEnded(*pair) for pair in zip(names, names[1:] + names[:1], strict=True)),
        **_of_cards(deck.cards),
        **_of_areas(areas),
        **_of_ways(areas, neighbours(layout, board)),
        scenes_a_day=board.scenes_a_day,
        prices=prices,
        upgrades=tuple(_upgrades(prices, rank) for rank in range(HIGHEST_RANK + 1)),
    )


def _of_cards(cards: tuple[Card, ...]) -> dict[str, Any]:
    """The look-ups by card."""
    return {
        "cards": cards,
        "most_chips": tuple([most_chips(card.budget) for card in cards]),
        "numbers": tuple([card.number for card in cards]),
        "card_numbers": {card.number: index for index, card in enumerate(cards)},
        "star_takes": tuple(_takes("star", _ranks(card.roles)) for card in cards),
    }


def _of_areas(areas: tuple[Area, ...]) -> dict[str, Any]:
    """The look-ups by area."""
    ids, kinds = tuple([area.id for area in areas]), [area.kind for area in areas]
    shots = tuple([area.shots for area in areas])
    new_sets, empty_sets = _sets(ids, shots)
    return {
        "areas": areas,
        "trailers": kinds.index("trailers"),
        "office": kinds.index("casting office"),
        "area_ids": ids,
        "area_names": tuple([area.name for area in areas]),
        "area_numbers": {area: number for number, area in enumerate(ids)},
        "new_scenes": tuple(FACE_DOWN if area.shots else NO_SCENE for area in areas),
        "new_shots": shots,
        "new_sets": new_sets,
        "empty_sets": empty_sets,
        "extra_takes": tuple(_takes("extra", _ranks(area.extras)) for area in areas),
    }


def _of_ways(areas: tuple[Area, ...], joined: Neighbours) -> dict[str, Any]:
    """The look-ups of where players can walk."""
    moves = tuple(tuple(Move(areas[number].id) for number in numbers) for numbers in joined)
    return {"neighbours": joined, "distances": distances(joined), "moves": moves}


def choose_board(board: Board | None) -> Board:
    """The given board, once checked, or else the built-in one."""
    if board is None:
        return built_in_board()
    _demand_type(board, Board, "load_board reads one from a file")
    check_board(board, board.name)
    return board


def choose_deck(options: Options, deck: Deck | None) -> Deck:
    """The given deck, once checked, or else the one that the options name (R12.1)."""
    if deck is not None:
        _demand_type(deck, Deck, "load_deck reads one from a file; Options(deck=...) names the built-in ones")
        check_deck(deck, deck.name)
        return deck
    name = options.deck.strip().casefold()
    if name not in BUILT_IN_DECKS:
        values = {"option": "deck", "value": options.deck, "choices": BUILT_IN_DECKS}
        raise SetupError(Refusal("R12.1", "not_a_choice", values))
    return built_in_deck(name)


def _demand_type(value: object, kind: type, advice: str) -> None:
    if not isinstance(value, kind):
        raise TypeError(f"{value!r} is not a {kind.__name__}; {advice}")


def is_custom_deck(deck: Deck) -> bool:
    """Whether a deck is not one of the game's own."""
    return deck.name not in BUILT_IN_DECKS or deck != built_in_deck(deck.name)


def is_custom_board(board: Board) -> bool:
    """Whether a board is not the game's own."""
    return board is not built_in_board() and board != built_in_board()


def deck_name(deck: Deck) -> str:
    """The deck as options and records name it; a custom one by its fingerprint."""
    return f"custom:{deck.fingerprint}" if is_custom_deck(deck) else deck.name


def board_name(board: Board) -> str | None:
    """A custom board as records name it, by its fingerprint; None for the built-in one."""
    return f"custom:{board.fingerprint}" if is_custom_board(board) else None


def most_days(deck: Deck, board: Board | None = None) -> int:
    """The number of days that a deck has cards for (R2.5), up to the longest game; 0 if it is too small for one."""
    return min(DAYS[-1], len(deck.cards) // (board or built_in_board()).scenes_a_day)


def _check_size(deck: Deck, days: int, board: Board) -> None:
    if days > most_days(deck, board):
        values = {"cards": len(deck.cards), "needed": days * board.scenes_a_day, "days": days}
        raise SetupError(Refusal("R2.5", "deck_too_small", values))


def _ranks(roles: Sequence[Role]) -> tuple[int, ...]:
    return tuple([role.rank for role in roles])


@cache
def _sets(areas: tuple[str, ...], shots: tuple[int, ...]) -> tuple[tuple[SetAfter, ...], tuple[SetAfter, ...]]:
    """All sets in the morning and in the evening (R9.4, R9.1)."""
    sets = [(area, count) for area, count in zip(areas, shots, strict=True) if count]
    return tuple(SetAfter(area, "face down", count) for area, count in sets), tuple(
        SetAfter(area, None, 0) for area, _ in sets
    )


@cache
def _takes(kind: RoleKind, ranks: tuple[int, ...]) -> Takes:
    takes = [TakeRole(kind, number) for number in range(1, len(ranks) + 1)]
    return tuple(
        tuple(take for take, rank in zip(takes, ranks, strict=True) if rank <= own_rank)
        for own_rank in range(HIGHEST_RANK + 1)
    )


def _prices(board: Board) -> dict[Upgrade, int]:
    """R8.2, in the order in which legal_actions lists them."""
    prices = board.price_list
    dollars = {Upgrade(price.rank, "dollars"): price.dollars for price in prices}
    return dollars | {Upgrade(price.rank, "credits"): price.credits for price in prices}


def _upgrades(prices: dict[Upgrade, int], rank: int) -> tuple[tuple[Upgrade, int], ...]:
    """Those to a higher rank (R8.4)."""
    return tuple((upgrade, price) for upgrade, price in prices.items() if upgrade.rank > rank)


def purse_after(dollars: Amount, credits: Amount, upgrade: Upgrade, price: int) -> tuple[Amount, Amount]:
    """What an upgrade leaves in a purse (R8.3)."""
    return (dollars - price, credits) if upgrade.currency == "dollars" else (dollars, credits - price)
