"""Judges of luck: a net that knows who sits where, and a panel of several nets."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..engine.scoring import win_shares
from ..engine.state import State
from ..neural.features import Features
from ..neural.judge import Judge, by_seat, look, softmax
from ..neural.net import Weights, win_logits
from ..neural.weights_file import WeightsUnusable, load_weights
from .lineup import BOTS, lineup_layers, numbered, with_lineup


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
        wins = softmax(win_logits(np, self._weights, with_lineup(np, seen, lineups)))
        return [Prospect(by_seat(won, state)) for state, won in zip(states, wins, strict=True)]


class Panel:
    """Several judges of the same states. They share what they see: looking costs as much as judging."""

    def __init__(self, *judges: Judge | LineupJudge) -> None:
        self._judges = judges

    def wins(self, states: Sequence[State]) -> list[tuple[tuple[float, ...], ...]]:
        """For every state, the chances to win by judge and seat; for finished games, the actual results."""
        going_on = [state for state in states if not state.over]
        seen = look(going_on) if going_on else None
        judged = zip(*(one.opinions(going_on, seen) for one in self._judges), strict=True) if seen else iter(())
        return [
            (win_shares(state),) * len(self._judges) if state.over else tuple(one.wins for one in next(judged))
            for state in states
        ]


@lru_cache(maxsize=4)
def lineup_weights(path: Path) -> Weights:
    """The weights of a net that knows the lineup, from a file, which is read once."""
    weights, about = load_weights(path, lineup_layers, "python -m deadwood.training.lineups")
    if about.get("bots") != list(BOTS):
        raise WeightsUnusable(f"{path} was trained for other bots than {', '.join(BOTS)}.")
    return weights
