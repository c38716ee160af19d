"""Playing many games: endless random play for speed, and whole games of vector bots with their results."""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ..engine.chance import FACES
from ..engine.options import DAYS, Options
from ..engine.refusal import DeadwoodError
from .bits import pick
from .bots import VECTOR_BOTS, VectorBot, random_bot
from .chance import chance_from, rest, words
from .rules import CHANCE_WORDS, apply, unseen_count
from .scoring import places, scores
from .setup import init, start_from
from .state import State, choose
from .words import Array

MOST_AT_ONCE = 1 << 16  # games in a batch


class VectorError(DeadwoodError):
    """Something that the vector engine cannot do."""


@partial(jax.jit, static_argnames=("decisions", "bot"))
def play_on(state: State, key: Array, decisions: int, bot: VectorBot = random_bot) -> tuple[State, Array]:
    """So many decisions in every game, a new one begun wherever one ends; also how many ended."""
    table, count = state.table, len(state.players)

    def decide(carry: tuple[State, Array], step_key: Array) -> tuple[tuple[State, Array], None]:
        games, ended = carry
        games = games._replace(table=table)
        after, word = _decide(games, step_key, bot)
        over = after.over
        fresh = start_from(rest(word, FACES), table, count)
        return (choose(over, fresh, after)._replace(table=()), ended + over), None

    keys = jax.random.bits(key, (decisions, 2))
    start = (state._replace(table=()), jnp.zeros(state.shape, jnp.uint32))
    (games, ended), _ = lax.scan(decide, start, keys)
    return games._replace(table=table), ended


def _decide(state: State, key: Array, bot: VectorBot) -> tuple[State, Array]:
    """One decision in every game, none of which may be over; also the word that an act's die was made of."""
    choice, *three = words(key, state.shape, 1 + CHANCE_WORDS)
    after = apply(state, bot(state, choice), chance_from(three, unseen_count(state)))
    return after, three[0]
