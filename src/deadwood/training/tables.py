"""Vector tables for the kinds of table that are mixed."""

from functools import cache

import jax
import numpy as np

from .. import vector
from ..engine.board import built_in_board
from ..engine.layout import RANDOM_PLACEMENTS, neighbours, parse_layout, random_layout
from .kinds import Kind


def stacked(chosen: list[Kind]) -> vector.Table:
    """The vector tables of these kinds, along a new first axis."""
    tables: vector.Table = jax.tree.map(lambda *rows: np.stack(rows), *(vector.make_table(*kind) for kind in chosen))
    return tables


@cache
def standard_layout() -> int:
    """The number of the standard layout among the random ones (R10.2, R10.3)."""
    board = built_in_board()
    wanted = neighbours(parse_layout("standard", board), board)
    numbers = range(RANDOM_PLACEMENTS)
    return next(number for number in numbers if neighbours(random_layout(number, board), board) == wanted)
