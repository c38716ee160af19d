"""The observations of `deadwood.encoding`, with the same numbers, for many games at once."""

import jax.numpy as jnp
import numpy as np

from ..encoding import AREAS, BLOCKS, DTYPE, MOST_CARDS, NOBODY_ACTIVE, ROLES, SEATS, TURNED_UP
from ..engine.deck import BUDGETS, MOST_STARS
from .bits import look_up, pick
from .rules import unseen_count
from .state import NO_ROLE, Player, State, fixed_place
from .table import FACE_DOWN, NO_SCENE
from .words import WORD_BITS, Array

Rows = dict[str, Array]  # by column


def observe(state: State, seat: Array | None = None) -> Array:
    """Everything that is visible from one seat of every game, by default the active player's.

    After the end nobody is active, and the default is the first player's seat.
    """
    if seat is None:
        seat = jnp.where(state.over, state.game.first, state.game.active)
    seat = jnp.broadcast_to(jnp.asarray(seat, jnp.uint32), state.shape)
    fixed = jnp.broadcast_to(state.table.fixed, (*state.shape, *state.table.fixed.shape))
    parts = {name: fixed[..., block.slice].reshape(*state.shape, *block.shape) for name, block in BLOCKS.items()}
    players = _rotated(state, seat)
    unseen = _unseen(state)
    parts["game"] = _filled("game", parts["game"], _game(state, seat))
    parts["players"] = _players(state, players, seat)
    parts["areas"] = _filled("areas", parts["areas"], _areas(state, players))
    parts["unseen"] = unseen[..., None, :]
    parts["unseen_budgets"] = _budgets(state, unseen)
    parts["distances"] = look_up(state.table.distances, state.game.layout)
    return jnp.concatenate([part.reshape(*state.shape, -1) for part in parts.values()], -1)


def _filled(name: str, part: Array, columns: Rows) -> Array:
    """A block with other values in some columns."""
    for column, values in columns.items():
        part = part.at[..., BLOCKS[name].column(column)].set(values.astype(DTYPE))
    return part


def _rotated(state: State, seat: Array) -> list[Player]:
    """The players in turn order, starting with the observer; past the last player, anybody."""
    words = [player.bits for player in state.players]
    return [Player(pick(words, _wrapped(seat + turn, state))) for turn in range(len(words))]


def _wrapped(seat: Array, state: State) -> Array:
    """A number below twice the number of players, reduced to a seat."""
    count = state.table.players
    return jnp.where(seat >= count, seat - count, seat)


def _game(state: State, seat: Array) -> Rows:
    game = state.game
    active = _wrapped(game.active + state.table.players - seat, state)
    columns = {
        "active": jnp.where(state.over, NOBODY_ACTIVE, active),
        "moved": game.moved,
        "day": game.day,
        "scenes_left": game.scenes_left,
        "unseen_cards": unseen_count(state),
    }
    return {name: values[..., None] for name, values in columns.items()}


def _players(state: State, players: list[Player], seat: Array) -> Array:
    count = state.table.players
    rows = []
    for place, one in enumerate(players):
        turn = _wrapped(_wrapped(seat + place, state) + count - state.game.first, state)
        role = jnp.where(one.role == NO_ROLE, 0, one.role + 1)
        columns = (jnp.ones_like(seat), turn, one.area, one.rank, one.dollars, one.credits, role, one.chips)
        rows.append(jnp.where(place < count, jnp.stack(columns, -1), 0))
    rows += [jnp.zeros_like(rows[0])] * (SEATS - len(players))
    return jnp.stack(rows, -2).astype(DTYPE)


def _areas(state: State, players: list[Player]) -> Rows:
    scene, shots = _places(state)
    turned = scene < FACE_DOWN
    cards = look_up(state.table.card_rows, scene)
    distances = look_up(state.table.distances, state.game.layout)
    away = jnp.take_along_axis(distances, players[0].area[..., None, None].astype(jnp.int32), -2)[..., 0, :]
    columns = {
        "scene": jnp.where(turned, TURNED_UP, NO_SCENE - scene),
        "card": jnp.where(turned, scene + 1, 0),
        "budget": cards[..., 0],
        "shots": shots,
        "distance": away,
    }
    columns |= {f"star_{number}_rank": cards[..., number] for number in range(1, MOST_STARS + 1)}
    holders = _holders(players, state.table.players)
    names = list(BLOCKS["areas"].columns)[-ROLES:]
    return columns | {name: holders[..., role] for role, name in enumerate(names)}


def _places(state: State) -> tuple[Array, Array]:
    """Scene and shots of every area, along a new last axis."""
    places = [fixed_place(state, area) for area in range(AREAS)]
    return jnp.stack([place.scene for place in places], -1), jnp.stack([place.shots for place in places], -1)


def _holders(players: list[Player], count: Array) -> Array:
    """For every area and role, who is on it: 1 for the observer, 2 for the next player, and so on; 0 for nobody."""
    areas, roles = np.arange(AREAS)[:, None], np.arange(ROLES)[None, :]
    holders = jnp.zeros((*players[0].bits.shape, AREAS, ROLES), DTYPE)
    for place, one in enumerate(players, 1):
        there = (one.area[..., None, None] == areas) & (one.role[..., None, None] == roles) & (place <= count)
        holders = jnp.where(there, DTYPE(place), holders)
    return holders


def _unseen(state: State) -> Array:
    """1 for every card never turned, else 0."""
    bits = np.arange(WORD_BITS, dtype=np.uint32)
    flags = [(word[..., None] >> bits) & 1 for word in state.unseen]
    return jnp.concatenate(flags, -1)[..., :MOST_CARDS].astype(DTYPE)


def _budgets(state: State, unseen: Array) -> Array:
    budgets = jnp.asarray(state.table.card_rows)[:MOST_CARDS, 0]
    columns = [jnp.sum(jnp.where(budgets == budget, unseen, 0), -1, dtype=DTYPE) for budget in BUDGETS]
    return jnp.stack(columns, -1)[..., None, :]
