"""Evaluating a state: everybody's expected final score, and the chance to win."""

from math import exp, sqrt

from ..engine.legality import affordable
from ..engine.scoring import win_shares
from ..engine.state import Player, State
from ..engine.table import FACE_DOWN
from .career import career_of, turns_left
from .prospects import book_of
from .role_value import worth

TURN = {1: 1.10, 2: 1.28, 3: 1.37, 4: 1.55, 5: 1.76, 6: 1.96}  # the value of a turn in points, by rank
LUCK = 3.0  # how far final scores stray from the expected ones, in points per square root of the turns left
OUT_OF_WORK = -30.0  # points for a player for whom no set has a role: only a new rank helps
FARTHEST = 50.0  # a larger exponent would make no difference


class Evaluation:
    """Evaluates the states of one table between turns."""

    def __init__(self, state: State) -> None:
        self._book = book_of(state.table)
        self._career = career_of(state.table)

    def win_chance(self, state: State, seat: int) -> float:
        """How likely a seat is to win: the larger its lead, and the less time is left, the likelier."""
        if state.over:
            return win_shares(state)[seat]
        turns = turns_left(state)
        luck = LUCK * sqrt(turns + 1)
        ends = [self.points(state, player, turns) for player in state.players]
        return 1 / sum([exp(min((end - ends[seat]) / luck, FARTHEST)) for end in ends])

    def points(self, state: State, player: Player, turns: int) -> float:
        """The expected final score: a career over `turns` turns, adjusted for the current role and place."""
        usual = self._career.points(player, turns)
        turn = TURN[player.rank]
        if player.role is not None:
            return usual + worth(self._book.job(state, player), turn)
        return usual + max(self._best_role(state, player, turn), self._best_rank(state, player, turns) - usual)

    def _best_role(self, state: State, player: Player, turn: float) -> float:
        """The value of the best role, less the way there. A role here costs a turn, like one next door."""
        far = state.table.distances[player.area]
        promises = [
            self._book.promise(state, area, player.rank, turn) - turn * (far[area] or 1)
            for area, scene in enumerate(state.scenes)
            if scene >= FACE_DOWN
        ]
        return max([*promises, OUT_OF_WORK])

    def _best_rank(self, state: State, player: Player, turns: int) -> float:
        """The expected final score after going to the Casting Office now."""
        left = max(0, turns - state.table.distances[player.area][state.table.office])
        return max((self._career.points_with(player, one, left) for one in affordable(state, player)), default=0.0)
