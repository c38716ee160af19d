"""Playing many games: endless play to measure speed, and whole games between vector bots with their results."""

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
from jax import lax

from ..engine.board import Board
from ..engine.chance import FACES
from ..engine.deck import Deck
from ..engine.options import DAYS, Options
from ..engine.refusal import DeadwoodError
from .bits import pick
from .bots import VECTOR_BOTS, VectorBot, random_bot
from .chance import chance_from, rest, words
from .rules import CHANCE_WORDS, apply, unseen_count
from .scoring import places, scores, shares_of
from .setup import layout_words, make_table, start, start_from
from .state import Game, Player, State, choose, renew
from .table import Table
from .words import Array

NDArray = npt.NDArray[Any]
Tableless = tuple[tuple[Player, ...], tuple[Array, ...], tuple[Array, ...], Game]  # a State without its table
MOST_AT_ONCE = 1 << 16  # games in a batch


class VectorError(DeadwoodError):
    """Something that the vector engine cannot do."""


@partial(jax.jit, static_argnames=("decisions", "bot"))
def play_on(state: State, key: Array, decisions: int, bot: VectorBot = random_bot) -> tuple[State, Array]:
    """Play `decisions` decisions in every game; a new game starts when one ends. Also returns how many ended.

    If somebody earns more dollars than can be counted, the games that follow stay marked (`state.game.saturated`).
    """
    table, players = state.table, len(state.players)

    def decide(carry: tuple[Tableless, Array], step_key: Array) -> tuple[tuple[Tableless, Array], None]:
        moment, ended = carry
        after, word, others = _decide(State(table, *moment), step_key, bot, layout_words(table))
        fresh = start_from(rest(word, FACES), others, table, players)
        return (renew(after, fresh)[1:], ended + after.over), None

    keys = jax.random.bits(key, (decisions, 2))
    (moment, ended), _ = lax.scan(decide, (state[1:], jnp.zeros(state.shape, jnp.uint32)), keys)
    return State(table, *moment), ended


def _decide(state: State, key: Array, bot: VectorBot, more: int = 0) -> tuple[State, Array, list[Array]]:
    """One decision in every game; no game may be over.

    Also returns the word that an act's die came from, and `more` unused random words.
    """
    choice, *others = words(key, state.shape, 1 + CHANCE_WORDS + more)
    three, unused = others[:CHANCE_WORDS], others[CHANCE_WORDS:]
    after = apply(state, bot(state, choice), chance_from(three, unseen_count(state)))
    return after, three[0], unused


class Results(NamedTuple):
    """How whole games ended, one row per game; the second axis, if any, is the seat or the day."""

    first: NDArray  # the first player's seat
    won: NDArray  # 1 for the winner, or equal shares; all zeros if the game was cut off
    places: NDArray
    scores: NDArray
    dollars: NDArray
    credits: NDArray
    ranks: NDArray
    decisions: NDArray  # by all players together
    day_decisions: NDArray  # the same by day; 0 for days that were not played
    cut_off: NDArray  # the game was not over after `most_decisions`


def play_games(
    bots: Sequence[str],
    games: int,
    options: Options | None = None,
    seed: int = 0,
    *,
    most_decisions: int = 20_000,
    board: Board | None = None,
    deck: Deck | None = None,
) -> Results:
    """Play whole games between vector bots, one for every seat; the same seed gives the same games.

    Raises a VectorError if a bot has no vector form, or if somebody earns more dollars than can be counted.
    """
    if games < 1:
        raise VectorError(f"{games} games cannot be played; ask for one or more")
    unknown = sorted(set(bots) - set(VECTOR_BOTS))
    if unknown:
        raise VectorError(f"no vector form of {', '.join(unknown)}; choose from: {', '.join(VECTOR_BOTS)}")
    table = make_table(len(bots), options or Options(), board=board, deck=deck)
    batches = -(-games // MOST_AT_ONCE)
    size = -(-games // batches)  # all the same size, so that one compiled program plays them
    keys = jax.random.split(jax.random.key(seed), batches)
    played = [_play_batch(key, tuple(bots), table, size, jnp.uint32(most_decisions)) for key in keys]
    return Results(*(np.concatenate(columns)[:games] for columns in zip(*played, strict=True)))


def _play_batch(key: Array, bots: tuple[str, ...], table: Table, size: int, most_decisions: Array) -> Results:
    state, day_decisions = _play_out(key, bots, table, size, most_decisions)
    if bool(state.game.saturated.any()):
        raise VectorError("somebody earned more dollars than can be counted")
    return _results(state, day_decisions)


@partial(jax.jit, static_argnames=("bots", "size"))
def _play_out(key: Array, bots: tuple[str, ...], table: Table, size: int, most_decisions: Array) -> tuple[State, Array]:
    """Play games to the end; also returns how many decisions each day took."""
    beginning, playing = jax.random.split(key)
    begun, bot = start(beginning, table, (size,), len(bots)), _seated(bots)

    def decide(carry: tuple[Tableless, Array, Array]) -> tuple[Tableless, Array, Array]:
        moment, counts, number = carry
        games = State(table, *moment)
        after, *_ = _decide(games, jax.random.bits(jax.random.fold_in(playing, number), (2,)), bot)
        counts = counts + (~games.over & (games.game.day == jnp.array(DAYS)[:, None]))
        return choose(games.over, games, after)[1:], counts, number + 1

    def goes_on(carry: tuple[Tableless, Array, Array]) -> Array:
        moment, _, number = carry
        return ~State(table, *moment).over.all() & (number < most_decisions)

    moment, counts, _ = lax.while_loop(
        goes_on, decide, (begun[1:], jnp.zeros((len(DAYS), size), jnp.int32), jnp.uint32(0))
    )
    return State(table, *moment), counts.T


def _seated(bots: Sequence[str]) -> VectorBot:
    """One bot that decides for every seat like the bot in that seat."""
    kinds = sorted(set(bots))
    if len(kinds) == 1:
        return VECTOR_BOTS[kinds[0]]

    def decide(state: State, word: Array) -> Array:
        choices = {kind: VECTOR_BOTS[kind](state, word) for kind in kinds}
        return pick([choices[kind] for kind in bots], state.game.active)

    return decide


def _results(state: State, day_decisions: Array) -> Results:
    def by_seat(field: str) -> NDArray:
        return np.stack([np.asarray(getattr(player, field)) for player in state.players], -1)

    days, cut_off, final_places = np.asarray(day_decisions), ~np.asarray(state.over), np.asarray(places(state))
    return Results(
        first=np.asarray(state.game.first),
        won=np.where(cut_off[:, None], 0.0, shares_of(final_places)),
        places=final_places,
        scores=np.asarray(scores(state)),
        dollars=by_seat("dollars"),
        credits=by_seat("credits"),
        ranks=by_seat("rank"),
        decisions=days.sum(-1),
        day_decisions=days,
        cut_off=cut_off,
    )
