"""Whether the net's win chances hold: `python -m deadwood.training.calibrate --weights F --players 2,4,8`.

The net plays itself, without search, in games that it was never trained on. It does what it likes best, but in the
last scene it does not wait for ever. Positions are drawn from all games that ended, and everybody's chances in them are
compared with how often they won. For every number of players it prints a table, a plot, and how many games did not end.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..bots.champion import weights_path
from ..engine.options import PLAYERS, RANDOM, Options
from ..engine.refusal import DeadwoodError
from ..extras import needs

with needs("The training", "jax", program=__name__ == "__main__"):
    import jax
    import jax.numpy as jnp
    import numpy as np
    import numpy.typing as npt
    from jax import lax

    from .. import vector
    from ..neural.net import Weights, net
    from ..neural.weights_file import load_weights
    from .circles import restless
    from .games import Opening, begin, by_seat, for_all_seats, look
    from .kinds import Kind
    from .tables import stacked

Array = jax.Array
Numbers = npt.NDArray[np.float32]
DECILES = 10
AT_ONCE = 1024  # games
MOST_DECISIONS = 2_000  # positions of games that take longer are left out
_SHARE = 0.3  # of all positions that are kept until as many as wanted are drawn from them
_CHUNK = 32  # decisions in one compiled call
_PLOT_WIDTH = 60


class Size(NamedTuple):
    """How many positions to draw, and how many of each game on average."""

    positions: int = 100_000
    per_game: int = 20


class Predictions(NamedTuple):
    """Chances to win and what came of them, one for every player of every position."""

    chances: Numbers
    won: Numbers
    games: Any  # numbers of the games: predictions in one game are not independent
    played: int = 0  # games
    unfinished: int = 0  # those of them that were left out


class Decile(NamedTuple):
    """All predictions from one tenth of the scale."""

    predictions: int
    predicted: float
    won: float
    error: float  # the standard error of the difference between games, in percentage points

    @property
    def difference(self) -> float:
        """In percentage points; more if players won more often than predicted."""
        return 100 * (self.won - self.predicted)


def predictions(weights: Weights, kind: Kind, size: Size, standard: float, seed: int) -> Predictions:
    """The chances in this many positions of self-play, and the results."""
    chance = np.random.default_rng(seed)
    found: list[Predictions] = []
    drawn = number = unfinished = 0
    player = _Player(weights, kind, standard)
    while drawn < size.positions:
        most = min(size.positions - drawn, AT_ONCE * size.per_game)
        batch, kept = player.play(jax.random.fold_in(jax.random.key(seed), number), chance, most)
        if not kept:
            raise DeadwoodError(f"None of {AT_ONCE:,} games ended after {MOST_DECISIONS:,} decisions.")
        found.append(batch._replace(games=batch.games + number * AT_ONCE))
        drawn, number, unfinished = drawn + kept, number + 1, unfinished + batch.unfinished
    chances, won, games = (np.concatenate(column) for column in list(zip(*found, strict=True))[:3])
    return Predictions(chances, won, games, number * AT_ONCE, unfinished)


class _Player:
    """Plays whole games of the net against itself."""

    def __init__(self, weights: Weights, kind: Kind, standard: float) -> None:
        self._table = jax.tree.map(lambda values: jnp.asarray(values[0]), stacked([kind]))
        self._players = kind.players
        self._weights = {name: jnp.asarray(values) for name, values in weights.items()}
        opening = Opening(kind.players, standard, jnp.zeros(AT_ONCE, jnp.bool_))
        self._begin: Any = jax.jit(lambda table, key: begin(table, key, opening).moment)
        self._advance: Any = jax.jit(_advance)

    def play(self, key: Array, chance: np.random.Generator, most: int) -> tuple[Predictions, int]:
        """Games side by side to their end; predictions in positions drawn from them, and how many positions."""
        starting, playing = jax.random.split(key)
        moment = self._begin(self._table, jax.random.bits(starting, (2,)))
        seen: list[tuple[Numbers, Any]] = []
        for number in range(MOST_DECISIONS // _CHUNK):
            moment, wins, going_on = self._advance(
                self._weights, self._table, moment, jax.random.fold_in(playing, number)
            )
            seen.append(self._drawn(np.asarray(wins), np.asarray(going_on), chance))
            if not np.asarray(going_on)[-1].any():
                break
        shares = np.asarray(vector.win_shares(vector.State(self._table, *moment)))
        chances, games = (np.concatenate(column) for column in zip(*seen, strict=True))
        ended = shares[games].sum(-1) > 0
        chosen = chance.permutation(np.flatnonzero(ended))[:most]
        won, of_game = shares[games[chosen]], np.repeat(games[chosen], self._players)
        unfinished = int((shares.sum(-1) == 0).sum())
        kept = chances[chosen, : self._players].ravel()
        return Predictions(kept, won.ravel(), of_game, AT_ONCE, unfinished), len(chosen)

    @staticmethod
    def _drawn(wins: Numbers, going_on: Any, chance: np.random.Generator) -> tuple[Numbers, Any]:
        """Some of the positions: the chances in them, and their games."""
        step, game = np.nonzero(going_on & (chance.random(going_on.shape) < _SHARE))
        return wins[step, game], game


def _advance(weights: Weights, table: vector.Table, moment: Any, key: Array) -> tuple[Any, Array, Array]:
    """Some decisions; the chances by seat before each, and whether the game was going on."""
    players = jnp.broadcast_to(table.players.astype(jnp.int32), (AT_ONCE,))

    def step(moment: Any, keys: tuple[Array, Array]) -> tuple[Any, tuple[Array, Array]]:
        state, (one, waiting) = vector.State(table, *moment), keys
        opinion = net(jnp, weights, look(table, moment, jnp.float32))
        wins = by_seat(jax.nn.softmax(opinion.wins), state.game.active.astype(jnp.int32), players)
        hopeful = vector.VECTOR_BOTS["hopeful"](state, jax.random.bits(waiting, players.shape)).astype(jnp.int32)
        best = jnp.argmax(opinion.logits, -1).astype(jnp.int32)
        after = vector.step(state, restless(state, best, hopeful, jax.random.fold_in(waiting, 1)), one)
        return after[1:], (for_all_seats(wins), ~state.over)

    stepping, choosing = jax.random.split(key)
    keys = (jax.random.bits(stepping, (_CHUNK, 2)), jax.random.split(choosing, _CHUNK))
    moment, (wins, going_on) = lax.scan(step, moment, keys)
    return moment, wins, going_on


# ------------------------------------------------------------------------------------------------ results


def deciles(found: Predictions) -> list[Decile]:
    """By predicted chance: from 0 to 10%, from 10% to 20%, and so on; those without predictions are left out."""
    at = np.minimum((found.chances * DECILES).astype(int), DECILES - 1)
    rows = []
    for number in range(DECILES):
        chosen = at == number
        if chosen.any():
            predicted, won, games = (column[chosen] for column in (found.chances, found.won, found.games))
            rows.append(Decile(len(won), float(predicted.mean()), float(won.mean()), _error(won - predicted, games)))
    return rows


def _error(differences: Numbers, games: Any) -> float:
    """The standard error of their mean, if only different games are independent; in percentage points."""
    by_game = np.bincount(games, differences - differences.mean())
    return float(100 * np.sqrt(np.square(by_game).sum()) / len(differences))


def table_text(rows: Sequence[Decile]) -> str:
    """The deciles as a table."""
    lines = [
        f"{one.predicted:9.1%} {one.won:9.1%} {one.difference:+10.1f} {one.error:6.1f} {one.predictions:12,}"
        for one in rows
    ]
    return "\n".join([f"{'predicted':>9} {'won':>9} {'difference':>10} {'error':>6} {'predictions':>12}", *lines])


def plot_text(rows: Sequence[Decile]) -> str:
    """The deciles as a plot: `o` the prediction, `x` how often they won, `*` both in one place."""
    lines = []
    for one in rows:
        line = ["."] * (_PLOT_WIDTH + 1)
        predicted, won = (round(_PLOT_WIDTH * share) for share in (one.predicted, one.won))
        line[predicted], line[won] = "o", "x"
        if predicted == won:
            line[won] = "*"
        lines.append("".join(line))
    return "\n".join([f"0%{'50%':^{_PLOT_WIDTH - 5}}100%", *lines])


def report(players: int, found: Predictions) -> str:
    """Table and plot for one number of players."""
    rows = deciles(found)
    worst = max(abs(one.difference) for one in rows)
    return "\n".join(
        [
            f"{players} players: {len(found.chances) // players:,} positions; largest difference {worst:.1f} points",
            f"left out: {found.unfinished:,} of {found.played:,} games, not over after {MOST_DECISIONS:,} decisions",
            "",
            table_text(rows),
            "",
            plot_text(rows),
            "",
        ]
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, help="by default the champion's own")
    parser.add_argument("--players", default="2,4,8", help="numbers of players, as in 2,4")
    parser.add_argument("--positions", type=int, default=Size().positions, help="per number of players")
    parser.add_argument("--per-game", type=int, default=Size().per_game, help="positions of each game, on average")
    parser.add_argument("--deck", default="classic")
    parser.add_argument("--standard", type=float, default=1.0, help="share of games with the standard layout")
    parser.add_argument("--seed", type=int, default=1_000_003, help="not one that a net was trained with")
    return parser


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables and plots."""
    parser = _parser()
    chosen = parser.parse_args(arguments)
    counts = [int(count) for count in chosen.players.split(",") if count.strip().isdecimal()]
    if not counts or not set(counts) <= set(PLAYERS):
        parser.error(f"'{chosen.players}' is not a list of numbers of players such as 2,4")
    try:
        weights = load_weights(chosen.weights or weights_path()).weights
        size = Size(max(1, chosen.positions), max(1, chosen.per_game))
        for players in counts:
            kind = Kind(players, Options(layout=RANDOM, deck=chosen.deck))
            print(report(players, predictions(weights, kind, size, chosen.standard, chosen.seed)), flush=True)
    except DeadwoodError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
