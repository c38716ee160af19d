"""The net: shared layers for areas and seats, pooled into a residual trunk; a policy, and two values for every seat."""

from typing import Any, NamedTuple

import numpy as np

from ..encoding import ACTIONS, AREAS
from .features import Array, Features, Sizes, sizes
from .shape import Shape

Weights = dict[str, Array]
ILLEGAL = -1e9  # the logit of an illegal action
_TINY = 1e-6


class Opinion(NamedTuple):
    """What the net thinks. Seats are counted from the active player."""

    logits: Array  # by action; ILLEGAL for illegal ones
    wins: Array  # by seat, logits of the chances to win
    scores: Array  # by seat, the expected final score, in POINT_SCALE


def layer_sizes(shape: Shape, seen: Sizes | None = None) -> dict[str, tuple[int, int]]:
    """Inputs and outputs of every layer."""
    seen = seen or sizes()
    width, rows, blocks = shape
    trunk = {f"block_{number}_{half}": (width, width) for number in range(blocks) for half in ("in", "out")}
    return {
        "area": (seen.area, rows),
        "seat": (seen.seat, rows),
        "trunk": (seen.rest + 5 * rows, width),
        **trunk,
        "context": (width, 2 * rows),
        "move": (rows, rows),
        "future": (rows, rows),
        "move_out": (rows, 1),
        "action_out": (width, ACTIONS - AREAS),
        "future_out": (rows, 2),
    }


def shape_of(weights: Weights) -> Shape:
    """The shape of a net, from its weights."""
    width, rows = weights["trunk"].shape[1], weights["area"].shape[1]
    return Shape(width, rows, sum(name.endswith("_in") for name in weights))


def new_weights(seed: int, shape: Shape) -> Weights:
    """An untrained net; from numpy, so that it is the same on every device."""
    return untrained(seed, layer_sizes(shape))


def untrained(seed: int, layers: dict[str, tuple[int, int]]) -> Weights:
    """Untrained weights for these layers."""
    chance = np.random.default_rng(seed)
    weights = {}
    for name, (inputs, outputs) in layers.items():
        gain = 0.01 if name.endswith("_out") else 2**0.5
        weights[name] = gain * _orthogonal(chance, inputs, outputs)
        weights[f"{name}_bias"] = np.zeros(outputs, np.float32)
    return weights


def _orthogonal(chance: np.random.Generator, inputs: int, outputs: int) -> Array:
    tall = chance.normal(size=(max(inputs, outputs), min(inputs, outputs)))
    q, r = np.linalg.qr(tall)
    q = q * np.sign(np.diag(r))
    return (q if inputs >= outputs else q.T).astype(np.float32)


def net(xp: Any, weights: Weights, seen: Features) -> Opinion:
    """What the net thinks of positions. The big layers compute in the features' type, the outputs in float32."""
    use = _Layers(xp, weights)
    areas, seats, trunk = use.read(seen)
    to_moves, to_futures = xp.split(use.layer("context", trunk), 2, -1)
    moves = xp.maximum(use.layer("move", areas) + to_moves[..., None, :], 0)
    logits = xp.concatenate([use.output("move_out", moves)[..., 0], use.output("action_out", trunk)], -1)
    win, gain = xp.moveaxis(use.futures(seats, to_futures), -1, 0)
    return Opinion(
        logits=xp.where(seen.mask, logits, ILLEGAL),
        wins=xp.where(seen.present > 0, win, ILLEGAL),
        scores=(seen.points + gain) * seen.present,
    )


def win_logits(xp: Any, weights: Weights, seen: Features) -> Array:
    """By seat, logits of the chances to win, from a net that gives nothing else."""
    use = _Layers(xp, weights)
    _, seats, trunk = use.read(seen)
    win = use.futures(seats, use.layer("context", trunk))[..., 0]
    return xp.where(seen.present > 0, win, ILLEGAL)


class _Layers:
    """The layers of a net."""

    def __init__(self, xp: Any, weights: Weights) -> None:
        self._xp, self._weights = xp, weights

    def layer(self, name: str, inputs: Array) -> Array:
        """A big layer."""
        return _times(inputs, self._weights[name]) + self._weights[f"{name}_bias"]

    def output(self, name: str, inputs: Array) -> Array:
        """A layer of outputs."""
        xp, matrix = self._xp, self._weights[name]
        product = _times(inputs, matrix) if xp is np else _times_widely(xp, inputs, matrix)
        return product + self._weights[f"{name}_bias"].astype(np.float32)

    def read(self, seen: Features) -> tuple[Array, Array, Array]:
        """Areas, seats, and the trunk with everything that was pooled."""
        xp = self._xp
        areas = xp.maximum(self.layer("area", seen.areas), 0)
        seats = xp.maximum(self.layer("seat", seen.seats), 0) * seen.present[..., None].astype(seen.seats.dtype)
        pooled = [xp.mean(areas, -2), xp.max(areas, -2), seats[..., 0, :], xp.mean(seats, -2), xp.max(seats, -2)]
        trunk = self.layer("trunk", xp.concatenate([seen.rest, *pooled], -1))
        for number in range(shape_of(self._weights).blocks):
            hidden = xp.maximum(self.layer(f"block_{number}_in", _normal(xp, trunk)), 0)
            trunk = trunk + self.layer(f"block_{number}_out", hidden)
        return areas, seats, xp.maximum(_normal(xp, trunk), 0)

    def futures(self, seats: Array, context: Array) -> Array:
        """How the game ends for every seat."""
        hidden = self._xp.maximum(self.layer("future", seats) + context[..., None, :], 0)
        return self.output("future_out", hidden)


def _times(inputs: Array, matrix: Array) -> Array:
    """One product for all rows of a batch: in numpy that is faster than a product for each position."""
    return (inputs.reshape(-1, inputs.shape[-1]) @ matrix).reshape(*inputs.shape[:-1], matrix.shape[-1])


def _times_widely(xp: Any, inputs: Array, matrix: Array) -> Array:
    return xp.matmul(inputs, matrix, preferred_element_type=np.float32)


def _normal(xp: Any, values: Array) -> Array:
    """The values scaled to a mean square of 1, which keeps residual layers stable."""
    wide = values.astype(np.float32)
    return (wide / xp.sqrt(xp.mean(wide * wide, -1, keepdims=True) + _TINY)).astype(values.dtype)
