"""The file of a net's weights: a .npz of float16 arrays, with the versions that it was trained for."""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from .. import encoding
from ..engine.refusal import DeadwoodError
from ..files import replacing
from . import features
from .net import Weights, layer_sizes, shape_of
from .shape import Shape

Layers = Callable[[Shape], dict[str, tuple[int, int]]]  # inputs and outputs of every layer of a net
_ABOUT = "about"  # the only entry that is not a weight


class WeightsUnusable(DeadwoodError):
    """A file without weights that this version can use."""


class Trained(NamedTuple):
    """Weights, and what their file says about them."""

    weights: Weights
    about: dict[str, Any]


def save_weights(path: Path, weights: Weights, about: dict[str, Any]) -> None:
    """Write weights as float16, with the versions of what the net sees."""
    text = json.dumps({**about, "encoding": encoding.VERSION, "features": features.VERSION}, sort_keys=True)
    halves = {name: np.asarray(values, np.float16) for name, values in weights.items()}
    with replacing(path) as draft, draft.open("wb") as file:
        np.savez_compressed(file, **{_ABOUT: np.frombuffer(text.encode(), np.uint8)}, **halves)  # type: ignore[arg-type]


def load_weights(path: Path, layers: Layers = layer_sizes, command: str = "deadwood train") -> Trained:
    """Read weights as float32; raises WeightsUnusable with a sentence if they do not fit a net with these layers.

    `command` is what makes such a file.
    """
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
            arrays = {name: kept[name] for name in kept.files}
        about = json.loads(arrays.pop(_ABOUT).tobytes())
    except FileNotFoundError:
        raise WeightsUnusable(f"There is no file {path}; `{command} --out {path}` makes one.") from None
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise WeightsUnusable(f"{path} is not a file of weights.") from error
    _check_versions(path, about, command)
    weights = {name: values.astype(np.float32) for name, values in arrays.items()}
    _check_layers(path, weights, layers)
    return Trained(weights, about)


def _check_versions(path: Path, about: dict[str, Any], command: str) -> None:
    for name, current in (("encoding", encoding.VERSION), ("features", features.VERSION)):
        if about.get(name) != current:
            raise WeightsUnusable(
                f"{path} was trained for version {about.get(name)} of the {name}; this is version {current}. "
                f"Train it again with `{command}`."
            )


def _check_layers(path: Path, weights: Weights, layers: Layers) -> None:
    try:
        found = layers(shape_of(weights))
    except (KeyError, IndexError):
        found = {}
    wanted = dict(found) | {f"{name}_bias": (outputs,) for name, (_, outputs) in found.items()}
    if not found or {name: values.shape for name, values in weights.items()} != wanted:
        raise WeightsUnusable(f"The weights in {path} do not fit the net.")
