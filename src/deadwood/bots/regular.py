"""`regular`: a plan. Which role is worth walking to, when to act or rehearse, when to go for which rank."""

from collections.abc import Sequence
from typing import NamedTuple

from ..engine.actions import Act, Action, EndTurn, Move, Rehearse, TakeRole, Upgrade
from ..engine.legality import affordable, role_number
from ..engine.odds import success_chance
from ..engine.scoring import gain
from ..engine.state import State
from ..engine.table import FACE_DOWN
from ..narration import BotReason
from .advising import Advice
from .career import turns_left
from .prospects import book_of, taken_roles
from .role_value import Work, acting, duration, rehearsing, worth

TURN = 1.0  # the value of a turn spent elsewhere, in points
UNSTUCK = 30.0  # the value of any rank to a player without work, in points
RATES = {1: 0.0, 2: 0.12, 3: 0.19, 4: 0.31, 5: 0.46, 6: 0.60}  # points per turn above rank 1: half of those measured


class RegularBot:
    """Values every role and rank within reach by what it earns, less the cost of the turns it takes."""

    level = 3

    def __init__(self, seed: int | None = None) -> None:
        del seed  # `regular` is deterministic

    def decide(self, state: State, actions: Sequence[Action]) -> Action:
        if len(actions) == 1:
            return actions[0]
        return max(actions, key=Valuation(state).value)

    def explain(self, state: State, actions: Sequence[Action]) -> list[Advice]:
        valuation = Valuation(state)
        return [Advice(action, valuation.value(action), valuation.reason(action)) for action in actions]


class Goal(NamedTuple):
    """A place to go to, and its value less the cost of the turns to get there."""

    worth: float
    area: int


NOWHERE = Goal(0.0, -1)


class Valuation:
    """The values of the active player's actions, in points."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._player = state.players[state.active]
        self._book = book_of(state.table)
        self._promises: list[Goal] | None = None

    def value(self, action: Action) -> float:
        """The points an action is expected to earn, less the cost of the turns it takes."""
        match action:
            case Act():
                return acting(self._book.job(self._state, self._player), TURN)
            case Rehearse():
                return rehearsing(self._book.job(self._state, self._player), TURN)
            case TakeRole():
                return self._role_worth(role_number(action))
            case Upgrade():
                return self._upgrade_gain(action) + self._goal_from(self._player.area).worth
            case Move():
                return self._goal_from(self._state.table.area_numbers[action.area]).worth
            case EndTurn():
                return self._goal_from(self._player.area).worth - TURN

    def reason(self, action: Action) -> BotReason:
        """Why an action is worth what it is."""
        match action:
            case Act():
                return self._job_reason("act", 0)
            case Rehearse():
                return self._job_reason("rehearse", 1)
            case TakeRole():
                return BotReason("role", _figures(self._work(role_number(action)), way=0))
            case Upgrade():
                return BotReason("rank", {"points": self._upgrade_gain(action)})
            case Move():
                return self._way(self._state.table.area_numbers[action.area])
            case EndTurn():
                return BotReason("wait", {"then": self._way(self._player.area)})

    def _job_reason(self, key: str, chips: int) -> BotReason:
        job = self._book.job(self._state, self._player)
        work = job._replace(chips=job.chips + chips)
        chance = float(success_chance(work.budget, work.chips))
        return BotReason(key, {"chance": chance, **_figures(work, way=chips)})

    def _way(self, here: int) -> BotReason:
        """Where the player would go from there, and why."""
        table, goal = self._state.table, self._goal_from(here)
        if goal == NOWHERE:
            return BotReason("nowhere")
        values = {"area": table.areas[goal.area].name}
        if goal.area == table.office:
            best = max(affordable(self._state, self._player), key=self._upgrade_gain)
            return BotReason("way_to_rank", values | {"rank": best.rank, "points": self._upgrade_gain(best)})
        if self._state.scenes[goal.area] == FACE_DOWN:
            return BotReason("way_to_card", values | {"points": goal.worth})
        work = self._book.best_work(self._state, goal.area, self._player.rank, TURN)
        return BotReason("way_to_role", values | _figures(work, table.distances[here][goal.area]))

    def _role_worth(self, role: int) -> float:
        return worth(self._work(role), TURN)

    def _work(self, role: int) -> Work:
        state, area = self._state, self._player.area
        return self._book.work(area, state.scenes[area], state.shots[area], taken_roles(state, area), role)

    def _goal_from(self, here: int) -> Goal:
        """The best goal within reach of a place."""
        if self._promises is None:
            self._promises = self._look_around()
        far = self._state.table.distances[here]
        return max([Goal(promise - TURN * far[area], area) for promise, area in self._promises] + [NOWHERE])

    def _look_around(self) -> list[Goal]:
        """The values of every scene and of the Casting Office; the same for all actions."""
        state, player, office = self._state, self._player, self._state.table.office
        places = [area for area, scene in enumerate(state.scenes) if scene >= FACE_DOWN]
        roles = [Goal(self._book.promise(state, area, player.rank, TURN), area) for area in places]
        ranks = [Goal(self._upgrade_gain(upgrade), office) for upgrade in affordable(state, player)]
        return roles + ranks

    def _upgrade_gain(self, upgrade: Upgrade) -> float:
        """Points at the end, and better roles until then, less the price."""
        rank = self._player.rank
        better = (RATES[upgrade.rank] - RATES[rank]) * turns_left(self._state) + UNSTUCK * self._is_stuck()
        return gain(self._player, upgrade, self._state.table.prices[upgrade]) + better

    def _is_stuck(self) -> bool:
        """Whether no scene has a role for the player's rank; then only a new rank helps."""
        state, rank = self._state, self._player.rank
        places = [area for area, scene in enumerate(state.scenes) if scene >= FACE_DOWN]
        return not any(self._book.promise(state, area, rank, TURN) > 0 for area in places)


def _figures(work: Work, way: int) -> dict[str, float]:
    """A role in points and turns, including the way to it."""
    turns = duration(work, TURN)
    points = worth(work, TURN) + TURN * turns
    return {"points": points, "turns": turns + way, "rate": points / (turns + way)}
