"""The game on paper: how many pieces a table needs, the player aid and the host's checklist.

The texts are `text/host.*.md` and `text/aid.*.md`; every number in them comes from the engine.
"""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from .engine.board import Board
from .engine.deck import BUDGETS, HIGHEST_RANK, LOWEST_RANK, Deck, most_chips
from .engine.floor_plan import FloorPlan, floor_plan
from .engine.layout import TURN_MARK, Layout, Placed, parse_layout
from .engine.odds import success_chance
from .engine.options import PAY, PLAYERS, POINTS_PER_RANK, beginning, usual_days
from .narration import fill_page, option_label, percent_text, place_name, purse_text, value_label

# How many of each value are printed for a player: enough for any price of the built-in board.
BILLS = {1: 5, 5: 5, 20: 1}
CREDITS = {1: 5, 5: 4}
RANKS = tuple(range(LOWEST_RANK, HIGHEST_RANK + 1))


class Pile(Struct, frozen=True):
    """Pieces of one value."""

    value: int
    count: int


class Setup(Struct, frozen=True, kw_only=True):
    """What a number of players starts with (R2.2, R2.3) and which pieces they need."""

    players: int
    days: int
    cards: int
    rank: int
    credits: int
    chips: int
    bills: tuple[Pile, ...]
    credit_tokens: tuple[Pile, ...]


class SectionPlan(Struct, frozen=True):
    """A section on its own, unturned."""

    name: str
    plan: FloorPlan


def setups(deck: Deck, board: Board) -> tuple[Setup, ...]:
    """The set-ups for every number of players."""
    return tuple(_setup(players, deck, board) for players in PLAYERS)


def section_plans(board: Board, language: str = "en") -> tuple[SectionPlan, ...]:
    """Every section, drawn by itself."""
    layouts = (Layout(one.initial, (Placed(number, 0, 0, False),)) for number, one in enumerate(board.sections))
    return tuple(
        SectionPlan(place_name(section.name, language), floor_plan(layout, board))
        for section, layout in zip(board.sections, layouts, strict=True)
    )


def checklist(deck: Deck, board: Board, language: str = "en", players: int | None = None) -> str:
    """What a host prepares, in Markdown; for one number of players or for all."""
    chosen = [setup for setup in setups(deck, board) if players in (None, setup.players)]
    option = f"{option_label('dice', language)}: {value_label('dice', 'table', language)}"
    return fill_page(
        "host",
        language,
        {
            "deck_cards": len(deck.cards),
            "dice": _highest_budget(deck),
            "bills": [f"${value}" for value in BILLS],
            "purse": _worth(BILLS),
            "credits": [str(value) for value in CREDITS],
            "fame": _worth(CREDITS),
            "shots": _shots(board),
            "chips": most_chips(_highest_budget(deck)),
            "setups": "\n".join(_setup_row(setup, _shots(board)) for setup in chosen),
            "layout": _layout_table(board, language),
            "trailers": _name_of("trailers", board),
            "sets": len(board.sets),
            "points": POINTS_PER_RANK,
            "dice_option": option,
        },
    )


def player_aid(deck: Deck, board: Board, language: str = "en") -> str:
    """A turn, the odds and the prices on a small page, in Markdown."""
    chips = range(most_chips(_highest_budget(deck)) + 1)
    prices = board.price_list
    pay = {
        f"{kind}_{'success' if success else 'failure'}": purse_text(purse, language)
        for kind, by_success in PAY.items()
        for success, purse in by_success.items()
    }
    return fill_page(
        "aid",
        language,
        {
            **pay,
            "office": _name_of("casting office", board),
            "chips": _cells(chips),
            "chip_columns": "---|" * len(chips),
            "odds": "\n".join(
                f"| **${budget}M** | {_cells(_chances(budget, chips, language))} |" for budget in BUDGETS
            ),
            "ranks": _cells(price.rank for price in prices),
            "rank_columns": "---|" * len(prices),
            "dollars": _cells(price.dollars for price in prices),
            "credits": _cells(price.credits for price in prices),
            "points": POINTS_PER_RANK,
        },
    )


def _setup(players: int, deck: Deck, board: Board) -> Setup:
    start, days = beginning(players), usual_days(players)
    return Setup(
        players=players,
        days=days,
        cards=days * board.scenes_a_day,
        rank=start.rank,
        credits=start.credits,
        chips=players * most_chips(_highest_budget(deck)),
        bills=_piles(BILLS, players),
        credit_tokens=_piles(CREDITS, players),
    )


def _piles(shares: dict[int, int], players: int) -> tuple[Pile, ...]:
    return tuple(Pile(value, count * players) for value, count in shares.items())


def _worth(shares: dict[int, int]) -> int:
    return sum(value * count for value, count in shares.items())


def _shots(board: Board) -> int:
    return sum(area.shots for area in board.areas)


def _highest_budget(deck: Deck) -> int:
    """The most dice rolled at a wrap (R7.2), and one more than the chips that are of use (R6.7)."""
    return max(card.budget for card in deck.cards)


def _name_of(kind: str, board: Board) -> str:
    return next(area.name for area in board.areas if area.kind == kind)


def _setup_row(setup: Setup, shots: int) -> str:
    cells = (setup.players, setup.days, setup.cards, setup.rank, setup.credits, shots + setup.chips)
    return f"| {_cells(cells)} |"


def _layout_table(board: Board, language: str) -> str:
    """The standard layout as it lies, with an empty header."""
    placed = parse_layout("standard", board).placed
    rows, columns = (1 + max(getattr(piece, side) for piece in placed) for side in ("row", "column"))
    names = {(piece.row, piece.column): _section_name(piece, board, language) for piece in placed}
    lines = (_cells(names.get((row, column), "") for column in range(columns)) for row in range(rows))
    return "\n".join((f"|{' |' * columns}", f"|{'---|' * columns}", *(f"| {line} |" for line in lines)))


def _section_name(piece: Placed, board: Board, language: str) -> str:
    return place_name(board.sections[piece.section].name, language) + TURN_MARK * piece.turned


def _chances(budget: int, chips: Iterable[int], language: str) -> Iterator[str]:
    """The chances in percent; blank beyond certainty, where nobody may rehearse (R6.7)."""
    for held in chips:
        useful = held <= most_chips(budget)
        yield percent_text(success_chance(budget, held), language) if useful else ""


def _cells(values: Iterable[object]) -> str:
    return " | ".join(map(str, values))
