"""Actions and observations as numbers: one encoding for every learner. `docs/learning.md` describes every field.

It needs only numpy. `deadwood.vector` gives the same arrays for many games at once.
"""

from collections.abc import Iterator, Mapping
from math import prod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .engine.actions import ACT, END_TURN, REHEARSE, Action, Move, TakeRole
from .engine.board import MOST_EXTRAS, MOST_SHOTS, UPGRADE_RANKS
from .engine.deck import BUDGETS, HIGHEST_RANK, MOST_STARS, most_chips
from .engine.legality import legal_actions
from .engine.options import DAYS, PLAYERS
from .engine.refusal import DeadwoodError
from .engine.state import State
from .engine.table import FACE_DOWN, NO_SCENE, Table

VERSION = 1  # changes whenever the meaning of a number below changes

AREAS = 12
SEATS = PLAYERS[-1]
ROLES = MOST_STARS + MOST_EXTRAS
RANKS = len(UPGRADE_RANKS)

FIRST_MOVE = 0
FIRST_TAKE = FIRST_MOVE + AREAS
ACT_NUMBER = FIRST_TAKE + ROLES
REHEARSE_NUMBER = ACT_NUMBER + 1
FIRST_DOLLAR_UPGRADE = REHEARSE_NUMBER + 1
FIRST_CREDIT_UPGRADE = FIRST_DOLLAR_UPGRADE + RANKS
END_NUMBER = FIRST_CREDIT_UPGRADE + RANKS
ACTIONS = END_NUMBER + 1

MOST_CARDS = 62  # in a deck; the built-in decks have 40 and 60
MOST_DOLLARS = 2**11 - 1  # larger sums are encoded as this; players rarely have a tenth of it
MOST_CREDITS = 2**8 - 1  # never reached: at most 4 at the start, and 2 for each of 30 shots on 4 days

DTYPE = np.int16
Observation = npt.NDArray[np.int16]
Mask = npt.NDArray[np.bool_]


class EncodingError(DeadwoodError):
    """A table has something that the encoding has no number for."""


class Sheet(NamedTuple):
    """The numbers that stay the same all game."""

    table: Table
    actions: tuple[Action, ...]  # by number
    numbers: dict[Action, int]
    fixed: Observation  # with zeros for everything that changes
    cards: tuple[list[int], ...]  # budget and ranks of every card


_sheets: dict[int, Sheet] = {}  # by the table's id; a sheet keeps its table alive, so no id is reused
_MOST_SHEETS = 1024


def sheet_of(table: Table) -> Sheet:
    """The sheet of a table, made once. The key is the table's identity, because comparing tables is slow."""
    sheet = _sheets.get(id(table))
    if sheet is None:
        if len(_sheets) >= _MOST_SHEETS:
            _sheets.clear()
        actions = _actions(table)
        numbers = {action: number for number, action in enumerate(actions)}
        sheet = _sheets[id(table)] = Sheet(table, actions, numbers, _fixed_part(table), _card_rows(table))
    return sheet


# ------------------------------------------------------------------------------------------------ actions


def _actions(table: Table) -> tuple[Action, ...]:
    stars = (TakeRole("star", number) for number in range(1, MOST_STARS + 1))
    extras = (TakeRole("extra", number) for number in range(1, MOST_EXTRAS + 1))
    moves = (Move(area.id) for area in table.areas)
    return (*moves, *stars, *extras, ACT, REHEARSE, *table.prices, END_TURN)


def action_of(number: int, table: Table) -> Action:
    """The engine's action with this number."""
    if not 0 <= number < ACTIONS:
        raise EncodingError(f"actions are numbered from 0 to {ACTIONS - 1}; there is no {number}")
    return sheet_of(table).actions[number]


def number_of(action: Action, table: Table) -> int:
    """The number of an engine action."""
    return sheet_of(table).numbers[action]


def action_mask(state: State) -> Mask:
    """Which action numbers are legal now; none when the game is over."""
    numbers = sheet_of(state.table).numbers
    mask = np.zeros(ACTIONS, np.bool_)
    mask[[numbers[action] for action in legal_actions(state)]] = True
    return mask


# ------------------------------------------------------------------------------------------------ observations

NOBODY_ACTIVE = SEATS  # `active` when the game is over
DECKS = ("classic", "studio")  # the values of `deck`; a custom deck is one more

GAME = {  # column -> the highest value
    "players": SEATS,
    "active": NOBODY_ACTIVE,
    "moved": 1,
    "day": DAYS[-1],
    "days": DAYS[-1],
    "scenes_left": AREAS - 2,
    "deck": len(DECKS),
    "cards": MOST_CARDS,
    "unseen_cards": MOST_CARDS,
    "bonus_actors": 1,
    "ties_shared": 1,
}
PLAYER = {
    "present": 1,
    "turn": SEATS - 1,
    "area": AREAS - 1,
    "rank": HIGHEST_RANK,
    "dollars": MOST_DOLLARS,
    "credits": MOST_CREDITS,
    "role": ROLES,
    "chips": most_chips(BUDGETS[-1]),
}
AREA_KINDS = ("set", "trailers", "casting office")
WRAPPED, TURNED_DOWN, TURNED_UP = range(3)  # `scene`
_PLACES = [*(f"star_{number}" for number in range(1, MOST_STARS + 1))]
_PLACES += [f"extra_{number}" for number in range(1, MOST_EXTRAS + 1)]
AREA = {
    "kind": len(AREA_KINDS) - 1,
    "scene": TURNED_UP,
    "card": MOST_CARDS,
    "budget": BUDGETS[-1],
    "shots": MOST_SHOTS,
    "all_shots": MOST_SHOTS,
    "distance": AREAS - 1,
    **{f"{place}_rank": HIGHEST_RANK for place in _PLACES},
    **{f"{place}_by": SEATS for place in _PLACES},
}


class Block(NamedTuple):
    """A part of the observation: a grid, and its columns with their highest values."""

    rows: int
    columns: Mapping[str, int]
    start: int

    @property
    def shape(self) -> tuple[int, int]:
        return self.rows, len(self.columns)

    @property
    def slice(self) -> slice:
        """Where it lies in the flat observation."""
        return slice(self.start, self.start + prod(self.shape))

    def column(self, name: str) -> int:
        """The number of a column."""
        return list(self.columns).index(name)


def _laid_out(blocks: Mapping[str, tuple[int, Mapping[str, int]]]) -> Iterator[tuple[str, Block]]:
    start = 0
    for name, (rows, columns) in blocks.items():
        block = Block(rows, columns, start)
        start = block.slice.stop
        yield name, block


BLOCKS = dict(
    _laid_out(
        {
            "game": (1, GAME),
            "players": (SEATS, PLAYER),
            "areas": (AREAS, AREA),
            "unseen": (1, {f"card_{number}": 1 for number in range(1, MOST_CARDS + 1)}),
            "unseen_budgets": (1, {f"budget_{budget}": MOST_CARDS for budget in BUDGETS}),
            "prices": (2, {f"rank_{rank}": MOST_DOLLARS for rank in UPGRADE_RANKS}),
            "distances": (AREAS, {f"to_area_{number}": AREAS - 1 for number in range(AREAS)}),
        }
    )
)
SIZE = max(block.slice.stop for block in BLOCKS.values())
HIGHEST: Observation = np.concatenate(
    [np.tile(np.array(list(block.columns.values()), DTYPE), block.rows) for block in BLOCKS.values()]
)


def part(observation: Any, name: str) -> Any:
    """One block of an observation, or of a batch of them, as rows and columns; for numpy and JAX arrays."""
    block = BLOCKS[name]
    return observation[..., block.slice].reshape(*observation.shape[:-1], *block.shape)


def _check_table(table: Table) -> None:
    """Refuse custom boards and decks that do not fit."""
    if len(table.cards) > MOST_CARDS:
        raise EncodingError(f"decks of at most {MOST_CARDS} cards can be encoded, not of {len(table.cards)}")
    if max(table.prices.values()) > MOST_DOLLARS:
        raise EncodingError(f"prices of at most {MOST_DOLLARS} can be encoded, not {max(table.prices.values())}")


def deck_number(table: Table) -> int:
    """The deck's number in the column `deck`."""
    return DECKS.index(table.options.deck) if table.options.deck in DECKS else len(DECKS)


def price_rows(table: Table) -> list[list[int]]:
    """What the ranks cost, in dollars and in credits."""
    prices = list(table.prices.values())
    return [prices[:RANKS], prices[RANKS:]]


def _fixed_part(table: Table) -> Observation:
    _check_table(table)
    observation = np.zeros(SIZE, DTYPE)
    game, areas = part(observation, "game")[0], part(observation, "areas")
    for column, value in _fixed_game(table).items():
        game[BLOCKS["game"].column(column)] = value
    for number, area in enumerate(table.areas):
        row = {"kind": AREA_KINDS.index(area.kind), "all_shots": area.shots}
        row |= {f"extra_{at}_rank": role.rank for at, role in enumerate(area.extras, 1)}
        for column, value in row.items():
            areas[number, BLOCKS["areas"].column(column)] = value
    part(observation, "prices")[:] = price_rows(table)
    part(observation, "distances")[:] = table.distances
    observation.flags.writeable = False
    return observation


def _fixed_game(table: Table) -> dict[str, int]:
    return {
        "players": len(table.names),
        "days": table.days,
        "deck": deck_number(table),
        "cards": len(table.cards),
        "bonus_actors": table.options.bonus == "actors",
        "ties_shared": table.options.ties == "shared",
    }


def _card_rows(table: Table) -> tuple[list[int], ...]:
    return tuple(
        [card.budget, *(role.rank for role in card.roles), *[0] * (MOST_STARS - len(card.roles))]
        for card in table.cards
    )


def observe(state: State, seat: int | None = None) -> Observation:
    """Everything that is visible from a seat, by default the active player's.

    Seats are rotated: row 0 of `players` is the observer. After the end nobody is active, and the default is the first
    player's seat.
    """
    table = state.table
    if seat is None:
        seat = table.first if state.over else state.active
    observation = sheet_of(table).fixed.copy()
    _fill_game(observation, state, seat)
    _fill_players(observation, state, seat)
    _fill_areas(observation, state, seat)
    _fill_unseen(observation, state)
    return observation


_GAME_COLUMNS = [BLOCKS["game"].column(name) for name in ("active", "moved", "day", "scenes_left", "unseen_cards")]


def _fill_game(observation: Observation, state: State, seat: int) -> None:
    active = NOBODY_ACTIVE if state.over else (state.active - seat) % len(state.players)
    observation[_GAME_COLUMNS] = (active, state.moved, state.day, state.scenes_left, len(state.unseen))


def _fill_players(observation: Observation, state: State, seat: int) -> None:
    count, first = len(state.players), state.table.first
    rows = []
    for place in range(seat, seat + count):
        one = state.players[place % count]
        role = 0 if one.role is None else one.role + 1
        dollars, turn = min(one.dollars, MOST_DOLLARS), (place - first) % count
        rows.append((1, turn, one.area, one.rank, dollars, one.credits, role, one.chips))
    part(observation, "players")[:count] = rows


_BY = BLOCKS["areas"].column("star_1_by")
_STAR_RANKS = BLOCKS["areas"].column("star_1_rank")
_DISTANCE = BLOCKS["areas"].column("distance")


def _fill_areas(observation: Observation, state: State, seat: int) -> None:
    areas, table = part(observation, "areas"), state.table
    cards = sheet_of(table).cards
    seen = []
    stars = []
    for scene, shots in zip(state.scenes, state.shots, strict=True):
        if scene >= 0:
            budget, *ranks = cards[scene]
            seen.append((TURNED_UP, scene + 1, budget, shots))
            stars.append(ranks)
        else:
            seen.append((scene - NO_SCENE, 0, 0, shots))
            stars.append([0] * MOST_STARS)
    areas[:, 1:5] = seen
    areas[:, _STAR_RANKS : _STAR_RANKS + MOST_STARS] = stars
    areas[:, _DISTANCE] = table.distances[state.players[seat].area]
    for place, one in enumerate(state.players):
        if one.role is not None:
            areas[one.area, _BY + one.role] = (place - seat) % len(state.players) + 1


_BUDGET_COLUMN = BLOCKS["unseen_budgets"].start - BUDGETS[0]


def _fill_unseen(observation: Observation, state: State) -> None:
    start, cards = BLOCKS["unseen"].start, sheet_of(state.table).cards
    unseen = list(state.unseen)
    observation[[start + card for card in unseen]] = 1
    for card in unseen:
        observation[_BUDGET_COLUMN + cards[card][0]] += 1


assert (WRAPPED, TURNED_DOWN) == (NO_SCENE - NO_SCENE, FACE_DOWN - NO_SCENE)
