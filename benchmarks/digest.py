"""Whether two devices play the same games, word for word: run this on both and compare the last line.

It plays at random at several tables, and digests every word of every state and observation after every decision.
"""

import argparse
import hashlib
from functools import partial

import jax
import numpy as np

from deadwood import Options, vector
from deadwood.vector.playing import play_on
from deadwood.vector.state import words_of_state

TABLES = (
    (2, Options()),
    (4, Options(deck="studio", layout="random")),
    (8, Options(bonus="actors", ties="shared", days=1, layout="random")),
)


@jax.jit
def decide(state: vector.State, key: jax.Array) -> tuple[vector.State, jax.Array, jax.Array]:
    """One random decision of every game: the state, its words and its observations."""
    after, _ = play_on(state, key, 1)
    return after, words_of_state(after), vector.observe(after)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=256, help="side by side at each table")
    parser.add_argument("--decisions", type=int, default=1_500, help="in each game")
    arguments = parser.parse_args()
    digest, count = hashlib.sha256(), 0
    for players, options in TABLES:
        begin = jax.jit(partial(vector.init, players=players, options=options, shape=(arguments.games,)))
        state = begin(jax.random.key(players))
        for number in range(arguments.decisions):
            state, words, observation = decide(state, jax.random.key(number))
            digest.update(np.asarray(words).tobytes())
            digest.update(np.asarray(observation).tobytes())
            count += arguments.games
    print(f"JAX {jax.__version__} on {jax.devices()[0].device_kind}: {count} decisions")
    print(digest.hexdigest())


if __name__ == "__main__":
    main()
