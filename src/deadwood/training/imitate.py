"""A net that plays like a bot, so that bots without a vector form can be opponents in training (`--rival`).

    python -m deadwood.training.imitate record --bot star --games 10000 --seed 1 --processes 8 --out star-games.npz
    python -m deadwood.training.imitate learn --games star-games.npz --out star.npz

`record` lets the bot play at all kinds of table and keeps what it saw and did: the same for the same seed and number
of games, with any number of processes. With `--minutes` it plays as many games as there is time for. With `--weights`,
the champion sits at half of the tables, so that there are games against it. `learn` needs JAX.
"""

import argparse
import time
import zipfile
from collections.abc import Iterable, Iterator, Sequence
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
from ..files import replacing
from ..lab.contestants import check_contestants, contestant
from ..lab.workers import done_by, usable_cores
from ..phrases import counted
from ..threads import keep_to_one_thread

if __name__ == "__main__":
    keep_to_one_thread()  # before numpy is imported; the processes that play inherit it

with needs("The training", "jax", program=__name__ == "__main__"):
    import numpy as np

    from .. import encoding
    from .config import Settings
    from .kinds import kinds
    from .measure import CHAMPION, positive, prepare

_OTHERS = ("regular", "hopeful")  # at some tables one of them plays, too, for variety
_TESTED = 0.05  # the share of games that is set aside for testing
_MINUTES = 5.0  # how long it records unless told otherwise


class RecordingUnusable(DeadwoodError):
    """A file without games that a net can learn from."""


class Recorded(NamedTuple):
    """What a bot saw and did: observations, masks as words with a bit per action, numbers of actions and of games."""

    observations: Any
    masks: Any
    actions: Any
    games: Any


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
        np.full(len(rows), number, np.int32),
    )


def _seats(bot: str, champion: bool, players: int, chance: Random) -> list[str]:
    seats = [bot] * players
    drawn = chance.random()
    if champion and drawn < 0.5:
        seats[chance.randrange(players)] = CHAMPION
    elif drawn > 0.8:
        seats[chance.randrange(players)] = chance.choice(_OTHERS)
    return seats


def record(bot: str, weights: Path | None, seed: int, games: Iterable[int], processes: int) -> Recorded:
    """The games with these numbers, in their order."""
    prepare(weights)
    check_contestants((bot, *([CHAMPION] if weights else [])))
    found = list(done_by(partial(record_game, bot, weights is not None, seed), games, processes))
    whole = Recorded(*(np.concatenate(column) for column in zip(*found, strict=True)))
    order = np.argsort(whole.games, kind="stable")  # they came as they were done, and that depends on the processes
    return Recorded(*(column[order] for column in whole))


def numbers_for(minutes: float) -> Iterator[int]:
    """Numbers of as many games as there is time for."""
    return _until(time.monotonic() + 60 * minutes, count())


def _until(end: float, numbers: Iterator[int]) -> Iterator[int]:
    """At least one number, then more until the time is up."""
    yield next(numbers)
    while time.monotonic() < end:
        yield next(numbers)


# ------------------------------------------------------------------------------------------------ learning


def load_recorded(path: Path) -> Recorded:
    """The games in a file; raises RecordingUnusable with a sentence."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
            return Recorded(*(kept[name] for name in Recorded._fields))
    except FileNotFoundError:
        raise RecordingUnusable(f"There is no recording {path}.") from None
    except KeyError:
        raise RecordingUnusable(
            f"{path} is no recording, or one of an earlier version; record the games again."
        ) from None
    except (OSError, ValueError, TypeError, EOFError, AttributeError, zipfile.BadZipFile) as error:
        raise RecordingUnusable(f"{path} is not a recording of `imitate record`.") from error


def parts_of(recorded: Recorded, seed: int) -> tuple[Recorded, Recorded]:
    """The decisions to learn from, and those to test with: of other games, because those of one game are alike."""
    numbers = np.random.default_rng(seed).permutation(np.unique(recorded.games))
    if len(numbers) < 2:
        raise RecordingUnusable("There are too few games to learn from and to test with; record at least two.")
    is_test = np.isin(recorded.games, numbers[: max(1, round(_TESTED * len(numbers)))])
    shown, tested = (Recorded(*(column[chosen] for column in recorded)) for chosen in (~is_test, is_test))
    return shown, tested


def learn(recorded: Recorded, settings: Settings, epochs: int) -> tuple[Any, float]:
    """A net that imitates the bot, and how often it agrees with the bot in games that it was not shown."""
    with needs("The training", "jax"):  # recording needs no JAX
        import jax  # noqa: PLC0415
        import jax.numpy as jnp  # noqa: PLC0415
        from jax import lax  # noqa: PLC0415

        from ..neural.features import features  # noqa: PLC0415
        from ..neural.net import net, new_weights  # noqa: PLC0415
        from .learner import adam, new_mind  # noqa: PLC0415
        from .rollout import cast, precision  # noqa: PLC0415

    train, test = (jax.tree.map(jnp.asarray, part) for part in parts_of(recorded, settings.seed))
    total = len(train.actions)
    size = min(settings.minibatch, total)
    steps = total // size

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

        chosen = jax.random.permutation(key, total)[: steps * size].reshape(steps, size)
        mind, errors = lax.scan(step, mind, (chosen, rates))
        return mind, errors.mean()

    @jax.jit
    def agreed(weights: Any, part: Recorded) -> Any:
        return (jnp.argmax(logits(weights, part), -1) == part.actions).mean()

    mind = new_mind(new_weights(settings.seed, settings.shape))
    rates = np.linspace(settings.rate, settings.last_rate, epochs * steps, dtype=np.float32).reshape(epochs, steps)
    for number in range(epochs):
        mind, error = epoch(mind, train, jax.random.fold_in(jax.random.key(settings.seed), number), rates[number])
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
    length = recording.add_mutually_exclusive_group()
    length.add_argument("--games", type=positive, help="how many; the same seed and number make the same recording")
    length.add_argument("--minutes", type=float, default=_MINUTES, help="by default %(default)s")
    recording.add_argument("--processes", type=positive, default=usable_cores())
    recording.add_argument("--seed", type=int, default=1)
    recording.add_argument("--out", type=Path, default=Path("games.npz"))
    learning = parts.add_parser("learn", help="learn to play like it")
    learning.add_argument("--games", type=Path, default=Path("games.npz"))
    learning.add_argument("--out", type=Path, default=Path("imitation.npz"))
    learning.add_argument("--seed", type=int, default=1)
    learning.add_argument("--epochs", type=positive, default=8)
    learning.add_argument("--minibatch", type=positive, default=8192)
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
    games: Iterable[int] = range(chosen.games) if chosen.games else numbers_for(chosen.minutes)
    found = record(chosen.bot, chosen.weights, chosen.seed, games, chosen.processes)
    with replacing(chosen.out) as draft, draft.open("wb") as file:
        np.savez(file, **found._asdict())
    played = counted(len(np.unique(found.games)), "game")
    print(f"{len(found.actions):,} decisions of {chosen.bot} in {played} are in {chosen.out}", flush=True)


def _learn(chosen: argparse.Namespace) -> None:
    from ..neural.weights_file import save_weights  # noqa: PLC0415

    recorded = load_recorded(chosen.games)
    settings = Settings(
        seed=chosen.seed,
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
    print(
        f"The net agrees in {agreement:.1%} of decisions, in games that it was not shown; "
        f"its weights are in {chosen.out}"
    )


if __name__ == "__main__":
    main()
