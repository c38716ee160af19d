"""The rules in JAX, for millions of games at once: pure functions of batches and random keys.

>>> import jax
>>> from deadwood import vector
>>> games = vector.init(jax.random.key(1), players=4, shape=(1000,))
>>> vector.legal_mask(games).shape
(1000, 32)
"""

from ..extras import needs

with needs("The vector engine", "jax"):
    from .bots import VECTOR_BOTS
    from .chance import Chance
    from .legality import legal_bits, legal_mask
    from .observation import observe
    from .playing import Results, VectorError, play_games, play_on
    from .rules import apply, step
    from .scoring import places, scores, win_shares
    from .setup import init, make_table, start, table_of
    from .state import State, choose, renew
    from .table import Table

__all__ = [
    "VECTOR_BOTS",
    "Chance",
    "Results",
    "State",
    "Table",
    "VectorError",
    "apply",
    "choose",
    "init",
    "legal_bits",
    "legal_mask",
    "make_table",
    "observe",
    "places",
    "play_games",
    "play_on",
    "renew",
    "scores",
    "start",
    "step",
    "table_of",
    "win_shares",
]
