"""What luck gave every seat of a game, in chances to win as a net sees them that knows who sits where.

Every die and every card changes the chances to win. The change beyond its expectation is luck. On average luck is 0,
however wrong the net may be, so results without it have the same mean and a smaller spread (control variates, as in
AIVAT). Where an expectation is sampled, the samples are independent of the game, so the mean is unbiased.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple, Protocol

from ..bots import factory as registered
from ..bots import names
from ..bots.champion import Branch, ChampionBot, Ply, can_see, weights_path
from ..engine.actions import Act, Action, Move
from ..engine.state import State
from ..neural.judge import LineupJudge, judge_from, lineup_weights
from ..neural.lineup import BOTS
from .contestants import factory

LINEUPS = Path(__file__).with_name("lineups.npz")  # the weights of that net
STRANGER = "star"  # the bot that a bot which the net does not know counts as

CARDS, WRAPS = 16, 24  # samples of what might have come up instead
_AT_ONCE = 512  # states that are judged together


def can_be_judged(state: State) -> bool:
    """Whether there is a champion that knows this kind of table."""
    return ChampionBot.offered() and can_see(state)


class HasWins(Protocol):
    """An opinion about a state."""

    @property
    def wins(self) -> tuple[float, ...]:
        """By seat, the chance to win."""


class Judge(Protocol):
    """Judges states; `deadwood.neural` has some."""

    def judge(self, states: Sequence[State], /) -> Sequence[HasWins]:
        """An opinion about every state; for finished games, the actual results."""


def judge_of(seats: Sequence[str]) -> Judge:
    """The judge of a table where these bots sit. Without the net that knows them, it is the champion."""
    if not LINEUPS.exists():
        return judge_from(weights_path())
    return LineupJudge(lineup_weights(LINEUPS), [BOTS.index(known(bot)) for bot in seats])


def known(bot: str) -> str:
    """The bot of those that the net knows which this one counts as: itself, the one that it varies, or STRANGER."""
    if bot in BOTS:
        return bot
    made = factory(bot)
    varied = (name for name in BOTS if name in names() and _varies(made, registered(name)))
    return next(varied, STRANGER)


def _varies(made: object, original: object) -> bool:
    return isinstance(made, type) and isinstance(original, type) and issubclass(made, original)


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

    def __init__(self, seed: int, judge: Judge) -> None:
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
        for first in range(0, len(states), _AT_ONCE):
            for judgement in self._judge.judge(states[first : first + _AT_ONCE]):
                yield judgement.wins
