"""Games in training: a vector state for every kind of table, and who plays which seat."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from .. import vector
from ..encoding import SEATS
from ..neural.features import Features, features
from ..vector.chance import chance_from, draw, words
from ..vector.rules import CHANCE_WORDS, apply, unseen_count
from ..vector.setup import start_from
from .tables import standard_layout

Array = jax.Array
Tableless = Any  # a vector State without its table
HALF_WORD = 1 << 31
NEW_GAME_WORDS = 5


class Games(NamedTuple):
    """Games by table and column. A game's strangers are a word with one bit per seat that the learner does not play."""

    moment: Tableless
    strangers: Array

    def state(self, tables: vector.Table) -> vector.State:
        """The vector state; its functions work on it under `jax.vmap`."""
        return vector.State(tables, *self.moment)


class Opening(NamedTuple):
    """How new games start: the most players, how often the standard layout, and which columns have strangers."""

    room: int
    standard: float
    with_strangers: Array


def begin(table: vector.Table, key: Array, opening: Opening) -> Games:
    """New games at one table, one for every column; `key` is two words."""
    first, layout, which, seats, mixed = words(key, opening.with_strangers.shape, NEW_GAME_WORDS)
    state = start_from(first, [layout], table, opening.room)
    is_standard = which < jnp.uint32(min(int(opening.standard * 2**32), 2**32 - 1))
    game = state.game.replace(layout=jnp.where(is_standard, jnp.uint32(standard_layout()), state.game.layout))
    strangers = jnp.where(opening.with_strangers, _strangers(seats, mixed, table.players), 0)
    return Games(state._replace(game=game)[1:], strangers)


def _strangers(seats: Array, mixed: Array, players: Array) -> Array:
    """Half the time the learner has one seat, otherwise any number; there is always a stranger next to it."""
    everybody = (jnp.uint32(1) << players) - 1
    own = draw(seats, players)
    following = jnp.where(own == players - 1, 0, own + 1)
    one, next_one = jnp.uint32(1) << own, jnp.uint32(1) << following
    some = (mixed & everybody & ~one) | next_one
    return jnp.where(mixed >= jnp.uint32(HALF_WORD), everybody & ~one, some)


def is_stranger(games: Games, state: vector.State) -> Array:
    """Whether the active player is a stranger."""
    return (games.strangers >> state.game.active) & 1 == 1


def look(table: vector.Table, moment: Tableless, dtype: Any) -> Features:
    """What the net sees at one table."""
    state = vector.State(table, *moment)
    return features(jnp, vector.observe(state), vector.legal_mask(state), dtype)


class Ending(NamedTuple):
    """What a decision led to."""

    over: Array
    shares: Array  # by seat, of the win; zeros while the game goes on
    scores: Array  # by seat


def decide(table: vector.Table, games: Games, action: Array, key: Array, opening: Opening) -> tuple[Games, Ending]:
    """One decision in every game of a table; a new game starts where one ends. `key` is four words."""
    state = games.state(table)
    chance = chance_from(words(key[:2], state.shape, CHANCE_WORDS), unseen_count(state))
    after = apply(state, action, chance)
    ending = Ending(after.over, for_all_seats(vector.win_shares(after)), for_all_seats(vector.scores(after)))
    fresh = begin(table, key[2:], opening)
    moment = vector.renew(after, fresh.state(table))[1:]
    return Games(moment, jnp.where(after.over, fresh.strangers, games.strangers)), ending


def for_all_seats(values: Array) -> Array:
    """Values by seat, with zeros for the seats that no table of the run has."""
    return jnp.pad(values, [(0, 0)] * (values.ndim - 1) + [(0, SEATS - values.shape[-1])])


def by_seat(values: Array, active: Array, players: Array) -> Array:
    """Values counted from the active player, as values by seat."""
    seats = jnp.arange(SEATS)
    return _rotated(values, (seats - active[..., None]) % players[..., None], players)


def from_active(values: Array, active: Array, players: Array) -> Array:
    """Values by seat, counted from the active player."""
    seats = jnp.arange(SEATS)
    return _rotated(values, (seats + active[..., None]) % players[..., None], players)


def _rotated(values: Array, index: Array, players: Array) -> Array:
    rotated = jnp.take_along_axis(values, index, -1)
    return jnp.where(jnp.arange(SEATS) < players[..., None], rotated, 0)


def at_active(values: Array, active: Array) -> Array:
    """The active player's value, from values by seat."""
    return jnp.take_along_axis(values, active[..., None], -1)[..., 0]
