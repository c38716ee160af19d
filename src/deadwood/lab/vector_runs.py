"""Runs on the vector engine, which plays many games at once and keeps only their results.

Batches have a fixed size, so game number k is the same no matter how many games are requested.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

import numpy as np
import polars as pl
from msgspec.structs import replace

from ..engine.options import RANDOM, Options, usual_days
from ..engine.table import choose_deck, deck_name
from ..vector.playing import Results, play_games
from .frames import GAMES
from .playing import Plan, seat_names, stream

BATCH = 1 << 14  # games
SEEDS = 1 << 31
BY_SEAT = ("won", "places", "scores", "ranks", "dollars", "credits")


def missing_batches(missing: Iterable[int]) -> Iterator[list[int]]:
    """The missing games in order, grouped by batch."""
    return (list(games) for _, games in groupby(missing, lambda game: game // BATCH))


def play_batch(plan: Plan, games: Sequence[int]) -> pl.DataFrame:
    """These games, all from one batch. The whole batch has to be played to get them."""
    batch = games[0] // BATCH
    results = play_games(
        plan.seats,
        BATCH,
        _options(plan),
        seed=stream(plan.seed, "block", batch) % SEEDS,  # renaming "block" would change the games
        most_decisions=plan.limit,
        board=plan.board,
        deck=plan.deck,
    )
    wanted = np.asarray(games) - batch * BATCH
    return _frame(plan, games, Results(*(column[wanted] for column in results)))


def _options(plan: Plan) -> Options:
    """The options, with the first player by number: the vector engine calls its players 0, 1 and so on."""
    seats = seat_names(plan)
    first = plan.options.first
    return replace(plan.options, first=str(seats.index(first))) if first in seats else plan.options


def _frame(plan: Plan, games: Sequence[int], results: Results) -> pl.DataFrame:
    options, rows = plan.options, len(games)
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
        **{name: getattr(results, name).tolist() for name in BY_SEAT},
    }
    empty: dict[str, list[list[object]]] = {name: [[]] * rows for name in GAMES if name not in values}
    return pl.DataFrame(values | empty, schema=GAMES)
