"""What roles promise a player: the numbers behind `regular` and `star`."""

from functools import cache, lru_cache

from ..engine.legality import open_roles, role_number
from ..engine.odds import Distribution, expectation, wrap_bonus
from ..engine.state import Player, State
from ..engine.table import FIRST_EXTRA, NO_SCENE, Table
from .worth import Work, worth

STAR_COMES = 0.35  # the chance that somebody will star in a scene where nobody does yet
NO_ROLE = float("-inf")  # what a set is worth to somebody for whom it has no role
ANYBODY = 1  # the rank of those who stand on a stage; it plays no part there

Taken = tuple[int, ...]  # the roles on which somebody is


class Stage:
    """One set with a card face up and the roles that others are on: what its open roles bring."""

    def __init__(self, table: Table, area: int, scene: int, shots: int, taken: Taken) -> None:
        scenes, counters = list(table.new_scenes), list(table.new_shots)
        scenes[area], counters[area] = scene, shots
        cast = tuple(Player(area=area, rank=ANYBODY, role=role) for role in taken)
        self._area, self._shots, self._taken = area, shots, taken
        self._state = State(table, cast, tuple(scenes), tuple(counters), (), 1, 1, 0)

    def work(self, role: int) -> Work:
        """A role with what is left to do; others on the set do some of it."""
        others = len(self._taken) - (role in self._taken)
        shots = max(1, round(self._shots / (1 + others / 2)))
        card = self._state.card(self._area)
        assert card is not None
        return Work(role < FIRST_EXTRA, card.budget, shots, 0, self._bonus(role))

    def _bonus(self, role: int) -> float:
        bonus = _mean(wrap_bonus(self._state, self._area, role))
        if role >= FIRST_EXTRA and not bonus:
            return STAR_COMES * self._state.table.role(self._area, self._state.scenes[self._area], role).rank
        return bonus

    def best(self, rank: int, turn: float) -> float:
        """What the best open role is worth to somebody of that rank, or NO_ROLE."""
        roles = map(role_number, open_roles(self._state, self._area, rank))
        return max((worth(self.work(role), turn) for role in roles), default=NO_ROLE)


class Book:
    """What the scenes of one table promise, worked out once and looked up from then on."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.work = cache(self._work)
        self._best = cache(self._best_open)
        self._useful = cache(self._useful_or_not)
        self._mean = lru_cache(maxsize=1024)(self._mean_unseen)

    def promise(self, state: State, area: int, rank: int, turn: float) -> float:
        """What the best role of a set is worth to somebody of that rank, less the turns it takes; or NO_ROLE."""
        scene = state.scenes[area]
        if scene >= 0:
            return self._best(area, scene, state.shots[area], taken_roles(state, area), rank, turn)
        return NO_ROLE if scene == NO_SCENE else self._mean(state.unseen, area, rank, turn)

    def best_work(self, state: State, area: int, rank: int, turn: float) -> Work:
        """The best role that a set has for somebody of that rank; there must be one."""
        taken = taken_roles(state, area)
        roles = map(role_number, open_roles(state, area, rank))
        works = [self.work(area, state.scenes[area], state.shots[area], taken, role) for role in roles]
        return max(works, key=lambda work: worth(work, turn))

    def job(self, state: State, player: Player) -> Work:
        """The work of a player who has a role."""
        assert player.role is not None
        area = player.area
        work = self.work(area, state.scenes[area], state.shots[area], taken_roles(state, area), player.role)
        return work._replace(chips=player.chips)

    def _work(self, area: int, scene: int, shots: int, taken: Taken, role: int) -> Work:
        return Stage(self._table, area, scene, shots, taken).work(role)

    def _best_open(self, area: int, scene: int, shots: int, taken: Taken, rank: int, turn: float) -> float:
        return Stage(self._table, area, scene, shots, taken).best(rank, turn)

    def _mean_unseen(self, unseen: tuple[int, ...], area: int, rank: int, turn: float) -> float:
        """A card that nobody has turned is any of those never turned (R10.6); where it is no use, one walks on."""
        shots = self._table.new_shots[area]
        return sum([self._useful(area, card, shots, rank, turn) for card in unseen]) / len(unseen)

    def _useful_or_not(self, area: int, scene: int, shots: int, rank: int, turn: float) -> float:
        return max(0.0, self._best(area, scene, shots, (), rank, turn))


@lru_cache(maxsize=64)
def book_of(table: Table) -> Book:
    """The book of a table; tables that are equal share one."""
    return Book(table)


def taken_roles(state: State, area: int) -> Taken:
    """The roles of a set on which somebody is, in order."""
    return tuple(sorted([one.role for one in state.players if one.area == area and one.role is not None]))


def _mean(distribution: Distribution) -> float:
    return float(expectation(distribution))
