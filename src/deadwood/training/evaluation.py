"""Evaluation: whole games of one net against the others at its table."""

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from .. import vector
from ..neural.net import Weights, net
from ..vector.bits import pick
from .config import Settings
from .games import Opening, at_active, begin, look
from .kinds import Kind
from .rollout import cast, precision
from .tables import stacked

Array = jax.Array
NETS = "nets"
OPPONENTS = (NETS, "random", "extra", "hopeful")
MOST_DECISIONS = 6_000  # a game that takes longer counts as lost


class Result(NamedTuple):
    """A net's share of the wins at one kind of table, over all seats."""

    kind: Kind
    games: int
    share: float

    @property
    def strength(self) -> float:
        """The share divided by a fair one: 1 is as good as the others, `players` means to win every game."""
        return self.share * self.kind.players


Match = Callable[[Weights, Weights, str, int], list[Result]]


def make_match(settings: Settings, kinds: list[Kind], columns: int, standard: float) -> Match:
    """A function that plays a net against others at these tables: `match(net, other net, opponent, seed)`.

    The opponent `nets` is the other net; any other is a vector bot. One compiled program plays them all.
    """
    tables = stacked(kinds)
    opening = Opening(max(kind.players for kind in kinds), standard, jnp.zeros(columns, jnp.bool_))
    own_seat = np.arange(columns)[None] % tables.players[:, None]

    @jax.jit
    def whole(weights: Weights, other: Weights, opponent: Array, key: Array, tables: vector.Table) -> Array:
        return _play_out(settings, (weights, other), opponent, key, tables, opening, jnp.asarray(own_seat, jnp.int32))

    def match(weights: Weights, other: Weights, opponent: str, seed: int) -> list[Result]:
        number = jnp.int32(OPPONENTS.index(opponent))
        shares = np.asarray(whole(weights, other, number, jax.random.key(seed), tables))
        return [Result(kind, columns, float(row.mean())) for kind, row in zip(kinds, shares, strict=True)]

    return match


def _play_out(
    settings: Settings,
    nets: tuple[Weights, Weights],
    opponent: Array,
    key: Array,
    tables: vector.Table,
    opening: Opening,
    own_seat: Array,
) -> Array:
    """The win share of the own seat in every game; 0 where the game did not end."""
    own, other = (cast(weights, settings) for weights in nets)
    beginning, playing = jax.random.split(key)
    keys = jax.random.bits(beginning, (own_seat.shape[0], 2))
    begun = jax.vmap(lambda table, one: begin(table, one, opening))(tables, keys)
    stepped: Any = jax.vmap(
        lambda table, moment, action, one: vector.step(vector.State(table, *moment), action, one)[1:]
    )

    def decide(carry: tuple[Any, Array]) -> tuple[Any, Array]:
        moment, number = carry
        choosing, stepping = jax.random.split(jax.random.fold_in(playing, number))
        seen = jax.vmap(lambda table, one: look(table, one, precision(settings)))(tables, moment)
        mine = jnp.argmax(net(jnp, own, seen).logits, -1)
        theirs = _others(tables, moment, net(jnp, other, seen).logits, opponent, choosing)
        active = vector.State(tables, *moment).game.active
        action = jnp.where(active == own_seat, mine, theirs)
        return stepped(tables, moment, action, jax.random.bits(stepping, (own_seat.shape[0], 2))), number + 1

    def goes_on(carry: tuple[Any, Array]) -> Array:
        moment, number = carry
        return ~vector.State(tables, *moment).over.all() & (number < MOST_DECISIONS)

    moment, _ = lax.while_loop(goes_on, decide, (begun.moment, jnp.int32(0)))
    shares = jax.vmap(lambda table, one: vector.win_shares(vector.State(table, *one)))(tables, moment)
    return at_active(shares, own_seat)


def _others(tables: vector.Table, moment: Any, logits: Array, opponent: Array, key: Array) -> Array:
    """What the others do: the other net, or the vector bot with this number."""
    by_net, by_bot = jax.random.split(key)
    word = jax.random.bits(by_bot, logits.shape[:-1])

    def bots(table: vector.Table, one: Any, word: Array) -> list[Array]:
        state = vector.State(table, *one)
        return [vector.VECTOR_BOTS[name](state, word).astype(jnp.int32) for name in OPPONENTS[1:]]

    chosen = jax.random.categorical(by_net, logits).astype(jnp.int32)
    return pick([chosen, *jax.vmap(bots)(tables, moment, word)], opponent)


def mean_strength(results: list[Result]) -> float:
    """The mean over all tables."""
    return sum(result.strength for result in results) / len(results)


def mean_share(results: list[Result], players: int) -> float:
    """The mean share at tables with this many players."""
    shares = [result.share for result in results if result.kind.players == players]
    return sum(shares) / len(shares) if shares else float("nan")
