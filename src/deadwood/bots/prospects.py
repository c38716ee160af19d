"""What roles are worth to a player: the numbers behind `regular` and `star`."""

from functools import cache, lru_cache

from ..engine.actions import RoleKind
from ..engine.legality import open_roles, role_number
from ..engine.odds import expected_bonus
from ..engine.state import Player, State
from ..engine.table import FACE_DOWN, FIRST_EXTRA, NO_SCENE, Table, deck_name
from ..engine.wrap import extra_bonus
from .role_value import Work, worth

STAR_COMES = 0.35  # the chance that a scene without a star gets one
NO_ROLE = float("-inf")  # the value of a set that has no role for a player
BOTH_KINDS: frozenset[RoleKind] = frozenset({"star", "extra"})
ANYBODY = 1  # the rank of the players on a stage; it makes no difference there

Taken = tuple[int, ...]  # roles that are taken


class Stage:
    """One set with a card face up and some roles taken: what its open roles are worth."""

    def __init__(self, table: Table, area: int, scene: int, shots: int, taken: Taken) -> None:
        scenes, counters = list(table.new_scenes), list(table.new_shots)
        scenes[area], counters[area] = scene, shots
        cast = tuple(Player(area=area, rank=ANYBODY, role=role) for role in taken)
        self._area, self._shots, self._taken = area, shots, taken
        self._state = State(table, cast, tuple(scenes), tuple(counters), (), 1, 1, 0)

    def work(self, role: int) -> Work:
        """The work left in a role; others on the set do some of it."""
        others = len(self._taken) - (role in self._taken)
        shots = max(1, round(self._shots / (1 + others / 2)))
        card = self._state.card(self._area)
        assert card is not None
        return Work(role < FIRST_EXTRA, card.budget, shots, 0, self._bonus(role))

    def _bonus(self, role: int) -> float:
        bonus = float(expected_bonus(self._state, self._area, role))
        if role >= FIRST_EXTRA and not bonus:
            return STAR_COMES * extra_bonus(self._state.table.role(self._area, self._state.scenes[self._area], role))
        return bonus

    def best(self, rank: int, turn: float, kinds: frozenset[RoleKind] = BOTH_KINDS) -> float:
        """The value of the best open role of these kinds to a player of that rank, or NO_ROLE."""
        takes = open_roles(self._state, self._area, rank)
        works = [self.work(role_number(take)) for take in takes if take.kind in kinds]
        return max([worth(work, turn) for work in works], default=NO_ROLE)


class Book:
    """The values of the scenes of one table, each computed once."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.work = cache(self._work)
        self._best = cache(self._best_open)
        self._star = cache(self._best_star)
        self._extra = cache(self._best_extra)
        self._with_budget = {card.budget: number for number, card in enumerate(table.cards)}
        self._any_set = table.new_scenes.index(FACE_DOWN)
        self._mean = lru_cache(maxsize=1024)(self._mean_unseen)

    def promise(self, state: State, area: int, rank: int, turn: float) -> float:
        """The value of a set's best role to a player of that rank, less the cost of the turns it takes; or NO_ROLE."""
        scene = state.scenes[area]
        if scene >= 0:
            return self._best(area, scene, state.shots[area], taken_roles(state, area), rank, turn)
        return NO_ROLE if scene == NO_SCENE else self._mean(state.unseen, area, rank, turn)

    def best_work(self, state: State, area: int, rank: int, turn: float) -> Work:
        """The best role that a set has for a player of that rank; there must be one."""
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
        """A face-down card is any of the unseen cards (R10.6). A useless one is worth 0: the player walks on."""
        shots = self._table.new_shots[area]
        cards = self._table.cards
        extra = {budget: self._extra(area, scene, rank, turn) for budget, scene in self._with_budget.items()}
        best = [max(0.0, self._star(card, shots, rank, turn), extra[cards[card].budget]) for card in unseen]
        return sum(best) / len(best)

    def _best_star(self, scene: int, shots: int, rank: int, turn: float) -> float:
        """The same on any set: only the number of shots matters."""
        return Stage(self._table, self._any_set, scene, shots, ()).best(rank, turn, frozenset({"star"}))

    def _best_extra(self, area: int, scene: int, rank: int, turn: float) -> float:
        """The same with any card of that budget."""
        return Stage(self._table, area, scene, self._table.new_shots[area], ()).best(rank, turn, frozenset({"extra"}))


@lru_cache(maxsize=64)
def book_of(table: Table) -> Book:
    """The book of a table; all tables with the same board, deck and bonus rule share one."""
    kind = (table.board.fingerprint, deck_name(table.deck), table.options.bonus)
    return _BOOKS.setdefault(kind, Book(table))


_BOOKS: dict[tuple[str, str, str], Book] = {}


def taken_roles(state: State, area: int) -> Taken:
    """The roles of a set that are taken, in order."""
    return tuple(sorted([one.role for one in state.players if one.area == area and one.role is not None]))
