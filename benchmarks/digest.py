"""Whether two devices play the same games, word for word: run this on both and compare the last line.

Random play of several tables with all that is random in them; the digest is of every word of every state, after every
decision.
"""

import argparse
import hashlib

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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=256, help="side by side at each table")
    parser.add_argument("--decisions", type=int, default=1_500, help="in each of them")
    arguments = parser.parse_args()
    digest, count = hashlib.sha256(), 0
    for players, options in TABLES:
        state = vector.init(jax.random.key(players), players, options, (arguments.games,))
        for number in range(arguments.decisions):
            state, _ = play_on(state, jax.random.key(number), 1)
            digest.update(np.asarray(words_of_state(state)).tobytes())
            digest.update(np.asarray(vector.observe(state)).tobytes() if number % 100 == 0 else b"")
            count += arguments.games
    print(f"JAX {jax.__version__} on {jax.devices()[0].device_kind}: {count} decisions")
    print(digest.hexdigest())


if __name__ == "__main__":
    main()
