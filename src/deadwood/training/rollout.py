"""Playing: a number of decisions in every game, with all that learning needs to know about them."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

from .. import vector
from ..neural.features import Features
from ..neural.net import Opinion, Weights, net
from ..vector.bits import pick
from .config import Settings
from .games import Games, Opening, begin, by_seat, decide, is_stranger, look

Array = jax.Array
_BOTS = ("hopeful", "hopeful", "extra", "random")  # by column: mostly the strongest, which plays most like people


class Casting(NamedTuple):
    """How many columns of games there are: self-play first, then those against each pool net, each rival, and bots."""

    own: int
    pool: int  # for each net
    pool_nets: int
    rival: int  # for each rival
    rivals: int
    bots: int

    @property
    def columns(self) -> int:
        """All columns."""
        return self.own + self.pool * self.pool_nets + self.rival * self.rivals + self.bots

    def groups(self) -> list[tuple[str, int, int]]:
        """Name, first column and end of every group with strangers."""
        groups, at = [], self.own
        sizes = [("pool", self.pool)] * self.pool_nets + [("rival", self.rival)] * self.rivals + [("bots", self.bots)]
        for name, size in sizes:
            groups.append((name, at, at + size))
            at += size
        return [group for group in groups if group[1] < group[2]]


def casting(settings: Settings, rivals: int) -> Casting:
    """The columns of a run."""
    columns = settings.columns
    pool = round(columns * settings.pool_share / settings.pool)
    rival = round(columns * settings.rivals_share / rivals) if rivals else 0
    bots = round(columns * settings.bots_share)
    return Casting(columns - pool * settings.pool - rival * rivals - bots, pool, settings.pool, rival, rivals, bots)


class Experience(NamedTuple):
    """Decisions, by time, table and column. Values by seat are those of the net when it decided."""

    seen: Features
    action: Array
    log_chance: Array
    active: Array
    wins: Array  # by seat, the chances to win
    scores: Array  # by seat, the expected final scores
    over: Array  # the game ended
    final_shares: Array  # by seat, if it did
    final_scores: Array
    by_learner: Array  # decided by the learner, not by a stranger


class FinishedGames(NamedTuple):
    """Finished games by column: how many, the learner's share of the wins, and its share of the seats."""

    games: Any
    won: Any
    fair: Any


class Rollout(NamedTuple):
    """What was played: the games now, all decisions, and what the net expects next."""

    games: Games
    experience: Experience
    last_wins: Array  # by seat, of the positions after the last decision
    last_scores: Array
    tally: FinishedGames


Play = Callable[[Weights, Weights, Sequence[Weights], vector.Table, Games, Array], Rollout]


def precision(settings: Settings) -> Any:
    """The type that the big layers compute in."""
    return jnp.bfloat16 if settings.half else jnp.float32


def cast(weights: Weights, settings: Settings) -> Weights:
    """Weights in the type that the big layers compute in."""
    return {name: values.astype(precision(settings)) for name, values in weights.items()}


def opening_of(settings: Settings, cast_list: Casting) -> Opening:
    """How the games of a run start."""
    return Opening(max(settings.players), settings.standard, jnp.arange(cast_list.columns) >= cast_list.own)


def new_games(settings: Settings, cast_list: Casting, tables: vector.Table, key: Array) -> Games:
    """Fresh games for all columns of all tables."""
    keys = jax.random.bits(key, (settings.tables, 2))
    return jax.vmap(lambda table, one: begin(table, one, opening_of(settings, cast_list)))(tables, keys)


def make_play(settings: Settings, rivals: int) -> Play:
    """The function that plays; it is pure, and compiled once."""
    cast_list = casting(settings, rivals)
    opening = opening_of(settings, cast_list)
    seen_at: Any = jax.vmap(lambda table, moment: look(table, moment, precision(settings)))
    decided: Any = jax.vmap(lambda table, games, action, key: decide(table, games, action, key, opening))

    def judged(weights: Weights, tables: vector.Table, games: Games) -> tuple[Features, Opinion, Array, Array, Array]:
        """What the net sees and thinks; who is active; and the two values by seat."""
        seen = seen_at(tables, games.moment)
        opinion = net(jnp, weights, seen)
        active = games.state(tables).game.active.astype(jnp.int32)
        players = jnp.broadcast_to(tables.players.astype(jnp.int32)[:, None], active.shape)
        wins = by_seat(jax.nn.softmax(opinion.wins), active, players)
        return seen, opinion, active, wins, by_seat(opinion.scores, active, players)

    def play(
        weights: Weights, pool: Weights, rival_nets: Sequence[Weights], tables: vector.Table, games: Games, key: Array
    ) -> Rollout:
        own, guests = cast(weights, settings), Guests(settings, cast_list, pool, rival_nets)

        def step(games: Games, one: Array) -> tuple[Games, tuple[Experience, FinishedGames]]:
            choosing, visiting, stepping = jax.random.split(one, 3)
            seen, opinion, active, wins, scores = judged(own, tables, games)
            stranger = is_stranger(games, games.state(tables))
            action = jax.random.categorical(choosing, opinion.logits)
            action = jnp.where(stranger, guests.actions(tables, games, seen, action, visiting), action)
            chances = jax.nn.log_softmax(opinion.logits)
            log_chance = jnp.take_along_axis(chances, action[..., None], -1)[..., 0]
            after, ending = decided(tables, games, action, jax.random.bits(stepping, (settings.tables, 4)))
            experience = Experience(
                seen=seen,
                action=action.astype(jnp.uint8),
                log_chance=log_chance,
                active=active.astype(jnp.uint8),
                wins=wins,
                scores=scores,
                over=ending.over,
                final_shares=ending.shares,
                final_scores=ending.scores.astype(jnp.float32),
                by_learner=~stranger,
            )
            return after, (experience, _tally(tables, games, ending.over, ending.shares))

        games, (experience, tallies) = lax.scan(step, games, jax.random.split(key, settings.decisions))
        _, _, _, last_wins, last_scores = judged(own, tables, games)
        return Rollout(games, experience, last_wins, last_scores, FinishedGames(*(one.sum(0) for one in tallies)))

    return play


def _tally(tables: vector.Table, games: Games, over: Array, shares: Array) -> FinishedGames:
    players = tables.players[:, None]
    seats = jnp.arange(shares.shape[-1], dtype=jnp.uint32)
    learner = ((games.strangers[..., None] >> seats) & 1 == 0) & (seats < players[..., None])
    won = jnp.sum(jnp.where(learner, shares, 0), -1)
    fair = jnp.sum(learner, -1) / players
    return FinishedGames(*(jnp.sum(jnp.where(over, one, 0), 0) for one in (jnp.ones_like(won), won, fair)))


class Guests:
    """The players of the strangers' seats: earlier nets, rivals, and vector bots, each in its own columns."""

    def __init__(self, settings: Settings, cast_list: Casting, pool: Weights, rivals: Sequence[Weights]) -> None:
        self._cast = cast_list
        self._pool, self._rivals = cast(pool, settings), [cast(rival, settings) for rival in rivals]

    def actions(self, tables: vector.Table, games: Games, seen: Features, own: Array, key: Array) -> Array:
        """What the strangers would do, in the columns that have some; `own` elsewhere."""
        cast_list = self._cast
        keys = iter(jax.random.split(key, 2 + cast_list.rivals))
        parts, at = [own[:, : cast_list.own]], cast_list.own
        if cast_list.pool:
            end = at + cast_list.pool * cast_list.pool_nets
            parts.append(self._of_pool(_columns(seen, at, end), next(keys)))
            at = end
        for rival in self._rivals if cast_list.rival else ():
            logits = net(jnp, rival, _columns(seen, at, at + cast_list.rival)).logits
            parts.append(jax.random.categorical(next(keys), logits))
            at += cast_list.rival
        if cast_list.bots:
            parts.append(_bot_actions(tables, _columns(games.moment, at, at + cast_list.bots), next(keys)))
        return jnp.concatenate([part.astype(own.dtype) for part in parts], 1)

    def _of_pool(self, seen: Features, key: Array) -> Array:
        return side_by_side(jax.random.categorical(key, logits_of_several(self._pool, seen)))


def logits_of_several(nets: Weights, seen: Features) -> Array:
    """By net, table and column, for nets along a first axis that share the columns evenly."""
    count = next(iter(nets.values())).shape[0]

    def by_net(values: Array) -> Array:
        return jnp.moveaxis(values.reshape(values.shape[0], count, -1, *values.shape[2:]), 1, 0)

    logits: Array = jax.vmap(lambda weights, part: net(jnp, weights, part).logits)(nets, jax.tree.map(by_net, seen))
    return logits


def side_by_side(values: Array) -> Array:
    """Values by net, table and column, as values by table and column."""
    return jnp.moveaxis(values, 0, 1).reshape(values.shape[1], -1, *values.shape[3:])


def _columns(tree: Any, first: int, end: int) -> Any:
    return jax.tree.map(lambda values: values[:, first:end], tree)


def _bot_actions(tables: vector.Table, moment: Any, key: Array) -> Array:
    """What the vector bots do; the column says which bot."""

    def at(table: vector.Table, one: Any, word: Array) -> Array:
        state = vector.State(table, *one)
        choices = [vector.VECTOR_BOTS[bot](state, word) for bot in _BOTS]
        return pick(choices, jnp.arange(word.shape[-1]) % len(_BOTS))

    size = jax.tree.leaves(moment)[0].shape
    return jax.vmap(at)(tables, moment, jax.random.bits(key, size))
