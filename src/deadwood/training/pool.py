"""The pool: earlier nets as opponents, some recent and some old."""

import numpy as np

from ..neural.net import Weights


def new_pool(weights: Weights, size: int) -> Weights:
    """A pool of untrained nets, along a new first axis; in float16, as checkpoints keep it."""
    return {name: np.stack([np.asarray(values, np.float16)] * size) for name, values in weights.items()}


def slot(number: int, size: int) -> int:
    """The slot of the net with this number, from 1. Each slot is renewed half as often as the one before."""
    zeros = (number & -number).bit_length() - 1
    return min(zeros, size - 1)


def renewed(pool: Weights, weights: Weights, number: int) -> Weights:
    """The pool with this net in the slot of an earlier one."""
    fresh = {name: np.array(values) for name, values in pool.items()}
    for name, values in fresh.items():
        values[slot(number, len(values))] = np.asarray(weights[name], np.float16)
    return fresh
