"""`step` with keys, at tables whose layouts and first players are drawn, is the engine with the same chance results."""

import random

import jax
import jax.numpy as jnp
import numpy as np

from deadwood import Options, encoding, vector
from deadwood.engine import rules
from deadwood.engine.chance import ScriptedDice
from deadwood.engine.scoring import score
from deadwood.vector.chance import chance_from, words
from deadwood.vector.rules import CHANCE_WORDS, unseen_count
from deadwood.vector.state import pack, words_of_state

from .lockstep import final_places

GAMES, PLAYERS, DECISIONS = 12, 3, 700
OPTIONS = Options(layout="random", days=1, ties="shared")


class GivenDice:
    """A card, and dice in the order they are asked for."""

    def __init__(self, card, dice):
        self._card, self._dice = card, list(dice)

    def pick(self, count):
        assert self._card < count
        return self._card

    def roll(self, count):
        rolled, self._dice = self._dice[:count], self._dice[count:]
        return tuple(rolled)


@jax.jit
def stepped(state, action, key):
    """The results that came up, and the state after them."""
    came = chance_from(words(key, state.shape, CHANCE_WORDS), unseen_count(state))
    after = vector.step(state, action, key)
    seen = words_of_state(after).T, vector.legal_mask(after), vector.observe(after), vector.scores(after)
    places = jnp.where(after.over[..., None], vector.places(after), 0)
    return after, jnp.stack([came.card, came.die, *came.dice], -1), (*seen, places)


def test_steps_by_key_are_the_engines():
    state = jax.jit(lambda key: vector.init(key, PLAYERS, OPTIONS, (GAMES,)))(jax.random.key(2))
    layouts = state.game.layout.tolist()
    assert len(set(layouts)) > GAMES // 2
    drawn = zip(state.game.first.tolist(), layouts, strict=True)
    engines = [rules.start([str(seat) for seat in range(PLAYERS)], OPTIONS, ScriptedDice(two))[0] for two in drawn]
    rng = random.Random(2)
    for number in range(DECISIONS):
        chosen = [rng.choice(rules.legal_actions(one)) if not one.over else None for one in engines]
        actions = [
            encoding.END_NUMBER if action is None else encoding.number_of(action, one.table)
            for one, action in zip(engines, chosen, strict=True)
        ]
        state, came, seen = stepped(state, jnp.array(actions), jax.random.key(number))
        for at, (card, *dice) in enumerate(came.tolist()):
            if chosen[at] is not None:
                engines[at], _ = rules.apply(engines[at], chosen[at], GivenDice(card, dice))
        for what, values in zip(
            map(np.array, zip(*map(seen_by_engine, engines, layouts), strict=True)), seen, strict=True
        ):
            assert (what == np.asarray(values)).all()
        assert state.wraps_left.tolist() == [one.wraps_left for one in engines]
    assert sum(one.over for one in engines) > GAMES // 2


def seen_by_engine(state, layout):
    points = [score(one) for one in state.players]
    return pack(state, layout), encoding.action_mask(state), encoding.observe(state), points, final_places(state)
