"""State: everything that changes; frozen, and public by construction (R10.6)."""

from msgspec import Struct

from .deck import Card
from .events import Scene
from .loading import demand
from .refusal import DataError, Wording
from .table import FACE_DOWN, FIRST_EXTRA, NO_SCENE, Table

NOBODY = -1  # State.active after the last day (R9.3)
_HIDDEN: dict[int, Scene] = {FACE_DOWN: "face down", NO_SCENE: None}  # scenes that show no card, as JSON writes them


class Player(Struct, frozen=True, gc=False):
    """One player's die and purse. `role` counts the card's roles from 0 and the set's from FIRST_EXTRA."""

    area: int
    rank: int
    dollars: int = 0
    credits: int = 0
    role: int | None = None
    chips: int = 0

    @property
    def starring(self) -> bool:
        """Whether the player is on the card."""
        return self.role is not None and self.role < FIRST_EXTRA


class State(Struct, frozen=True, gc=False):
    """A moment of a game. `scenes` and `shots` are indexed by area, `unseen` holds the cards never turned."""

    table: Table
    players: tuple[Player, ...]
    scenes: tuple[int, ...]
    shots: tuple[int, ...]
    unseen: tuple[int, ...]
    scenes_left: int
    day: int
    active: int
    moved: bool = False
    over: bool = False

    def card(self, area: int) -> Card | None:
        """The face-up card on a set, if there is one."""
        scene = self.scenes[area]
        return self.table.cards[scene] if scene >= 0 else None

    def is_last_shot(self, area: int) -> bool:
        """Whether one success on this set would wrap its scene (R6.5)."""
        return self.shots[area] == 1

    @property
    def wraps_left(self) -> int:
        """How many more scenes wrap before the day ends: the last one never does (R7.6, R9.1)."""
        return max(0, self.scenes_left - 1)

    @property
    def wraps_to_come(self) -> int:
        """How many more scenes wrap before the game ends (R7.6, R9.1)."""
        return self.wraps_left + (self.table.days - self.day) * (self.table.scenes_a_day - 1)

    def snapshot(self) -> "Snapshot":
        """The state in names and card numbers, for JSON."""
        ids, numbers = self.table.area_ids, self.table.numbers
        sets = zip(ids, self.table.areas, self.scenes, self.shots, strict=True)
        return Snapshot(
            day=self.day,
            active=None if self.over else self.active,
            moved=self.moved,
            players=tuple(
                [
                    PlayerSnapshot(ids[one.area], one.rank, one.dollars, one.credits, one.role, one.chips)
                    for one in self.players
                ]
            ),
            sets={
                id: SetSnapshot(numbers[scene] if scene >= 0 else _HIDDEN[scene], shots)
                for id, area, scene, shots in sets
                if area.kind == "set"
            },
            unseen=tuple(map(numbers.__getitem__, self.unseen)),
        )


class PlayerSnapshot(Struct, frozen=True):
    """A player as JSON shows one."""

    area: str
    rank: int
    dollars: int
    credits: int
    role: int | None
    chips: int


class SetSnapshot(Struct, frozen=True):
    """A set as JSON shows it: the number of the card, `face down`, or null when wrapped."""

    scene: Scene
    shots: int


class Snapshot(Struct, frozen=True):
    """A state without its table; `active` is None when the game is over."""

    day: int
    active: int | None
    moved: bool
    players: tuple[PlayerSnapshot, ...]
    sets: dict[str, SetSnapshot]
    unseen: tuple[int, ...]

    def state(self, table: Table) -> State:
        """The state at that table, or a DataError if it does not fit."""
        try:
            state = self._state(table)
        except KeyError as error:
            raise DataError("snapshot", Wording("the table has no {name}", {"name": repr(error.args[0])})) from error
        problem = Wording("there must be one for every name")
        demand(len(state.players) == len(table.names), "snapshot", "players", problem)
        seated = state.over or state.active in range(len(table.names))
        demand(seated, "snapshot", "active", Wording("nobody sits there"))
        for player in state.players:
            exists = player.role is None or _has_role(state, player)
            demand(exists, "snapshot", "players", Wording("a role does not exist"))
        return state

    def _state(self, table: Table) -> State:
        scenes, shots = list(table.new_scenes), [0] * len(table.areas)
        for area, one in self.sets.items():
            number = table.area_numbers[area]
            scenes[number] = _scene_number(one.scene, table)
            shots[number] = one.shots
        return State(
            table=table,
            players=tuple(
                Player(table.area_numbers[one.area], one.rank, one.dollars, one.credits, one.role, one.chips)
                for one in self.players
            ),
            scenes=tuple(scenes),
            shots=tuple(shots),
            unseen=tuple(table.card_numbers[number] for number in self.unseen),
            scenes_left=sum(scene != NO_SCENE for scene in scenes),
            day=self.day,
            active=NOBODY if self.active is None else self.active,
            moved=self.moved,
            over=self.active is None,
        )


def _has_role(state: State, player: Player) -> bool:
    card = state.card(player.area)
    extras = state.table.areas[player.area].extras
    return card is not None and player.role in (*range(len(card.roles)), *range(FIRST_EXTRA, FIRST_EXTRA + len(extras)))


def _scene_number(scene: Scene, table: Table) -> int:
    if scene is None:
        return NO_SCENE
    return FACE_DOWN if scene == "face down" else table.card_numbers[scene]
