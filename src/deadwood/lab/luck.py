"""What luck gave every seat of a game, in chances to win as two nets see them: the champion's, and one that knows
which bots sit where.

Every die and every card changes the chances to win. The change beyond its expectation is luck. In every game luck is 0
on average, however wrong the nets may be, so results without it have the same mean and a smaller spread (control
variates, as in AIVAT). Where an expectation is sampled, the samples are independent of the game, so the mean is
unbiased.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Protocol

import numpy as np

from ..bots import factory as registered
from ..bots import names
from ..bots.champion import Branch, Ply, can_see, weights_path
from ..engine.actions import Act, Action, Move
from ..engine.state import State
from ..neural.judge import judge_from
from ..neural.weights_file import WeightsUnusable
from .contestants import factory
from .judges import LineupJudge, Panel, lineup_weights
from .lineup import BOTS

Chances = tuple[tuple[float, ...], ...]  # to win, by judge and seat
LINEUPS = Path(__file__).with_name("lineups.npz")  # the weights of the net that knows who sits where
STRANGER = "star"  # the bot that a bot which the net does not know counts as

CARDS, WRAPS = 16, 24  # samples of what might have come up instead
_AT_ONCE = 512  # states that are judged together


def can_be_judged(state: State) -> bool:
    """Whether there is a champion that knows this kind of table."""
    return _why_unusable(judge_from, weights_path()) is None and can_see(state)


def problem() -> str | None:
    """What people should know if the weights of a judge cannot be used."""
    champion, lineups = _why_unusable(judge_from, weights_path()), _why_unusable(lineup_weights, LINEUPS)
    if champion:
        return f"Luck is not measured. {champion}"
    return f"Only the champion judges luck. {lineups}" if lineups else None


def _why_unusable(read: Callable[[Path], object], file: Path) -> str | None:
    try:
        read(file)
    except WeightsUnusable as error:
        return str(error)
    return None


class Judges(Protocol):
    """Judges of states, such as `deadwood.lab.judges.Panel`."""

    def wins(self, states: Sequence[State], /) -> Sequence[Chances]:
        """For every state, the chances to win by judge and seat; for finished games, the actual results."""


def judges_of(seats: Sequence[str]) -> Panel:
    """The judges of a table where these bots sit: their errors differ, so together they explain more than either."""
    champion = judge_from(weights_path())
    if _why_unusable(lineup_weights, LINEUPS):
        return Panel(champion)
    return Panel(champion, LineupJudge(lineup_weights(LINEUPS), [BOTS.index(known(bot)) for bot in seats]))


def known(bot: str) -> str:
    """Which of the net's bots this one counts as: itself, the one that it is a variant of, or STRANGER."""
    if bot in BOTS:
        return bot
    made = factory(bot)
    varied = (name for name in BOTS if name in names() and _varies(made, registered(name)))
    return next(varied, STRANGER)


def _varies(made: object, original: object) -> bool:
    return isinstance(made, type) and isinstance(original, type) and issubclass(made, original)


class Draw(NamedTuple):
    """What chance led to, and all that it might have led to."""

    after: State
    branches: list[Branch]

    @property
    def states(self) -> list[State]:
        """All states that have to be judged."""
        return [self.after, *(branch.state for branch in self.branches)]


class Ledger:
    """Watches a game and keeps account of its luck."""

    def __init__(self, seed: int, judges: Judges) -> None:
        self._random = Random(seed)
        self._judges = judges
        self._draws: list[Draw] = []

    def __call__(self, state: State, action: Action, after: State) -> None:
        if not isinstance(action, Act | Move):  # nothing else depends on chance
            return
        branches = list(Ply(state, self._random, CARDS, WRAPS).branches([action]))
        if len(branches) > 1:
            self._draws.append(Draw(after, branches))

    @property
    def luck(self) -> Chances:
        """By judge and seat, how much chance added to the chance to win; nothing, if nothing depended on chance."""
        judged = self._judged()
        total = sum(self._gained(draw, judged) for draw in self._draws)
        return tuple(map(tuple, np.asarray(total).tolist())) if self._draws else ()

    @staticmethod
    def _gained(draw: Draw, judged: Iterator[Chances]) -> Any:
        after = np.array(next(judged))
        expected = sum(branch.likely * np.array(next(judged)) for branch in draw.branches)
        return after - expected

    def _judged(self) -> Iterator[Chances]:
        """The chances in all states, in their order."""
        states = [state for draw in self._draws for state in draw.states]
        for first in range(0, len(states), _AT_ONCE):
            yield from self._judges.wins(states[first : first + _AT_ONCE])
