"""Scores, places and winners (RULES section 11), by seat along a new last axis."""

from typing import Any, TypeVar

import jax.numpy as jnp
import numpy as np

from ..engine.options import POINTS_PER_RANK
from .state import State
from .words import Array

EMPTY_SEAT = -1  # fewer points than any player has

T = TypeVar("T", Array, np.ndarray[Any, Any])


def scores(state: State) -> Array:
    """R11.1"""
    columns = [one.dollars + one.credits + POINTS_PER_RANK * one.rank for one in state.players]
    return jnp.stack(columns, -1).astype(jnp.int32)


def places(state: State) -> Array:
    """Everybody's place if the game ended now (R11.2), from 1; players who share a place have the same number."""
    seats, count = jnp.arange(len(state.players)), jnp.asarray(state.table.players, jnp.int32)
    points = jnp.where(seats < count, scores(state), EMPTY_SEAT)
    turn = (seats + count - state.game.first[..., None].astype(jnp.int32)) % count
    shared = jnp.asarray(state.table.ties_shared)[..., None, None]
    more = points[..., None, :] > points[..., :, None]
    later = (points[..., None, :] == points[..., :, None]) & (turn[..., None, :] > turn[..., :, None])
    ahead = more | (later & ~shared)
    return 1 + jnp.sum(ahead, -1, dtype=jnp.int32)


def win_shares(state: State) -> Array:
    """1 for the winner, or equal shares for joint winners (R11.2); all zeros before the end."""
    return jnp.where(state.over[..., None], shares_of(places(state)), 0)


def shares_of(final_places: T) -> T:
    """The win shares for these places, for numpy and JAX arrays."""
    first: Any = final_places == 1
    shares: T = first / first.sum(-1, keepdims=True)
    return shares
