"""Vector tables made from the engine's, and new games."""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from .. import encoding
from ..engine import rules
from ..engine.actions import Act, Action, EndTurn, Move, Rehearse, TakeRole, Upgrade
from ..engine.board import MOST_EXTRAS, Board, built_in_board
from ..engine.chance import ScriptedDice
from ..engine.deck import HIGHEST_RANK, LOWEST_RANK, MOST_STARS, Deck
from ..engine.layout import RANDOM_PLACEMENTS, Neighbours, distances, neighbours, random_layout
from ..engine.legality import role_number
from ..engine.options import Options
from ..engine.table import Table as EngineTable
from .chance import draw, words
from .state import SET_WORDS, UNSEEN_WORDS, Game, Player, State, pack
from .table import AREA_ROOM, RANK_BITS, SCENES, Area, Card, Deed, Extras, Table
from .words import Array


def init(key: Array, players: int, options: Options | None = None, shape: tuple[int, ...] = ()) -> State:
    """New games in a batch of this shape. The players are called "0", "1", …

    If the first player or the layout is random, it is drawn for every game.
    """
    return start(key, make_table(players, options or Options()), shape, players)


def start(key: Array, table: Table, shape: tuple[int, ...], players: int) -> State:
    """New games at a given table. With more players than it has, the seats after its last player stay empty."""
    word, *others = words(key, shape, 1 + layout_words(table))
    return start_from(word, others, jax.tree.map(jnp.asarray, table), players)


def layout_words(table: Table) -> int:
    """How many random words a layout needs: one if it is drawn (R10.3)."""
    return int(table.layouts > 1)


def start_from(word: Array, others: Sequence[Array], table: Table, players: int) -> State:
    """New games from one random word each, and as many others as `layout_words` says."""
    zero = jnp.zeros_like(word)
    first = jnp.where(table.first_drawn, draw(word, table.players), table.first)  # R2.6
    layout = draw(others[0], table.layouts) if others else zero  # R10.3
    game = Game.pack(scenes_left=table.new_scenes, day=jnp.uint32(1), active=first, first=first, layout=layout)
    return State(
        table=table,
        players=tuple(Player(table.new_player | zero) for _ in range(players)),
        sets=tuple(table.new_sets[number] | zero for number in range(SET_WORDS)),
        unseen=tuple(table.new_unseen[number] | zero for number in range(UNSEEN_WORDS)),
        game=Game(game),
    )


def make_table(players: int, options: Options, *, board: Board | None = None, deck: Deck | None = None) -> Table:
    """The table for this number of players with these options; `layout` and `first` may be random."""
    return _usual_table(players, options) if board is None is deck else _made_table(players, options, board, deck)


@lru_cache(maxsize=64)
def _usual_table(players: int, options: Options) -> Table:
    return _made_table(players, options, None, None)


def _made_table(players: int, options: Options, board: Board | None, deck: Deck | None) -> Table:
    names = [str(seat) for seat in range(players)]
    state, _ = rules.start(names, options, ScriptedDice([0] * len(options.drawn)), board=board, deck=deck)
    layouts = [state.table.neighbours]
    if "layout" in options.drawn:
        layouts = _usual_layouts() if board is None else _random_layouts(board)
    return _table(state.table, layouts, first_drawn="first" in options.drawn)


def table_of(engine_table: EngineTable) -> Table:
    """The vector form of an engine's table, with the layout and the first player drawn there."""
    return _table(engine_table, [engine_table.neighbours], first_drawn=False)


@cache
def _usual_layouts() -> list[Neighbours]:
    return _random_layouts(built_in_board())


def _random_layouts(board: Board) -> list[Neighbours]:
    return [neighbours(random_layout(number, board), board) for number in range(RANDOM_PLACEMENTS)]


def _table(table: EngineTable, layouts: Sequence[Neighbours], *, first_drawn: bool) -> Table:
    sheet = encoding.sheet_of(table)
    opening, _ = rules.open_table(table)
    start_words = pack(opening)
    count = len(table.names)
    new_sets, new_unseen = start_words[count : count + SET_WORDS], start_words[count + SET_WORDS : -1]
    extra_ranks = [[role.rank for role in area.extras] for area in table.areas]
    return Table(
        players=_array(count),
        deeds=_array([_deed_word(action, table) for action in sheet.actions]),
        cards=_words([_card_word(card.budget, [role.rank for role in card.roles]) for card in table.cards], SCENES),
        extras=_words([Extras.pack(open_to=_open_to(ranks, MOST_EXTRAS)) for ranks in extra_ranks], AREA_ROOM),
        areas=_array([word for joined in layouts for word in _area_words(joined, extra_ranks)]),
        distances=_array([distances(joined) for joined in layouts], encoding.DTYPE),
        prices=_array(encoding.price_rows(table)),
        trailers=_array(table.trailers),
        office=_array(table.office),
        days=_array(table.days),
        bonus_actors=_array(table.options.bonus == "actors", np.bool_),
        ties_shared=_array(table.options.ties == "shared", np.bool_),
        first=_array(table.first),
        first_drawn=_array(first_drawn, np.bool_),
        new_player=_array(start_words[0]),
        new_sets=_array(new_sets),
        new_unseen=_array(new_unseen),
        new_scenes=_array(opening.scenes_left),
        fixed=_array(sheet.fixed, encoding.DTYPE),
        card_rows=_card_rows(sheet.cards),
    )


def _array(values: Any, dtype: Any = np.uint32) -> Any:
    """A numpy array, so that a cached table works inside and outside of JAX traces."""
    return np.array(values, dtype)


def _deed_word(action: Action, table: EngineTable) -> int:
    match action:
        case Move():
            word = Deed.pack(move=1, about=table.area_numbers[action.area])
        case TakeRole():
            word = Deed.pack(take=1, about=role_number(action))
        case Act():
            word = Deed.pack(act=1)
        case Rehearse():
            word = Deed.pack(rehearse=1)
        case Upgrade():
            price = min(table.prices[action], getattr(Deed, action.currency).highest)
            word = Deed.pack(upgrade=1, about=action.rank, **{action.currency: price})
        case EndTurn():
            word = 0
    return int(word)


def _card_rows(cards: Sequence[Sequence[int]]) -> Any:
    """By scene; zeros for FACE_DOWN and NO_SCENE."""
    rows = np.zeros((SCENES, 1 + MOST_STARS), encoding.DTYPE)
    rows[: len(cards)] = cards
    return rows


def _words(values: Sequence[int], length: int) -> Any:
    return _array([*values, *[0] * (length - len(values))])


def _card_word(budget: int, ranks: Sequence[int]) -> int:
    word: int = Card.pack(open_to=_open_to(ranks, MOST_STARS), budget=budget, roles=(1 << len(ranks)) - 1)
    return word


def _open_to(ranks: Sequence[int], bits: int) -> int:
    """For every rank the roles it may take (R5.3)."""
    return sum(
        (rank <= own) << (own - LOWEST_RANK) * bits + at
        for own in range(LOWEST_RANK, HIGHEST_RANK + 1)
        for at, rank in enumerate(ranks)
    )


def _area_words(joined: Neighbours, extra_ranks: Sequence[Sequence[int]]) -> Any:
    rows = zip(joined, extra_ranks, strict=True)
    values = [
        Area.pack(
            neighbours=sum(1 << area for area in areas),
            extra_ranks=sum(rank << RANK_BITS * at for at, rank in enumerate(ranks)),
        )
        for areas, ranks in rows
    ]
    return _words(values, AREA_ROOM)
