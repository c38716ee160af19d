"""A training run: play, learn, evaluate, keep the best, until the time or the updates are used up."""

import hashlib
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import msgspec
import numpy as np
from msgspec.structs import replace

from ..neural.net import Weights, new_weights
from ..neural.weights_file import load_weights, save_weights
from .checkpoint import Checkpoint, CheckpointFacts, load_checkpoint, save_checkpoint
from .config import Settings, settings_from
from .curve import Point, save_curve
from .evaluation import Match
from .games import Games
from .kinds import Kind, kinds
from .learner import Mind, as_numbers, make_learn, new_mind, pace
from .pool import new_pool, renewed
from .rollout import FinishedGames, casting, make_play, new_games
from .tables import stacked
from .watch import MeasuringFailed, Seen, Watch

Echo = Callable[[str], None]
REPORT_SECONDS = 10.0  # between two lines of progress
_UNUSUAL = 2  # kinds of table for every number of players in an evaluation: a usual one, and an unusual one


class Paths(NamedTuple):
    """Where a run writes."""

    weights: Path

    @property
    def checkpoint(self) -> Path:
        """Everything that is needed to resume."""
        return self.weights.with_suffix(".checkpoint.npz")

    @property
    def curve(self) -> Path:
        """All evaluations."""
        return self.weights.with_suffix(".curve.json")


def finished(values: Any) -> None:
    """Wait until the values are computed."""
    jax.block_until_ready(values)  # type: ignore[no-untyped-call]


class Clock:
    """Seconds since the run began, for playing and learning separately, without the first update, which compiles."""

    def __init__(self, before: float) -> None:
        self._began = time.perf_counter() - before
        self.playing = self.learning = 0.0
        self.decisions = 0

    @property
    def seconds(self) -> float:
        """How long the run has taken, including the time before it was resumed."""
        return time.perf_counter() - self._began

    def count(self, playing: float, learning: float, decisions: int) -> None:
        """Count an update."""
        self.playing += playing
        self.learning += learning
        self.decisions += decisions

    def rates(self) -> str:
        """Decisions per second: overall, of playing alone, and of learning alone; resets the counts."""
        numbers = [
            self.decisions / max(seconds, 1e-9) / 1e6
            for seconds in (self.playing + self.learning, self.playing, self.learning)
        ]
        self.playing = self.learning = 0.0
        self.decisions = 0
        both, playing, learning = numbers
        return f"{both:.2f} M/s (play {playing:.2f}, learning {learning:.2f})"


class Rival(NamedTuple):
    """A net that always takes part as an opponent."""

    fingerprint: str
    weights: Weights


def load_rival(path: Path) -> Rival:
    """A rival from a file of weights."""
    weights = load_weights(path).weights
    fingerprint = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    return Rival(fingerprint, _on_device(weights))


class Run:
    """A run in memory: everything that a checkpoint keeps, and the compiled functions."""

    def __init__(self, settings: Settings, rivals: Sequence[Rival] = (), before: Checkpoint | None = None) -> None:
        self.settings, self._rivals = settings, list(rivals)
        self._cast = casting(settings, len(rivals))
        self._tables = jax.tree.map(jnp.asarray, stacked(kinds(settings)))
        self._play = jax.jit(make_play(settings, len(rivals)))
        self._learn = jax.jit(make_learn(settings, self._cast.own))
        chosen = evaluation_kinds(settings)
        self._match = Match(settings, chosen, settings.judged, settings.standard)
        self._tally: FinishedGames | None = None
        self._begin(before)

    def _begin(self, before: Checkpoint | None) -> None:
        if before is None:
            fresh = new_weights(self.settings.seed, self.settings.shape)
            self.mind = new_mind(fresh)
            self.pool, self.pooled = _on_device(new_pool(fresh, self.settings.pool)), 0
            self.best, self.best_star, self.best_update = _halved(fresh), None, 0
            start = jax.jit(lambda tables, key: new_games(self.settings, self._cast, tables, key))
            self.games = start(self._tables, self._key(0, 0))
            self.number, self.curve, self.clock = 0, list[Point](), Clock(0.0)
        else:
            about, self.mind, self.pool, self.best, self.games = before
            self.pooled, self.best_star, self.best_update = about.pooled, about.best_star, about.best_update
            self.number, self.curve, self.clock = about.update, list(about.curve), Clock(about.seconds)

    def _key(self, *path: int) -> jax.Array:
        """A key that depends only on the seed and a path, so that no random state has to be kept."""
        key = jax.random.key(self.settings.seed)
        for step in path:
            key = jax.random.fold_in(key, step)
        return key

    def update(self) -> dict[str, float]:
        """Play once and learn from it; returns the losses."""
        began = time.perf_counter()
        playing, learning = jax.random.split(self._key(1, self.number))
        rivals = [rival.weights for rival in self._rivals]
        played = self._play(self.mind.weights, self.pool, rivals, self._tables, self.games, playing)
        finished(played)
        between = time.perf_counter()
        now = pace(self.settings, self.number)
        mind, losses = self._learn(self.mind, played, self._tables, learning, now)
        finished(mind)
        pool, pooled = self._next_pool(mind)
        # At once, so that an interrupt leaves everything as it was before the update.
        self.mind, self.games, self.pool, self.pooled, self.number = mind, played.games, pool, pooled, self.number + 1
        self.clock.count(between - began, time.perf_counter() - between, self.settings.batch)
        self._count(played.tally)
        return as_numbers(losses)

    def _next_pool(self, mind: Mind) -> tuple[Weights, int]:
        """The pool after this update, and how many nets it has seen."""
        if (self.number + 1) % self.settings.pool_every:
            return self.pool, self.pooled
        return _on_device(renewed(self.pool, mind.average, self.pooled + 1)), self.pooled + 1

    def _count(self, tally: FinishedGames) -> None:
        counted = FinishedGames(*map(np.asarray, tally))
        self._tally = counted if self._tally is None else FinishedGames(*map(np.add, self._tally, counted))

    def strengths(self) -> dict[str, float]:
        """The learner's wins divided by its fair share, in training games with strangers; resets the counts."""
        if self._tally is None:
            return {}
        tally, self._tally = self._tally, None
        found: dict[str, list[float]] = {}
        for name, first, end in self._cast.groups():
            sums = found.setdefault(name, [0.0, 0.0])
            sums[0] += float(tally.won[first:end].sum())
            sums[1] += float(tally.fair[first:end].sum())
        return {name: won / fair for name, (won, fair) in found.items() if fair}

    @property
    def decisions(self) -> int:
        """How many decisions it has learned from."""
        return self.number * self.settings.batch

    @property
    def is_due(self) -> bool:
        """Whether the next evaluation comes before the next update."""
        is_at_end = self.number >= self.settings.updates
        is_new = not self.curve or self.curve[-1].update != self.number
        return is_new and self.number > 0 and (is_at_end or self.number % self.settings.every == 0)

    def candidate(self) -> Weights:
        """The averaged net, as its file would keep it."""
        return _halved(self.mind.average)

    def evaluate(self) -> Point:
        """Match the averaged net with the best one so far; if it is better, it becomes the best one.

        Both also play against the same earlier nets and vector bots, so that no net becomes the best one that forgot
        how to beat them.
        """
        net, seed = self.candidate(), self.number
        strength = self._match.of_nets(net, self.best, seed)
        others = self._match.of_others(net, self.pool, seed)
        point = Point(
            update=self.number,
            decisions=self.decisions,
            minutes=round(self.clock.seconds / 60, 2),
            strength=strength.mean,
            error=strength.error,
            hopeful=others["hopeful"].mean,
            is_best=False,
            others=others,
            best_others=self._match.of_others(self.best, self.pool, seed),
        )
        if not self.curve or (point.is_better and self.best_star is None):
            point = replace(point, is_best=True)
            self.best, self.best_update = net, self.number
        self.curve.append(point)
        return point

    def note(self, seen: Seen) -> str:
        """Add a measurement to its point of the curve.

        From now on, the best net is the one that measured best, of those that were not clearly weaker against anybody.
        """
        at = next(at for at, point in enumerate(self.curve) if point.update == seen.update)
        is_best = (self.best_star is None or seen.strength > self.best_star) and not self.curve[at].weaker_against
        if is_best:
            self.best, self.best_star, self.best_update = seen.weights, seen.strength, seen.update
        self.curve[at] = replace(self.curve[at], star=seen.shares, is_best=is_best)
        shares = ", ".join(f"{table} {share:.1%}" for table, share in seen.shares.items())
        return f"measured update {seen.update:,}: {shares}{', the best so far' if is_best else ''}"

    def checkpoint(self) -> Checkpoint:
        """The run as it is now."""
        about = CheckpointFacts(
            settings=self.settings,
            update=self.number,
            seconds=self.clock.seconds,
            pooled=self.pooled,
            best_star=self.best_star,
            best_update=self.best_update,
            rivals=[rival.fingerprint for rival in self._rivals],
            curve=self.curve,
        )
        return Checkpoint(about, self.mind, self.pool, self.best, self.games)

    def save(self, paths: Paths) -> None:
        """Write the checkpoint, the best weights (before the first evaluation, the last ones) and the curve."""
        save_checkpoint(paths.checkpoint, self.checkpoint())
        best, update = (self.best, self.best_update) if self.curve else (self.candidate(), self.number)
        about = {"update": update, "decisions": update * self.settings.batch}
        save_weights(paths.weights, best, about | {"settings": msgspec.to_builtins(self.settings)})
        save_curve(paths.curve, [msgspec.to_builtins(point) for point in self.curve])


def _on_device(weights: Weights) -> Weights:
    return {name: jnp.asarray(values) for name, values in weights.items()}


def _halved(weights: Weights) -> Weights:
    """Weights as their file keeps them, so that exactly what is kept is evaluated."""
    return {name: np.asarray(values, np.float16).astype(np.float32) for name, values in weights.items()}


def evaluation_kinds(settings: Settings) -> list[Kind]:
    """For every number of players a usual table and an unusual one, as far as the run has them."""
    found: dict[int, list[Kind]] = {players: [] for players in settings.players}
    for kind in kinds(settings):
        if len(found[kind.players]) < _UNUSUAL and kind not in found[kind.players]:
            found[kind.players].append(kind)
    return [kind for chosen in found.values() for kind in chosen]


def blank_games(settings: Settings) -> Games:
    """The structure of a run's games."""
    cast_list, tables = casting(settings, 0), stacked(kinds(settings)[:1])
    one = replace(settings, tables=1, envs=settings.columns)
    shaped: Games = jax.eval_shape(lambda key: new_games(one, cast_list, tables, key), jax.random.key(0))
    return shaped


def begin(given: dict[str, object], rivals: Sequence[Path], resume: Path | None) -> Run:
    """A new run, or one that goes on from a checkpoint.

    It continues exactly if settings and rivals are the same. They may also change; games that have begun keep their
    players.
    """
    known = [load_rival(path) for path in rivals]
    if resume is None:
        return Run(settings_from(given), known)
    before = load_checkpoint(resume, blank_games)
    return Run(settings_from(given, before.about.settings), known, before)


class RunLimits(NamedTuple):
    """When to stop, and how many games other processes play against `star` after every evaluation."""

    minutes: float | None = None
    star_games: int = 0
    processes: int = 1


def train(run: Run, paths: Paths, limits: RunLimits, echo: Echo) -> None:
    """Train until the updates or the minutes are used up; a checkpoint is always written, even on an interrupt.

    A run that was stopped and resumed ends as one that was not, unless other processes measure nets: their time varies.
    """
    end = float("inf") if limits.minutes is None else time.perf_counter() + 60 * limits.minutes
    settings = run.settings
    _check_writable(paths)
    watch = Watch(limits.star_games, limits.processes) if limits.star_games else None
    if watch is None:
        run.best_star = None  # without measurements, a net becomes the best by beating the best one
    echo(_heading(run))
    try:
        _loop(run, paths, end, watch, echo)
        _finish(run, watch, echo)
    except (KeyboardInterrupt, MeasuringFailed):
        run.save(paths)
        echo(f"Stopped after update {run.number:,}; go on with --resume {paths.checkpoint}")
        raise
    finally:
        if watch is not None:
            watch.stop()
    run.save(paths)
    left = "" if run.number >= settings.updates else f"; go on with --resume {paths.checkpoint}"
    echo(_summary(run))
    echo(f"The best weights are in {paths.weights}{left}")


def _check_writable(paths: Paths) -> None:
    """Fail before hours of training, not after them."""
    paths.weights.parent.mkdir(parents=True, exist_ok=True)
    is_new = not paths.checkpoint.exists()
    with paths.checkpoint.open("ab"):
        pass
    if is_new:
        paths.checkpoint.unlink()


def _loop(run: Run, paths: Paths, end: float, watch: Watch | None, echo: Echo) -> None:
    """Update, and evaluate whenever that is due: also at once, if a run was interrupted while it evaluated."""
    settings, reported, compiled = run.settings, time.perf_counter(), False
    while True:
        if run.is_due:
            _evaluate(run, watch, echo)
            run.save(paths)
            reported = time.perf_counter()
        if run.number >= settings.updates or time.perf_counter() >= end:
            return
        losses = run.update()
        if not compiled:
            echo(f"compiled and played the first update in {time.perf_counter() - reported:.0f} s")
            run.clock.rates()
            compiled, reported = True, time.perf_counter()
        if time.perf_counter() - reported >= REPORT_SECONDS or run.number == settings.updates:
            echo(_progress(run, losses))
            reported = time.perf_counter()


def _evaluate(run: Run, watch: Watch | None, echo: Echo) -> None:
    """Evaluate, note what was measured meanwhile, and start to measure the present net."""
    echo(run.evaluate().line())
    if watch is None:
        return
    seen = watch.result()
    if seen is not None:
        echo(run.note(seen))
    if watch.is_free:
        watch.measure(run.number, run.candidate())


def _finish(run: Run, watch: Watch | None, echo: Echo) -> None:
    """Wait for measurements; after the last update, its net is measured, too.

    A run that stops earlier evaluates nothing that it would not have evaluated anyway: it may be resumed.
    """
    if watch is None:
        return
    seen = watch.result(wait=True)
    if seen is not None:
        echo(run.note(seen))
    if run.number >= run.settings.updates and (seen is None or seen.update != run.number):
        watch.measure(run.number, run.candidate())
        last = watch.result(wait=True)
        if last is not None:
            echo(run.note(last))


def _heading(run: Run) -> str:
    settings = run.settings
    size = sum(int(np.prod(values.shape)) for values in run.mind.weights.values())
    device = jax.devices()[0]
    return (
        f"{size:,} weights, {settings.batch:,} decisions an update, update {run.number:,} of {settings.updates:,}, "
        f"JAX {jax.__version__} on {device.device_kind}"
    )


def _summary(run: Run) -> str:
    rate = run.decisions / max(run.clock.seconds, 1e-9) / 1e6
    return (
        f"{run.decisions / 1e6:,.0f} M decisions in {run.clock.seconds / 60:.1f} minutes: {rate:.2f} M/s, compiling, "
        "evaluating and saving included"
    )


def _progress(run: Run, losses: dict[str, float]) -> str:
    numbers = " ".join(f"{name} {value:.4f}" for name, value in losses.items())
    strengths = "".join(f", {name} {value:.2f}" for name, value in run.strengths().items())
    return f"update {run.number:,}: {run.decisions / 1e6:,.0f} M decisions, {run.clock.rates()}, {numbers}{strengths}"
