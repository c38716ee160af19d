"""A net that plays like a bot, so that bots without a vector form can be opponents in training (`--rival`).

    python -m deadwood.training.imitate record --bot star --minutes 5 --processes 8 --out star-games.npz
    python -m deadwood.training.imitate learn --games star-games.npz --out star.npz

`record` lets the bot play at all kinds of table and keeps what it saw and did. With `--weights`, the champion sits at
half of the tables, so that there are games against it. `learn` needs JAX.
"""

import argparse
import time
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from msgspec.structs import replace

from ..bots import DECISION_LIMIT, Bot
from ..engine import rules
from ..engine.chance import FastDice
from ..engine.options import Options
from ..engine.refusal import DeadwoodError
from ..extras import needs
from ..lab.contestants import check_contestants, contestant
from ..lab.workers import done_by, usable_cores

with needs("The training", "jax", program=__name__ == "__main__"):
    import numpy as np

    from .. import encoding
    from .config import Settings
    from .kinds import kinds
    from .measure import CHAMPION, prepare

_OTHERS = ("regular", "hopeful")  # at some tables one of them plays, too, for variety
_TESTED = 0.05  # the share of decisions that is set aside for testing


class Recorded(NamedTuple):
    """What a bot saw and did: observations, masks as words with a bit per action, and action numbers."""

    observations: Any
    masks: Any
    actions: Any


# ------------------------------------------------------------------------------------------------ recording


def record_game(bot: str, champion: bool, seed: int, number: int) -> Recorded:
    """One game at some kind of table: those decisions of the bot in which it had a choice."""
    chance = Random(f"{seed} {number}")
    table = chance.choice(kinds(Settings()))
    options: Options = table.options if chance.random() < 0.5 else replace(table.options, layout="standard")
    names = [str(seat) for seat in range(table.players)]
    seats = _seats(bot, champion, table.players, chance)
    players: list[Bot] = [contestant(name, chance.getrandbits(32)) for name in seats]
    dice = FastDice(chance.getrandbits(64))
    state, _ = rules.start(names, options, dice)
    rows = []
    for _ in range(DECISION_LIMIT):
        if state.over:
            break
        actions = rules.legal_actions(state)
        action = players[state.active].decide(state, actions)
        if seats[state.active] == bot and len(actions) > 1:
            mask = encoding.action_mask(state)
            word = int(mask.dot(1 << np.arange(encoding.ACTIONS, dtype=np.int64)))
            rows.append((encoding.observe(state), word, encoding.number_of(action, state.table)))
        state, _ = rules.apply(state, action, dice)
    seen, masks, numbers = zip(*rows, strict=True) if rows else ((), (), ())
    return Recorded(
        np.array(seen, encoding.DTYPE).reshape(-1, encoding.SIZE),
        np.array(masks, np.uint32),
        np.array(numbers, np.uint8),
    )


def _seats(bot: str, champion: bool, players: int, chance: Random) -> list[str]:
    seats = [bot] * players
    drawn = chance.random()
    if champion and drawn < 0.5:
        seats[chance.randrange(players)] = CHAMPION
    elif drawn > 0.8:
        seats[chance.randrange(players)] = chance.choice(_OTHERS)
    return seats


def record(bot: str, weights: Path | None, seed: int, minutes: float, processes: int) -> Recorded:
    """As many games as there is time for."""
    prepare(weights)
    check_contestants((bot, *([CHAMPION] if weights else [])))
    end = time.monotonic() + 60 * minutes
    games = _until(end, count())
    found = list(done_by(partial(record_game, bot, weights is not None, seed), games, processes))
    return Recorded(*(np.concatenate(column) for column in zip(*found, strict=True)))


def _until(end: float, numbers: Iterator[int]) -> Iterator[int]:
    """At least one number, then more until the time is up."""
    yield next(numbers)
    while time.monotonic() < end:
        yield next(numbers)


# ------------------------------------------------------------------------------------------------ learning


def learn(recorded: Recorded, settings: Settings, epochs: int) -> tuple[Any, float]:
    """A net that imitates the bot, and how often it agrees with the bot on decisions that it was not shown."""
    with needs("The training", "jax"):  # recording needs no JAX
        import jax  # noqa: PLC0415
        import jax.numpy as jnp  # noqa: PLC0415
        from jax import lax  # noqa: PLC0415

        from ..neural.features import features  # noqa: PLC0415
        from ..neural.net import net, new_weights  # noqa: PLC0415
        from .learner import adam, new_mind  # noqa: PLC0415
        from .rollout import cast, precision  # noqa: PLC0415

    total = len(recorded.actions)
    order = np.random.default_rng(settings.seed).permutation(total)
    tested = max(1, round(_TESTED * total))
    test, train = (jax.tree.map(lambda x, o=o: jnp.asarray(x[o]), recorded) for o in (order[:tested], order[tested:]))
    size = min(settings.minibatch, total - tested)
    steps = (total - tested) // size

    def logits(weights: Any, part: Recorded) -> Any:
        mask = (part.masks[:, None] >> jnp.arange(encoding.ACTIONS, dtype=jnp.uint32)) & 1 == 1
        return net(jnp, cast(weights, settings), features(jnp, part.observations, mask, precision(settings))).logits

    def loss(weights: Any, part: Recorded) -> Any:
        chances = jax.nn.log_softmax(logits(weights, part))
        return -jnp.take_along_axis(chances, part.actions[:, None].astype(jnp.int32), -1).mean()

    @jax.jit
    def epoch(mind: Any, train: Recorded, key: Any, rates: Any) -> tuple[Any, Any]:
        def step(mind: Any, now: tuple[Any, Any]) -> tuple[Any, Any]:
            chosen, rate = now
            error, slope = jax.value_and_grad(loss)(mind.weights, jax.tree.map(lambda x: x[chosen], train))
            return adam(mind, slope, rate, settings.average), error

        chosen = jax.random.permutation(key, total - tested)[: steps * size].reshape(steps, size)
        mind, errors = lax.scan(step, mind, (chosen, rates))
        return mind, errors.mean()

    @jax.jit
    def agreed(weights: Any, part: Recorded) -> Any:
        return (jnp.argmax(logits(weights, part), -1) == part.actions).mean()

    mind = new_mind(new_weights(settings.seed, settings.shape))
    rates = np.linspace(settings.rate, settings.last_rate, epochs * steps, dtype=np.float32).reshape(epochs, steps)
    for number in range(epochs):
        mind, error = epoch(mind, train, jax.random.key(number), rates[number])
        print(
            f"epoch {number + 1} of {epochs}: error {float(error):.4f}, agrees {_agreement(agreed, mind, test):.1%}",
            flush=True,
        )
    return mind.average, _agreement(agreed, mind, test)


def _agreement(agreed: Any, mind: Any, test: Recorded) -> float:
    return float(agreed(mind.average, Recorded(*(values[: 1 << 16] for values in test))))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = parser.add_subparsers(dest="part", required=True)
    recording = parts.add_parser("record", help="let the bot play")
    recording.add_argument("--bot", default="star")
    recording.add_argument("--weights", type=Path, help="of the champion, who then plays along")
    recording.add_argument("--minutes", type=float, default=5.0)
    recording.add_argument("--processes", type=int, default=usable_cores())
    recording.add_argument("--seed", type=int, default=1)
    recording.add_argument("--out", type=Path, default=Path("games.npz"))
    learning = parts.add_parser("learn", help="learn to play like it")
    learning.add_argument("--games", type=Path, default=Path("games.npz"))
    learning.add_argument("--out", type=Path, default=Path("imitation.npz"))
    learning.add_argument("--epochs", type=int, default=8)
    learning.add_argument("--minibatch", type=int, default=8192)
    learning.add_argument("--width", type=int, default=Settings().width)
    learning.add_argument("--row-width", type=int, default=Settings().row_width)
    learning.add_argument("--blocks", type=int, default=Settings().blocks)
    learning.add_argument("--no-half", action="store_true", help="compute in float32")
    return parser


def main(arguments: Sequence[str] | None = None) -> None:
    """Record games, or learn from them."""
    parser = _parser()
    chosen = parser.parse_args(arguments)
    try:
        _record(chosen) if chosen.part == "record" else _learn(chosen)
    except (DeadwoodError, OSError) as error:
        parser.error(str(error))


def _record(chosen: argparse.Namespace) -> None:
    found = record(chosen.bot, chosen.weights, chosen.seed, chosen.minutes, chosen.processes)
    with chosen.out.open("wb") as file:
        np.savez(file, **found._asdict())
    print(f"{len(found.actions):,} decisions of {chosen.bot} are in {chosen.out}", flush=True)


def _learn(chosen: argparse.Namespace) -> None:
    from ..neural.weights_file import save_weights  # noqa: PLC0415

    with np.load(chosen.games) as file:
        recorded = Recorded(*(file[name] for name in Recorded._fields))
    settings = Settings(
        width=chosen.width,
        row_width=chosen.row_width,
        blocks=chosen.blocks,
        minibatch=chosen.minibatch,
        half=not chosen.no_half,
        rate=1e-3,
        last_rate=1e-5,
        average=0.99,
    )
    weights, agreement = learn(recorded, settings, chosen.epochs)
    save_weights(chosen.out, weights, {"decisions": len(recorded.actions), "agreement": round(agreement, 4)})
    print(f"The net agrees in {agreement:.1%} of decisions; its weights are in {chosen.out}")


if __name__ == "__main__":
    main()
