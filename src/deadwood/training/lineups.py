"""A net that knows who sits where, for taking luck out of win shares: chances to win for every lineup of our bots.

    python -m deadwood.training.lineups --star star.npz --regular regular.npz --out lineups.npz --minutes 8

The bots play each other at all kinds of table; the champion plays without search, and nets made with
`deadwood.training.imitate` play for `star` and `regular`. The net learns everybody's chance to win, and nothing else.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import structs

from ..bots.champion import weights_path
from ..engine.refusal import DeadwoodError
from ..extras import needs

with needs("The training", "jax", program=__name__ == "__main__"):
    import jax
    import jax.numpy as jnp
    import numpy as np
    from jax import lax

    from .. import vector
    from ..lab.lineup import BOTS, NOBODY, SHAPE, lineup_layers, new_lineup_weights, with_lineup
    from ..neural.features import Features
    from ..neural.net import Weights, win_logits
    from ..neural.weights_file import load_weights, save_weights
    from .circles import NETS, Circle, Players, actions, circles, new_lineups
    from .config import Settings, settings_from
    from .games import Games, Opening, begin, by_seat, decide, from_active, look
    from .kinds import kinds
    from .learner import Mind, adam, new_mind, traced
    from .rollout import cast, precision
    from .tables import stacked

Array = jax.Array
REPORT_SECONDS = 10.0  # between two lines of progress
SAMPLED = 0.03  # share of the nets' decisions that are drawn
USUAL = {
    "width": SHAPE.width,
    "row_width": SHAPE.row_width,
    "blocks": SHAPE.blocks,
    "envs": 32768,
    "usual": 0.6,
    "rate": 1e-3,
    "last_rate": 1e-5,
    "trace": 0.95,
    "updates": 1 << 20,
}  # settings that differ from those of `deadwood train`; the others of it are not used


class Evening(NamedTuple):
    """All games, and who plays them."""

    games: Games
    lineups: Array  # by table, column and seat


class Trajectories(NamedTuple):
    """Decisions, by time, table and column. Values by seat are those of the net when it decided."""

    seen: Features
    active: Array
    wins: Array
    over: Array
    final: Array


class Examples(NamedTuple):
    """What the net sees, and the chances to win that it should have seen."""

    seen: Features
    wins: Array


class Progress(NamedTuple):
    """What an update did."""

    loss: Any
    games: Any  # that ended


Update = Callable[[Mind, Players, vector.Table, Evening, Array, Array], tuple[Mind, Evening, Progress]]


def make_begin(settings: Settings, chosen: Sequence[Circle]) -> Callable[[vector.Table, Array], Evening]:
    """The function that starts all games."""
    opening = _opening(settings)

    def start(tables: vector.Table, key: Array) -> Evening:
        for_games, for_lineups = jax.random.split(key)
        keys = jax.random.bits(for_games, (settings.tables, 2))
        games: Games = jax.vmap(lambda table, one: begin(table, one, opening))(tables, keys)
        return Evening(games, _new_lineups(chosen, tables, for_lineups))

    return start


def _opening(settings: Settings) -> Opening:
    return Opening(max(settings.players), settings.standard, jnp.zeros(settings.columns, jnp.bool_))


def _new_lineups(chosen: Sequence[Circle], tables: vector.Table, key: Array) -> Array:
    return new_lineups(chosen, tables.players, jax.random.bits(key, (len(chosen), 2)))


def make_update(settings: Settings, chosen: Sequence[Circle]) -> Update:
    """The function that plays and learns; it is pure, and compiled once."""
    opening = _opening(settings)
    seen_at: Any = jax.vmap(lambda table, moment: look(table, moment, precision(settings)))
    decided: Any = jax.vmap(lambda table, games, action, key: decide(table, games, action, key, opening))

    def judged(weights: Weights, tables: vector.Table, evening: Evening) -> tuple[Features, Features, Array, Array]:
        """What the bots see; what the net sees; who is active; the chances by seat."""
        seen = seen_at(tables, evening.games.moment)
        active = evening.games.state(tables).game.active.astype(jnp.int32)
        players = _players(tables, active)
        lineup = jnp.where(seen.present > 0, from_active(evening.lineups, active, players), NOBODY)
        whole = with_lineup(jnp, seen, lineup)
        wins = by_seat(jax.nn.softmax(win_logits(jnp, weights, whole)), active, players)
        return seen, whole, active, wins

    def play(
        weights: Weights, by: Players, tables: vector.Table, evening: Evening, key: Array
    ) -> tuple[Evening, Trajectories, Array]:
        def step(evening: Evening, one: Array) -> tuple[Evening, Trajectories]:
            choosing, stepping, seating = jax.random.split(one, 3)
            seen, whole, active, wins = judged(weights, tables, evening)
            state = evening.games.state(tables)
            action = actions(chosen, by, state, seen, evening.lineups, choosing)
            keys = jax.random.bits(stepping, (settings.tables, 4))
            games, ending = decided(tables, evening.games, action, keys)
            fresh = _new_lineups(chosen, tables, seating)
            lineups = jnp.where(ending.over[..., None], fresh, evening.lineups)
            trajectories = Trajectories(whole, active.astype(jnp.uint8), wins, ending.over, ending.shares)
            return Evening(games, lineups), trajectories

        evening, trajectories = lax.scan(step, evening, jax.random.split(key, settings.decisions))
        return evening, trajectories, judged(weights, tables, evening)[-1]

    def update(
        mind: Mind, by: Players, tables: vector.Table, evening: Evening, key: Array, rate: Array
    ) -> tuple[Mind, Evening, Progress]:
        playing, learning = jax.random.split(key)
        evening, trajectories, last = play(cast(mind.weights, settings), by, tables, evening, playing)
        mind, loss = _learn(settings, mind, examples_of(settings, tables, trajectories, last), learning, rate)
        return mind, evening, Progress(loss, trajectories.over.sum())

    return update


def _players(tables: vector.Table, active: Array) -> Array:
    return jnp.broadcast_to(tables.players.astype(jnp.int32)[:, None], active.shape)


def examples_of(settings: Settings, tables: vector.Table, trajectories: Trajectories, last: Array) -> Examples:
    """What can be learned from decisions; `last` are the chances by seat after them."""
    trace = (settings.trace ** (1 / tables.players.astype(jnp.float32)))[:, None, None]
    wins = traced(trajectories.wins, last, trajectories.over, trajectories.final, trace)
    active = trajectories.active.astype(jnp.int32)
    return Examples(trajectories.seen, from_active(wins, active, _players(tables, active)))


def _learn(settings: Settings, mind: Mind, examples: Examples, key: Array, rate: Array) -> tuple[Mind, Array]:
    """One pass over the decisions, in minibatches."""
    flat = jax.tree.map(lambda values: values.reshape(settings.batch, *values.shape[3:]), examples)

    def step(mind: Mind, chosen: Array) -> tuple[Mind, Array]:
        part = jax.tree.map(lambda values: values[chosen], flat)
        error, slope = jax.value_and_grad(lambda weights: loss(settings, weights, part))(mind.weights)
        return adam(mind, slope, rate, settings.average), error

    order = jax.random.permutation(key, settings.batch).reshape(-1, settings.minibatch)
    mind, errors = lax.scan(step, mind, order)
    return mind, errors.mean()


def loss(settings: Settings, weights: Weights, examples: Examples) -> Array:
    """The cross-entropy of the chances to win."""
    chances = jax.nn.log_softmax(win_logits(jnp, cast(weights, settings), examples.seen))
    return -jnp.where(examples.seen.present > 0, examples.wins * chances, 0).sum(-1).mean()


# ------------------------------------------------------------------------------------------------ a run


class Duration(NamedTuple):
    """How long to train; the rate reaches its last value by then."""

    updates: int
    minutes: float = float("inf")

    def passed(self, updates: int, seconds: float) -> float:
        """The share of the run that is over."""
        return max(updates / self.updates, seconds / (60 * self.minutes))


class Learned(NamedTuple):
    """The result of a run."""

    weights: Weights
    updates: int
    losses: list[float]


def train(settings: Settings, nets: dict[str, Weights], sampled: float, duration: Duration) -> Learned:
    """Play and learn until the updates or the minutes are used up."""
    began = reported = time.perf_counter()
    chosen = circles(settings.columns)
    tables = jax.tree.map(jnp.asarray, stacked(kinds(settings)))
    by = Players({name: cast(weights, settings) for name, weights in _on_device(nets).items()}, jnp.float32(sampled))
    mind = new_mind(new_lineup_weights(settings.seed, settings.shape))
    update: Any = jax.jit(make_update(settings, chosen))
    evening = jax.jit(make_begin(settings, chosen))(tables, _key(settings, 0, 0))
    losses: list[float] = []
    ended = done = 0
    passed = 0.0
    while not losses or passed < 1:
        rate = settings.last_rate + (settings.rate - settings.last_rate) * (1 - passed)
        key = _key(settings, 1, len(losses))
        mind, evening, progress = update(mind, by, tables, evening, key, jnp.float32(rate))
        losses.append(float(progress.loss))
        ended += int(progress.games)
        now = time.perf_counter()
        passed = min(1.0, duration.passed(len(losses), now - began))
        if len(losses) == 1:
            print(f"compiled and played the first update in {now - began:.0f} s", flush=True)
        elif now - reported >= REPORT_SECONDS:
            _report(settings, losses, ended, rate, (len(losses) - done) / (now - reported))
        else:
            continue
        reported, done = now, len(losses)
    return Learned({name: np.asarray(values) for name, values in mind.average.items()}, len(losses), losses)


def _report(settings: Settings, losses: list[float], ended: int, rate: float, speed: float) -> None:
    recent = losses[-max(1, round(speed * REPORT_SECONDS)) :]
    print(
        f"update {len(losses):,}: {len(losses) * settings.batch / 1e6:,.0f} M decisions, {ended / 1e6:.2f} M games, "
        f"{speed * settings.batch / 1e6:.2f} M/s, loss {sum(recent) / len(recent):.4f}, rate {rate:.2g}",
        flush=True,
    )


def _on_device(nets: dict[str, Weights]) -> dict[str, Weights]:
    return {name: {layer: jnp.asarray(one) for layer, one in weights.items()} for name, weights in nets.items()}


def _key(settings: Settings, purpose: int, number: int) -> Array:
    return jax.random.fold_in(jax.random.fold_in(jax.random.key(settings.seed), purpose), number)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--champion", type=Path, help="by default the champion's own weights")
    parser.add_argument("--star", type=Path, required=True, help="a net that imitates it")
    parser.add_argument("--regular", type=Path, required=True, help="a net that imitates it")
    parser.add_argument("--out", type=Path, default=Path("lineups.npz"))
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--sampled", type=float, default=SAMPLED, help="share of the nets' decisions that are drawn")
    parser.add_argument("--no-half", action="store_true", help="compute in float32")
    parser.add_argument("--players", type=_counts, help="numbers of players, as in 2,4")
    known = structs.asdict(settings_from(USUAL))
    for name in ("seed", "updates", "envs", "decisions", "minibatch", "tables", "width", "row_width", "blocks"):
        parser.add_argument(f"--{name.replace('_', '-')}", type=int, default=known[name])
    for name in ("rate", "last_rate", "trace", "average", "usual", "standard"):
        parser.add_argument(f"--{name.replace('_', '-')}", type=float, default=known[name])
    return parser


def _counts(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(",")))


def _settings(chosen: argparse.Namespace) -> Settings:
    names = set(structs.asdict(Settings())) & set(vars(chosen))
    given = {name: getattr(chosen, name) for name in names if getattr(chosen, name) is not None}
    return settings_from(given | {"half": not chosen.no_half})


def main(arguments: Sequence[str] | None = None) -> None:
    """Train, and write the weights."""
    parser = _parser()
    chosen = parser.parse_args(arguments)
    if not chosen.minutes > 0:
        parser.error("--minutes must be more than 0.")
    try:
        _train(chosen)
    except (DeadwoodError, OSError) as error:
        parser.error(str(error))


def _train(chosen: argparse.Namespace) -> None:
    settings = _settings(chosen)
    paths = {"champion": chosen.champion or weights_path(), "star": chosen.star, "regular": chosen.regular}
    nets = {name: load_weights(paths[name]).weights for name in NETS}
    chosen.out.parent.mkdir(parents=True, exist_ok=True)
    size = sum(inputs * outputs + outputs for inputs, outputs in lineup_layers(settings.shape).values())
    print(
        f"{size:,} weights, {settings.batch:,} decisions an update, JAX {jax.__version__}, {jax.devices()[0]}",
        flush=True,
    )
    learned = train(settings, nets, chosen.sampled, Duration(settings.updates, chosen.minutes))
    about = {"bots": BOTS, "updates": learned.updates, "decisions": learned.updates * settings.batch}
    save_weights(chosen.out, learned.weights, about | {"settings": structs.asdict(settings)})
    print(
        f"{learned.updates:,} updates, last loss {learned.losses[-1]:.4f}; "
        f"the weights are in {chosen.out} ({chosen.out.stat().st_size:,} bytes)",
        flush=True,
    )


if __name__ == "__main__":
    main()
