"""What luck gave every seat of a game, in chances to win as the champion sees them.

Every die and every card changes the chances to win. The change beyond its expectation is luck. On average luck is 0,
however wrong the champion may be, so results without it have the same mean and a smaller spread (control variates, as
in AIVAT). Where an expectation is sampled, the samples are independent of the game, so the mean is unbiased.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from ..bots.champion import Branch, ChampionBot, Ply, can_see, weights_path
from ..engine.actions import Act, Action, Move
from ..engine.state import State
from ..neural.judge import Judge, judge_from

CARDS, WRAPS = 16, 24  # samples of what might have come up instead
_AT_ONCE = 512  # states that are judged together


def can_be_judged(state: State) -> bool:
    """Whether there is a champion that knows this kind of table."""
    return ChampionBot.offered() and can_see(state)


class Moment(NamedTuple):
    """What chance led to, and all that it might have led to."""

    after: State
    branches: list[Branch]

    @property
    def states(self) -> list[State]:
        """All states that have to be judged."""
        return [self.after, *(branch.state for branch in self.branches)]


class Ledger:
    """Watches a game and keeps account of its luck."""

    def __init__(self, seed: int, judge: Judge | None = None) -> None:
        self._random = Random(seed)
        self._judge = judge
        self._moments: list[Moment] = []

    def __call__(self, state: State, action: Action, after: State) -> None:
        if not isinstance(action, Act | Move):  # nothing else depends on chance
            return
        branches = list(Ply(state, self._random, CARDS, WRAPS).branches([action]))
        if len(branches) > 1:
            self._moments.append(Moment(after, branches))

    def luck(self, players: int) -> tuple[float, ...]:
        """By seat, how much chance added to its chance to win."""
        judged = self._judged()
        total = [0.0] * players
        for moment in self._moments:
            after = next(judged)
            expected = [(branch.likely, next(judged)) for branch in moment.branches]
            for seat in range(players):
                total[seat] += after[seat] - sum(likely * wins[seat] for likely, wins in expected)
        return tuple(total)

    def _judged(self) -> Iterator[Sequence[float]]:
        """The chances to win of all states, in their order."""
        states = [state for moment in self._moments for state in moment.states]
        judge = self._judge or judge_from(weights_path())
        for first in range(0, len(states), _AT_ONCE):
            for judgement in judge.judge(states[first : first + _AT_ONCE]):
                yield judgement.wins
