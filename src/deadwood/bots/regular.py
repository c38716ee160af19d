"""`regular`: a plan. Which role is worth walking to, when to act or rehearse, when to go for which rank."""

from collections.abc import Sequence

from ..engine.actions import Act, Action, EndTurn, Move, Rehearse, TakeRole, Upgrade
from ..engine.legality import affordable, role_number
from ..engine.options import POINTS_PER_RANK
from ..engine.state import State
from ..engine.table import FACE_DOWN
from .prospects import book_of, taken_roles
from .worth import acting, rehearsing, worth

TURN = 1.0  # points that a turn is worth elsewhere
TURNS_PER_SCENE = 3.2  # how many turns of all players together a scene takes
UNSTUCK = 30.0  # points that any rank is worth to somebody for whom there is no work
RATES = {1: 0.0, 2: 0.14, 3: 0.26, 4: 0.38, 5: 0.46, 6: 0.52}  # points a turn that a rank brings over rank 1


class RegularBot:
    """Weighs every role and rank within reach by what it brings, less the turns it takes."""

    level = 3

    def __init__(self, seed: int | None = None) -> None:
        del seed  # this one leaves nothing to chance

    def decide(self, state: State, actions: Sequence[Action]) -> Action:
        if len(actions) == 1:
            return actions[0]
        return max(actions, key=Plan(state).value)


class Plan:
    """What the active player's actions promise, in points."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._player = state.players[state.active]
        self._book = book_of(state.table)
        self._scenes: tuple[tuple[int, float], ...] | None = None
        self._office = 0.0

    def value(self, action: Action) -> float:
        """Points that an action promises, less what the turns are worth that it takes."""
        match action:
            case Act():
                return acting(self._book.job(self._state, self._player), TURN)
            case Rehearse():
                return rehearsing(self._book.job(self._state, self._player), TURN)
            case TakeRole():
                return self._role_worth(role_number(action))
            case Upgrade():
                return self._upgrade_gain(action) + self._best_from(self._player.area)
            case Move():
                return self._best_from(self._state.table.area_numbers[action.area])
            case EndTurn():
                return self._best_from(self._player.area) - TURN

    def _role_worth(self, role: int) -> float:
        state, area = self._state, self._player.area
        taken = taken_roles(state, area)
        return worth(self._book.work(area, state.scenes[area], state.shots[area], taken, role), TURN)

    def _best_from(self, here: int) -> float:
        """The best that can be reached from a place, less the turns to get there."""
        if self._scenes is None:
            self._look_around()
        assert self._scenes is not None
        far = self._state.table.distances[here]
        best = max([promise - TURN * far[area] for area, promise in self._scenes])
        return max(best, self._office - TURN * far[self._state.table.office], 0.0)

    def _look_around(self) -> None:
        """What every scene and the Casting Office promise; the same for all actions."""
        state, rank = self._state, self._player.rank
        self._scenes = tuple(
            (area, self._book.promise(state, area, rank, TURN))
            for area, scene in enumerate(state.scenes)
            if scene >= FACE_DOWN
        )
        self._office = max((self._upgrade_gain(one) for one in affordable(state, self._player)), default=0.0)

    def _upgrade_gain(self, upgrade: Upgrade) -> float:
        """Points at the end, and better roles until then, less the price."""
        rank = self._player.rank
        better = (RATES[upgrade.rank] - RATES[rank]) * turns_left(self._state) + UNSTUCK * self._is_stuck()
        return POINTS_PER_RANK * (upgrade.rank - rank) - self._state.table.prices[upgrade] + better

    def _is_stuck(self) -> bool:
        """Whether no scene has a role for the player's rank; then only a rank gets the game on."""
        state, rank = self._state, self._player.rank
        places = [area for area, scene in enumerate(state.scenes) if scene >= FACE_DOWN]
        return not any(self._book.promise(state, area, rank, TURN) > 0 for area in places)


def turns_left(state: State) -> float:
    """About how many turns each player still has in the game."""
    table = state.table
    scenes = state.scenes_left + (table.days - state.day) * table.new_scenes.count(FACE_DOWN)
    return scenes * TURNS_PER_SCENE / len(state.players)
