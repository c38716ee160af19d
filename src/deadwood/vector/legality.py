"""The legal actions of the active player, as a word with one bit per action number."""

from collections.abc import Sequence
from typing import NamedTuple

import jax.numpy as jnp

from ..encoding import (
    ACT_NUMBER,
    ACTIONS,
    END_NUMBER,
    FIRST_DOLLAR_UPGRADE,
    FIRST_MOVE,
    FIRST_TAKE,
    RANKS,
    REHEARSE_NUMBER,
    ROLES,
)
from ..engine.board import MOST_EXTRAS
from ..engine.deck import LOWEST_RANK, MOST_STARS
from .bits import look_up
from .state import NO_ROLE, Place, Player, State, place_at
from .table import FACE_DOWN, Area, Card, Extras
from .words import Array


class Here(NamedTuple):
    """The active player and their area."""

    player: Player
    place: Place
    card: Card  # zeros unless a card lies face up
    area: Area
    present: tuple[Array, ...]  # by seat, whether the player is there
    taken: Array  # one bit per role that is taken; the bit above them if somebody there has no role


def look_around(state: State) -> Here:
    """The active player's surroundings."""
    player = state.active_player
    place = place_at(state.sets, player.area)
    present = tuple(other.area == player.area for other in state.players)
    return Here(
        player,
        place,
        card=Card(look_up(state.table.cards, place.scene)),
        area=Area(look_up(state.table.areas, state.area_index(player.area))),
        present=present,
        taken=_roles_taken(state.players, present),
    )


def _roles_taken(players: Sequence[Player], present: Sequence[Array]) -> Array:
    taken: Array = jnp.uint32(0)
    for player, there in zip(players, present, strict=True):
        taken = taken | jnp.where(there, jnp.uint32(1) << player.role, 0)
    return taken


def legal_mask(state: State) -> Array:
    """Which action numbers are legal, as booleans along a new last axis."""
    return ((legal_bits(state)[..., None] >> jnp.arange(ACTIONS, dtype=jnp.uint32)) & 1) == 1


def legal_bits(state: State) -> Array:
    """The same as one word per game; 0 when the game is over (R9.3)."""
    here = look_around(state)
    working = here.player.role != NO_ROLE
    free = _moves(state, here) | _roles(state, here) | _upgrades(state, here.player) | jnp.uint32(1 << END_NUMBER)
    return jnp.where(state.over, 0, jnp.where(working, _work(here), free))


def _work(here: Here) -> Array:
    """R3.3, R6.7"""
    uncertain = 1 + here.player.chips < here.card.budget
    return jnp.where(uncertain, jnp.uint32(1 << ACT_NUMBER | 1 << REHEARSE_NUMBER), jnp.uint32(1 << ACT_NUMBER))


def _moves(state: State, here: Here) -> Array:
    """R4.1"""
    return jnp.where(state.game.moved, 0, here.area.neighbours << FIRST_MOVE)


def _roles(state: State, here: Here) -> Array:
    """R5.1 to R5.3"""
    rank = here.player.rank - LOWEST_RANK
    stars = (here.card.open_to >> (rank * MOST_STARS)) & ((1 << MOST_STARS) - 1)
    extras = Extras(look_up(state.table.extras, here.player.area)).open_to
    extras = (extras >> (rank * MOST_EXTRAS)) & ((1 << MOST_EXTRAS) - 1)
    free = (stars | extras << MOST_STARS) & ~here.taken
    return jnp.where(here.place.scene < FACE_DOWN, free << FIRST_TAKE, 0)


def _upgrades(state: State, player: Player) -> Array:
    """R8.1, R8.2, R8.4"""
    prices = state.table.prices
    affordable = jnp.zeros_like(player.bits)
    for step in range(RANKS):
        affordable |= jnp.where(player.dollars >= prices[0, step], jnp.uint32(1 << step), 0)
        affordable |= jnp.where(player.credits >= prices[1, step], jnp.uint32(1 << (RANKS + step)), 0)
    every = (1 << RANKS) - 1
    higher = (jnp.uint32(every) << (player.rank - LOWEST_RANK)) & every
    sold = affordable & (higher | higher << RANKS)
    return jnp.where(player.area == state.table.office, sold << FIRST_DOLLAR_UPGRADE, 0)


assert FIRST_TAKE + ROLES == ACT_NUMBER
