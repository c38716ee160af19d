"""Who plays whom while a net learns lineups: every circle of bots has its own columns of games.

So only the nets of a circle are asked there. A new lineup is drawn whenever a new game starts: mostly of two bots,
each with a seat or more; sometimes of one bot alone; and where there are more than two, sometimes any mix of them.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from .. import vector
from ..bots.champion import RESTLESS
from ..encoding import AREAS, END_NUMBER, SEATS
from ..lab.lineup import BOTS, NOBODY
from ..neural.features import Features
from ..neural.net import Weights, net
from ..vector.chance import draw, words

Array = jax.Array
NETS = ("champion", "star", "regular")  # bots that nets play; the others have vector forms
CHAMPION = BOTS.index("champion")
_ALONE, _EVEN = 0.25, 0.625  # up to these shares of games: one bot alone; two with as many seats each as possible
_SHARES = ((("champion", "star"), 0.3), (("star", "regular"), 0.27), (("champion", "regular"), 0.25), (BOTS, 0.18))


class Players(NamedTuple):
    """The nets that play for bots, by name. They take what they like best, except in some of their decisions."""

    nets: dict[str, Weights]
    sampled: Any  # the share of decisions in which they draw an action instead, for variety


class Circle(NamedTuple):
    """Bots that play each other, by number, and how many columns of games they have."""

    bots: tuple[int, ...]
    columns: int


def circles(columns: int) -> list[Circle]:
    """All circles, which share the columns."""
    sizes = [max(1, round(share * columns)) for _, share in _SHARES[:-1]]
    sizes.append(columns - sum(sizes))
    return [
        Circle(tuple(map(BOTS.index, names)), size) for (names, _), size in zip(_SHARES, sizes, strict=True) if size > 0
    ]


# ------------------------------------------------------------------------------------------------ lineups


def new_lineups(chosen: Sequence[Circle], players: Array, key: Array) -> Array:
    """A lineup for every game, by table, column and seat; `players` is by table, `key` two words for every circle."""
    return jnp.concatenate([_drawn(circle, players[:, None], one) for circle, one in zip(chosen, key, strict=True)], 1)


def _drawn(circle: Circle, players: Array, key: Array) -> Array:
    shape = (players.shape[0], circle.columns)
    one, other, style, share, *orders = words(key, shape, 4 + SEATS)
    bots = jnp.uint32(len(circle.bots))
    first = draw(one, bots)
    second = (first + 1 + draw(other, bots - 1)) % bots
    is_second = _lowest(jnp.stack(orders, -1), players, _seats_of_second(style, share, players))
    number = jnp.where(is_second, second[..., None], first[..., None])
    if len(circle.bots) > 2:
        is_mixed = (style >> 1) & 1 == 1
        number = jnp.where(is_mixed[..., None], draw(jnp.stack(orders, -1), bots), number)
    found = jnp.asarray(circle.bots, jnp.uint8)[number]
    return jnp.where(jnp.arange(SEATS) < players[..., None], found, jnp.uint8(NOBODY))


def _seats_of_second(style: Array, share: Array, players: Array) -> Array:
    """How many seats the second of two bots gets."""
    drawn = style.astype(jnp.float32) / 2.0**32
    even = (players + (style & 1)) // 2
    uneven = 1 + draw(share, players - 1)
    return jnp.where(drawn < _ALONE, 0, jnp.where(drawn < _EVEN, even, uneven))


def _lowest(orders: Array, players: Array, count: Array) -> Array:
    """Whether a seat is among this many seats with the lowest numbers."""
    orders = jnp.where(jnp.arange(SEATS) < players[..., None], orders, jnp.uint32(2**32 - 1))
    ahead = (orders[..., None, :] < orders[..., :, None]).sum(-1)
    return ahead < count[..., None]


# ------------------------------------------------------------------------------------------------ actions


def actions(
    chosen: Sequence[Circle], by: Players, state: vector.State, seen: Features, lineup: Array, key: Array
) -> Array:
    """What the active players' bots do, by table and column."""
    found, first = [], 0
    for circle, one in zip(chosen, jax.random.split(key, len(chosen)), strict=True):
        end = first + circle.columns
        moment, part, seats = (_columns(tree, first, end) for tree in (state[1:], seen, lineup))
        found.append(_of_circle(circle, by, vector.State(state.table, *moment), part, seats, one))
        first = end
    return jnp.concatenate(found, 1)


def _columns(tree: Any, first: int, end: int) -> Any:
    return jax.tree.map(lambda values: values[:, first:end], tree)


def _of_circle(circle: Circle, by: Players, state: vector.State, seen: Features, lineup: Array, key: Array) -> Array:
    keys = jax.random.split(key, len(circle.bots) + 1)
    choices = {
        bot: _by_net(by.nets[BOTS[bot]], by.sampled, seen, one)
        if BOTS[bot] in NETS
        else _by_vector_bot(BOTS[bot], state, one)
        for bot, one in zip(circle.bots, keys[1:], strict=True)
    }
    if CHAMPION in choices:
        other = next(choice for bot, choice in choices.items() if bot != CHAMPION)
        choices[CHAMPION] = restless(state, choices[CHAMPION], other, keys[0])
    active = jnp.take_along_axis(lineup, state.game.active[..., None].astype(jnp.int32), -1)[..., 0]
    action = choices[circle.bots[0]]
    for bot, choice in choices.items():
        action = jnp.where(active == bot, choice, action)
    return action


def _by_net(weights: Weights, sampled: Any, seen: Features, key: Array) -> Array:
    return mostly_best(net(jnp, weights, seen).logits, sampled, key)


def mostly_best(logits: Array, sampled: Any, key: Array) -> Array:
    """The action that a net likes best, or in this share of decisions one that is drawn."""
    deciding, drawing = jax.random.split(key)
    is_drawn = jax.random.uniform(deciding, logits.shape[:-1]) < sampled
    return jnp.where(is_drawn, jax.random.categorical(drawing, logits), jnp.argmax(logits, -1)).astype(jnp.int32)


def _by_vector_bot(name: str, state: vector.State, key: Array) -> Array:
    def at(table: vector.Table, moment: Any, word: Array) -> Array:
        return vector.VECTOR_BOTS[name](vector.State(table, *moment), word)

    word = jax.random.bits(key, state.game.active.shape)
    return jax.vmap(at)(state.table, state[1:], word).astype(jnp.int32)


def restless(state: vector.State, own: Array, other: Array, key: Array) -> Array:
    """In the last scene the champion sometimes does not wait, so that no game goes on for ever.

    The bot `champion` plays like `star` then. In a circle it plays like the first other bot: that is `star`, or
    `regular` where `star` is missing. Elsewhere it plays like `hopeful`, and none of them waits.
    """
    is_last_scene = (state.wraps_left == 1) & (state.game.day == state.table.days[..., None])
    waits = (own < AREAS) | (own == END_NUMBER)
    is_restless = jax.random.uniform(key, own.shape) < RESTLESS
    return jnp.where(is_last_scene & waits & is_restless, other, own)
