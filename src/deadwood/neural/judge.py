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
from .lineup import BOTS, lineup_layers, numbered, with_lineup
from .net import Weights, net, win_logits
from .weights_file import WeightsUnusable, load_weights

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
        judged = iter(self.opinions(going_on, _seen(going_on)) if going_on else ())
        return [_ended(state) if state.over else next(judged) for state in states]

    def opinions(self, states: Sequence[State], seen: Features) -> list[Judgement]:
        """What the net thinks of states of games that go on, as features show them."""
        opinion = net(np, self._weights, seen)
        policies, wins = _softmax(opinion.logits), _softmax(opinion.wins)
        final = opinion.scores * POINT_SCALE
        return [
            Judgement(policy, _by_seat(won, state), _by_seat(points, state))
            for state, policy, won, points in zip(states, policies, wins, final, strict=True)
        ]


class Prospect(NamedTuple):
    """What a net that knows the lineup thinks of one state."""

    wins: tuple[float, ...]  # by seat, the chance to win


class LineupJudge:
    """A net that judges states in which certain bots sit; `lineup` has their numbers by seat."""

    def __init__(self, weights: Weights, lineup: Sequence[int]) -> None:
        self._weights = weights
        self._by_active = [numbered([*lineup[seat:], *lineup[:seat]]) for seat in range(len(lineup))]

    def opinions(self, states: Sequence[State], seen: Features) -> list[Prospect]:
        """What the net thinks of states of games that go on, as features show them."""
        lineups = np.stack([self._by_active[state.active] for state in states])
        wins = _softmax(win_logits(np, self._weights, with_lineup(np, seen, lineups)))
        return [Prospect(_by_seat(won, state)) for state, won in zip(states, wins, strict=True)]


class Panel:
    """Several judges of the same states. They share what they see: looking costs as much as judging."""

    def __init__(self, *judges: Judge | LineupJudge) -> None:
        self._judges = judges

    def wins(self, states: Sequence[State]) -> list[tuple[tuple[float, ...], ...]]:
        """For every state, the chances to win by judge and seat; for finished games, the actual results."""
        going_on = [state for state in states if not state.over]
        seen = _seen(going_on) if going_on else None
        judged = zip(*(one.opinions(going_on, seen) for one in self._judges), strict=True) if seen else iter(())
        return [
            (win_shares(state),) * len(self._judges) if state.over else tuple(one.wins for one in next(judged))
            for state in states
        ]


def _seen(states: Sequence[State]) -> Features:
    observations = np.stack([encoding.observe(state) for state in states])
    masks = np.stack([encoding.action_mask(state) for state in states])
    return features(np, observations, masks)


def _ended(state: State) -> Judgement:
    nothing = np.zeros(encoding.ACTIONS, np.float32)
    return Judgement(nothing, win_shares(state), tuple(map(float, scores(state))))


def _softmax(logits: Any) -> Any:
    powers = np.exp(logits - logits.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def _by_seat(values: Any, state: State) -> tuple[float, ...]:
    """Values counted from the active player, by seat."""
    count = len(state.players)
    return tuple(float(values[(seat - state.active) % count]) for seat in range(count))


@lru_cache(maxsize=4)
def lineup_weights(path: Path) -> Weights:
    """The weights of a net that knows the lineup, from a file, which is read once."""
    weights, about = load_weights(path, lineup_layers)
    if about.get("bots") != list(BOTS):
        raise WeightsUnusable(f"{path} was trained for other bots than {', '.join(BOTS)}.")
    return weights


@lru_cache(maxsize=4)
def judge_from(path: Path) -> Judge:
    """The judge with the weights of a file, which is read once."""
    return Judge(load_weights(path).weights)
