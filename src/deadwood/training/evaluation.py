"""Evaluation: whole games of one net against other nets and vector bots. All nets play by the same rule."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from .. import vector
from ..neural.net import Weights, net
from ..vector.bits import pick
from .circles import mostly_best, restless
from .config import Settings
from .curve import Strength
from .games import Opening, at_active, begin, look
from .kinds import Kind
from .rollout import cast, logits_of_several, precision, side_by_side
from .tables import stacked

Array = jax.Array
BOTS = ("random", "extra", "hopeful")
MOST_DECISIONS = 6_000  # a game that takes longer counts as lost
SAMPLED = 0.03  # share of the nets' decisions that are drawn; in all others they do what they like best


class Seating(NamedTuple):
    """Whom a net meets: by column the number of a vector bot, from 1, or 0 for a net; by table and column its seat."""

    bots: Any
    seats: Any


class Match:
    """Plays nets against others at these tables. One compiled program plays all games."""

    def __init__(self, settings: Settings, kinds: Sequence[Kind], games: int, standard: float) -> None:
        self._each = max(-(-games // settings.pool), 2 * len(BOTS))  # columns of every net of the pool
        self._nets = settings.pool
        self._tables = stacked(list(kinds))
        self._settings = settings
        self._opening = Opening(max(kind.players for kind in kinds), standard, jnp.zeros(self._columns, jnp.bool_))
        self._whole: Any = jax.jit(self._play_out)

    @property
    def _columns(self) -> int:
        return self._nets * self._each

    def of_nets(self, weights: Weights, other: Weights, seed: int) -> Strength:
        """How strong a net is compared with another one."""
        several = {name: jnp.stack([values] * self._nets) for name, values in other.items()}
        shares = self._shares(weights, several, np.zeros(self._columns, int), seed)
        return self._strength(shares)

    def of_others(self, weights: Weights, pool: Weights, seed: int) -> dict[str, Strength]:
        """How strong a net is compared with every net of the pool and every vector bot, with fewer games each."""
        bots = self._mixed()
        shares = self._shares(weights, pool, bots, seed)
        slot = np.arange(self._columns) // self._each
        groups = {f"pool {number + 1}": (slot == number) & (bots == 0) for number in range(self._nets)}
        groups |= {name: bots == number for number, name in enumerate(BOTS, 1)}
        return {name: self._strength(shares[:, chosen]) for name, chosen in groups.items()}

    def _mixed(self) -> Any:
        """In half of the columns of every pool net, rounded up, it plays itself; the bots share the others."""
        is_bots = np.arange(self._columns) % self._each >= -(-self._each // 2)
        bots = np.zeros(self._columns, int)
        bots[is_bots] = 1 + np.arange(is_bots.sum()) * len(BOTS) // max(1, is_bots.sum())
        return bots

    def _shares(self, weights: Weights, others: Weights, bots: Any, seed: int) -> Any:
        """The net's share of the win, by table and column."""
        seating = self._seating(bots)
        others = {name: jnp.asarray(values, jnp.float32) for name, values in others.items()}  # the pool keeps float16
        return np.asarray(self._whole(weights, others, seating, jax.random.key(seed), self._tables))

    def _seating(self, bots: Any) -> Seating:
        """With these bots, the net meets each opponent from every seat equally often."""
        slot = np.where(bots == 0, np.arange(self._columns) // self._each, self._nets + bots)
        place = (np.cumsum(slot[:, None] == slot, 0) - 1).diagonal()  # among the columns of the same opponent
        return Seating(jnp.asarray(bots, jnp.int32), jnp.asarray(place % self._tables.players[:, None], jnp.int32))

    def _strength(self, shares: Any) -> Strength:
        """The mean over all tables, and its standard error: all games are independent."""
        strengths = shares * self._tables.players[:, None]
        games = strengths.shape[1]
        errors = np.square(strengths - strengths.mean(1, keepdims=True)).sum(1) / max(1, games - 1) / games
        return Strength(round(float(strengths.mean()), 4), round(float(np.sqrt(errors.sum()) / len(errors)), 4))

    def _play_out(self, weights: Weights, others: Weights, seating: Seating, key: Array, tables: vector.Table) -> Array:
        """The win share of the own seat in every game; 0 where the game did not end."""
        own, other = (cast(one, self._settings) for one in (weights, others))
        beginning, playing = jax.random.split(key)
        keys = jax.random.bits(beginning, (seating.seats.shape[0], 2))
        begun = jax.vmap(lambda table, one: begin(table, one, self._opening))(tables, keys)
        seen_at: Any = jax.vmap(lambda table, one: look(table, one, precision(self._settings)))
        stepped: Any = jax.vmap(
            lambda table, moment, action, one: vector.step(vector.State(table, *moment), action, one)[1:]
        )

        def decide(carry: tuple[Any, Array]) -> tuple[Any, Array]:
            moment, number = carry
            choosing, stepping = jax.random.split(jax.random.fold_in(playing, number))
            seen, state = seen_at(tables, moment), vector.State(tables, *moment)
            is_own = state.game.active == seating.seats
            theirs = side_by_side(logits_of_several(other, seen))
            logits = jnp.where(is_own[..., None], net(jnp, own, seen).logits, theirs)
            action = _action(state, logits, jnp.where(is_own, 0, seating.bots), choosing)
            return stepped(tables, moment, action, jax.random.bits(stepping, (is_own.shape[0], 2))), number + 1

        def goes_on(carry: tuple[Any, Array]) -> Array:
            moment, number = carry
            return ~vector.State(tables, *moment).over.all() & (number < MOST_DECISIONS)

        moment, _ = lax.while_loop(goes_on, decide, (begun.moment, jnp.int32(0)))
        shares = jax.vmap(lambda table, one: vector.win_shares(vector.State(table, *one)))(tables, moment)
        return at_active(shares, seating.seats)


def _action(state: vector.State, logits: Array, bot: Array, key: Array) -> Array:
    """What the active player does: a net with these logits, or the vector bot with this number, from 1."""
    drawing, waiting, by_bot = jax.random.split(key, 3)

    def choices(table: vector.Table, one: Any, word: Array) -> list[Array]:
        return [vector.VECTOR_BOTS[name](vector.State(table, *one), word).astype(jnp.int32) for name in BOTS]

    bots = jax.vmap(choices)(state.table, state[1:], jax.random.bits(by_bot, bot.shape))
    by_net = restless(state, mostly_best(logits, SAMPLED, drawing), bots[BOTS.index("hopeful")], waiting)
    return pick([by_net, *bots], bot)
