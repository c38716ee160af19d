"""Lineups: which bot sits in which seat, for a net that knows it. Every seat's row gets a one-hot of its bot.

A net that knows the lineup judges how the bots at a table play against each other, and not how equals would.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..encoding import SEATS
from ..neural.features import ALIGNED, Array, Features, Sizes, sizes
from ..neural.net import Weights, layer_sizes, untrained
from ..neural.shape import Shape

BOTS = ("champion", "star", "regular", "hopeful", "extra", "random")  # that the net knows, the strongest first
NOBODY = len(BOTS)  # in the seats that stay empty
SHAPE = Shape(256, 96, 2)
_COLUMNS = -(-len(BOTS) // ALIGNED) * ALIGNED


def lineup_sizes() -> Sizes:
    """How many numbers the rows have if the seats' rows say who sits there."""
    seen = sizes()
    return seen._replace(seat=seen.seat + _COLUMNS)


def lineup_layers(shape: Shape) -> dict[str, tuple[int, int]]:
    """Inputs and outputs of every layer. There is no policy and no score."""
    whole = layer_sizes(shape, lineup_sizes())
    rows = shape.row_width
    layers = {name: size for name, size in whole.items() if name not in ("move", "move_out", "action_out")}
    return layers | {"context": (shape.width, rows), "future_out": (rows, 1)}


def new_lineup_weights(seed: int, shape: Shape = SHAPE) -> Weights:
    """An untrained net that knows the lineup."""
    return untrained(seed, lineup_layers(shape))


def numbered(bots: Sequence[int]) -> Array:
    """A lineup, as numbers of BOTS by seat, with the seats that stay empty."""
    return np.array([*bots, *[NOBODY] * (SEATS - len(bots))], np.uint8)


def with_lineup(xp: Any, seen: Features, lineup: Array) -> Features:
    """The same features, with a lineup in the rows of the seats; it is counted from the active player, as they are."""
    is_bot = (lineup[..., None] == np.arange(_COLUMNS)) & (lineup[..., None] < NOBODY)
    return seen._replace(seats=xp.concatenate([seen.seats, is_bot.astype(seen.seats.dtype)], -1))
