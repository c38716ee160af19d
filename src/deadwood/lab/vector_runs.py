"""Games by the vector engine: many at once, of which results are kept and no jobs.

They are played in blocks of a fixed size, so that game number k comes out the same however many are asked for.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

import numpy as np
import polars as pl
from msgspec.structs import replace

from ..engine.options import RANDOM, Options, usual_days
from ..engine.table import choose_deck, deck_name
from ..vector.playing import Results, play_games
from .playing import Plan, seat_names, stream
from .rows import GAMES

BLOCK = 1 << 14  # games
SEEDS = 1 << 31


def missing_blocks(missing: Iterable[int]) -> Iterator[list[int]]:
    """Games that are missing, in their order, by the block they belong to."""
    return (list(games) for _, games in groupby(missing, lambda game: game // BLOCK))


def play_block(plan: Plan, games: Sequence[int]) -> pl.DataFrame:
    """These games, all of one block, which is played whole."""
    block = games[0] // BLOCK
    results = play_games(
        plan.seats,
        BLOCK,
        _options(plan),
        seed=stream(plan.seed, "block", block) % SEEDS,
        most_decisions=plan.limit,
        board=plan.board,
        deck=plan.deck,
    )
    wanted = np.asarray(games) - block * BLOCK
    return _frame(plan, games, Results(*(column[wanted] for column in results)))


def _options(plan: Plan) -> Options:
    """The vector engine numbers its players from 0."""
    seats = seat_names(plan)
    first = plan.options.first
    return replace(plan.options, first=str(seats.index(first))) if first in seats else plan.options


def _frame(plan: Plan, games: Sequence[int], results: Results) -> pl.DataFrame:
    options, rows = plan.options, len(games)
    firsts = results.places == 1
    won = np.where(results.cut_off[:, None], 0.0, firsts / firsts.sum(1, keepdims=True))
    values = {
        "game": list(games),
        "bots": [list(plan.seats)] * rows,
        "first": results.first,
        "deck": [deck_name(choose_deck(options, plan.deck))] * rows,
        "layout": [options.layout if options.layout.strip().casefold() != RANDOM else ""] * rows,
        "ties": [options.ties] * rows,
        "bonus": [options.bonus] * rows,
        "days": [options.days or usual_days(len(plan.seats))] * rows,
        "decisions": results.decisions,
        "cut_off": results.cut_off,
        "won": won.tolist(),
        **{name: getattr(results, name).tolist() for name in ("scores", "places", "ranks", "dollars", "credits")},
    }
    nothing: dict[str, list[list[object]]] = {name: [[]] * rows for name in GAMES if name not in values}
    return pl.DataFrame(values | nothing, schema=GAMES)
