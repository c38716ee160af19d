"""Judge: the net in numpy, for the engine's own states."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .. import encoding
from ..engine.scoring import scores, win_shares
from ..engine.state import State
from .features import POINT_SCALE, Features, features
from .net import Weights, net
from .weights_file import load_weights

Numbers = npt.NDArray[np.float32]


class Judgement(NamedTuple):
    """What the net thinks of one state."""

    policy: Numbers  # by action number, how likely the net would choose it
    wins: tuple[float, ...]  # by seat, the chance to win
    scores: tuple[float, ...]  # by seat, the expected final score


class Judge:
    """A net that judges states."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights

    def judge(self, states: Sequence[State]) -> list[Judgement]:
        """What the net thinks of these states; for finished games, the actual results."""
        going_on = [state for state in states if not state.over]
        judged = iter(self.opinions(going_on, look(going_on)) if going_on else ())
        return [_ended(state) if state.over else next(judged) for state in states]

    def opinions(self, states: Sequence[State], seen: Features) -> list[Judgement]:
        """What the net thinks of states of games that go on, as features show them."""
        opinion = net(np, self._weights, seen)
        policies, wins = softmax(opinion.logits), softmax(opinion.wins)
        final = opinion.scores * POINT_SCALE
        return [
            Judgement(policy, by_seat(won, state), by_seat(points, state))
            for state, policy, won, points in zip(states, policies, wins, final, strict=True)
        ]


def look(states: Sequence[State]) -> Features:
    """What a net sees of states of games that go on."""
    observations = np.stack([encoding.observe(state) for state in states])
    masks = np.stack([encoding.action_mask(state) for state in states])
    return features(np, observations, masks)


def _ended(state: State) -> Judgement:
    nothing = np.zeros(encoding.ACTIONS, np.float32)
    return Judgement(nothing, win_shares(state), tuple(map(float, scores(state))))


def softmax(logits: Any) -> Any:
    """Chances from logits."""
    powers = np.exp(logits - logits.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def by_seat(values: Any, state: State) -> tuple[float, ...]:
    """Values counted from the active player, by seat."""
    count = len(state.players)
    return tuple(float(values[(seat - state.active) % count]) for seat in range(count))


@lru_cache(maxsize=4)
def judge_from(path: Path) -> Judge:
    """The judge with the weights of a file, which is read once."""
    return Judge(load_weights(path).weights)
