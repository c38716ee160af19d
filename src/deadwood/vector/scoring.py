"""Scores, places and winners (RULES section 11), by seat along a new last axis."""

import jax.numpy as jnp

from ..engine.options import POINTS_PER_RANK
from .state import State
from .words import Array


def scores(state: State) -> Array:
    """R11.1"""
    columns = [one.dollars + one.credits + POINTS_PER_RANK * one.rank for one in state.players]
    return jnp.stack(columns, -1).astype(jnp.int32)


def places(state: State) -> Array:
    """Everybody's place if the game ended now (R11.2): 1 and on; those who share one have the same."""
    points = scores(state)
    count = len(state.players)
    turn = (jnp.arange(count) + count - state.game.first[..., None].astype(jnp.int32)) % count
    shared = jnp.asarray(state.table.ties_shared)[..., None, None]
    more = points[..., None, :] > points[..., :, None]
    later = (points[..., None, :] == points[..., :, None]) & (turn[..., None, :] > turn[..., :, None])
    ahead = more | (later & ~shared)
    return 1 + jnp.sum(ahead, -1, dtype=jnp.int32)


def win_shares(state: State) -> Array:
    """1 for the winner, an equal part for each of those who share the first place, 0 for the others."""
    first = (places(state) == 1).astype(jnp.float32)
    return first / jnp.sum(first, -1, keepdims=True)
