"""Checkpoints: everything that a run needs to go on exactly as if it had not stopped."""

import json
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import msgspec
import numpy as np

from .. import encoding
from ..engine.refusal import DeadwoodError
from ..files import replacing
from ..neural import features
from ..neural.net import Weights, layer_sizes
from .config import Settings
from .curve import Point
from .games import Games
from .learner import Mind

FORMAT = 1
_ABOUT = "about"
_MIND = ("weights", "average", "mean", "square")  # the parts of a mind that have a value for every weight


class CheckpointUnusable(DeadwoodError):
    """A file that is not a checkpoint this version can resume."""


class CheckpointFacts(msgspec.Struct, frozen=True, kw_only=True):
    """Everything in a checkpoint that is not an array."""

    settings: Settings
    update: int
    seconds: float  # how long the run has taken so far
    pooled: int  # how many nets the pool has seen
    best_star: float | None
    best_update: int = 0  # the update that the best net is from
    rivals: list[str]  # fingerprints
    curve: list[Point]


class Checkpoint(NamedTuple):
    """A run between two updates. All randomness follows from the seed and the number of the update."""

    about: CheckpointFacts
    mind: Mind
    pool: Weights
    best: Weights
    games: Games


def save_checkpoint(path: Path, run: Checkpoint) -> None:
    """Write a checkpoint; a crash leaves the old one or the new one."""
    about = {"format": FORMAT, "encoding": encoding.VERSION, "features": features.VERSION}
    text = json.dumps(about | msgspec.to_builtins(run.about))
    arrays: dict[str, Any] = {_ABOUT: np.frombuffer(text.encode(), np.uint8)}
    for group in _MIND:
        arrays |= _named(group, getattr(run.mind, group))
    arrays |= _named("pool", run.pool) | _named("best", run.best)
    arrays["gradients"] = np.asarray(run.mind.gradients)
    arrays |= {f"games/{number}": np.asarray(leaf) for number, leaf in enumerate(jax.tree.leaves(run.games))}
    with replacing(path) as draft, draft.open("wb") as file:
        np.savez(file, **arrays)


def _named(group: str, weights: Weights) -> dict[str, Any]:
    return {f"{group}/{name}": np.asarray(values) for name, values in weights.items()}


def load_checkpoint(path: Path, games: Any) -> Checkpoint:
    """Read a checkpoint. `games` makes games of the right structure from the settings."""
    arrays = _arrays(path)
    about = _about(path, arrays)
    try:
        return _run_of(about, arrays, games(about.settings))
    except KeyError as error:
        raise CheckpointUnusable(f"{path} is not a whole checkpoint of `deadwood train`.") from error


def _run_of(about: CheckpointFacts, arrays: dict[str, Any], games: Any) -> Checkpoint:
    """The run that is in these arrays; raises KeyError if one is missing."""
    layers = [name for layer in layer_sizes(about.settings.shape) for name in (layer, f"{layer}_bias")]

    def group(name: str) -> Weights:
        return {layer: jnp.asarray(arrays[f"{name}/{layer}"]) for layer in layers}

    weights, average, mean, square = map(group, _MIND)
    mind = Mind(weights, average, mean, square, jnp.asarray(arrays["gradients"]))
    leaves, structure = jax.tree.flatten(games)
    kept = [jnp.asarray(arrays[f"games/{number}"]) for number in range(len(leaves))]
    return Checkpoint(about, mind, group("pool"), group("best"), jax.tree.unflatten(structure, kept))


def _arrays(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
            return {name: kept[name] for name in kept.files}
    except FileNotFoundError:
        raise CheckpointUnusable(f"There is no checkpoint {path}.") from None
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise CheckpointUnusable(f"{path} is not a checkpoint of `deadwood train`.") from error


def _about(path: Path, arrays: dict[str, Any]) -> CheckpointFacts:
    try:
        about = json.loads(arrays[_ABOUT].tobytes())
        versions = [about.pop(name) for name in ("format", "encoding", "features")]
    except (KeyError, ValueError, AttributeError) as error:
        raise CheckpointUnusable(f"{path} is not a checkpoint of `deadwood train`.") from error
    if versions != [FORMAT, encoding.VERSION, features.VERSION]:
        raise CheckpointUnusable(f"{path} is from another version of the training; start anew without --resume.")
    try:
        return msgspec.convert(about, CheckpointFacts)
    except msgspec.ValidationError as error:
        raise CheckpointUnusable(
            f"{path} is from another version of the training; start anew without --resume."
        ) from error
