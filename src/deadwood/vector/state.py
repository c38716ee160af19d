"""State: a batch of games, players + 6 words each, and conversion from the engine's state."""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from ..encoding import AREAS, MOST_CREDITS, MOST_DOLLARS, ROLES
from ..engine.state import Player as EnginePlayer
from ..engine.state import State as EngineState
from ..engine.table import FACE_DOWN as ENGINE_FACE_DOWN
from .bits import pick
from .table import AREA_ROOM, FACE_DOWN, NO_SCENE, Table
from .words import WORD_BITS, Array, Field, Flag, Word

NO_ROLE = ROLES
PLACES_PER_WORD = 4
PLACE_BITS = WORD_BITS // PLACES_PER_WORD
SET_WORDS = AREAS // PLACES_PER_WORD
UNSEEN_WORDS = 2


class Player(Word):
    """One player's die and purse."""

    area = Field(4)
    rank = Field(3)
    role = Field(3)  # as the engine counts; NO_ROLE if none
    chips = Field(3)
    credits = Field(MOST_CREDITS.bit_length())
    dollars = Field(MOST_DOLLARS.bit_length())


class Place(Word):
    """What lies on an area: four of these make a word of State.sets."""

    scene = Field(6)  # the card, FACE_DOWN or NO_SCENE
    shots = Field(2)


class Game(Word):
    """Whose turn it is on which day."""

    scenes_left = Field(4)
    day = Field(3)
    active = Field(3)  # 0 when the game is over
    moved = Flag()
    over = Flag()
    saturated = Flag()  # somebody earned more dollars than can be counted; the game goes on with MOST_DOLLARS
    first = Field(3)
    layout = Field(9)  # index among the Table's


class State(NamedTuple):
    """The state of many games at one table. All arrays except the table's have the batch's shape."""

    table: Table
    players: tuple[Player, ...]
    sets: tuple[Array, ...]  # four Places per word
    unseen: tuple[Array, ...]  # one bit per card never turned
    game: Game

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the batch."""
        return tuple(self.game.bits.shape)

    @property
    def over(self) -> Array:
        """Whether the last day has ended (R9.3)."""
        return self.game.over

    @property
    def wraps_left(self) -> Array:
        """How many more scenes wrap before the day ends (R7.6, R9.1)."""
        return jnp.maximum(self.game.scenes_left, 1) - 1

    @property
    def active_player(self) -> Player:
        """The active player's word."""
        return Player(pick([player.bits for player in self.players], self.game.active))

    def area_index(self, area: Array) -> Array:
        """The index of an area in the table, for the game's layout."""
        return area if self.table.layouts == 1 else self.game.layout * AREA_ROOM + area


def place_at(sets: Sequence[Array], area: Array) -> Place:
    """What lies on an area."""
    word = pick(sets, area // PLACES_PER_WORD)
    return Place((word >> _shift(area)) & ((1 << PLACE_BITS) - 1))


def fixed_place(state: State, area: int) -> Place:
    """What lies on one area, the same in all games."""
    shift = PLACE_BITS * (area % PLACES_PER_WORD)
    return Place((state.sets[area // PLACES_PER_WORD] >> shift) & ((1 << PLACE_BITS) - 1))


def put_place(sets: Sequence[Array], area: Array, place: Place) -> tuple[Array, ...]:
    """The sets with something else on one area."""
    number, shift = area // PLACES_PER_WORD, _shift(area)
    hole = ~(jnp.uint32((1 << PLACE_BITS) - 1) << shift)
    word = (pick(sets, number) & hole) | (place.bits << shift)
    return tuple(jnp.where(number == at, word, old) for at, old in enumerate(sets))


def _shift(area: Array) -> Array:
    return area % PLACES_PER_WORD * PLACE_BITS


def choose(condition: Array, one: State, other: State) -> State:
    """One state where the condition holds, the other elsewhere; both at the same table."""
    return State(one.table, *jax.tree.map(lambda left, right: jnp.where(condition, left, right), one[1:], other[1:]))


def renew(state: State, fresh: State) -> State:
    """Replace finished games with fresh ones. `saturated` stays set, so that a later check still sees it."""
    renewed = choose(state.over, fresh, state)
    return renewed._replace(game=renewed.game.raising(saturated=state.game.saturated))


# ------------------------------------------------------------------------------------------------ the engine's states


def pack(state: EngineState, layout: int = 0) -> list[int]:
    """An engine state as words, in the order of a State's leaves."""
    places = list(map(_place_word, state.scenes, state.shots))
    seen = sum(1 << card for card in state.unseen)
    game = Game.pack(
        scenes_left=state.scenes_left,
        day=state.day,
        active=0 if state.over else state.active,
        moved=int(state.moved),
        over=int(state.over),
        first=state.table.first,
        layout=layout,
    )
    return [
        *map(_player_word, state.players),
        *(_joined(places[at : at + PLACES_PER_WORD], PLACE_BITS) for at in range(0, AREAS, PLACES_PER_WORD)),
        *(seen >> (WORD_BITS * at) & (1 << WORD_BITS) - 1 for at in range(UNSEEN_WORDS)),
        game,
    ]


@lru_cache(maxsize=1 << 16)
def _player_word(one: EnginePlayer) -> int:
    role = NO_ROLE if one.role is None else one.role
    word: int = Player.pack(
        area=one.area, rank=one.rank, role=role, chips=one.chips, credits=one.credits, dollars=one.dollars
    )
    return word


@cache
def _place_word(scene: int, shots: int) -> int:
    card = scene if scene >= 0 else FACE_DOWN if scene == ENGINE_FACE_DOWN else NO_SCENE
    word: int = Place.pack(scene=card, shots=shots)
    return word


def _joined(parts: Sequence[int], bits: int) -> int:
    return sum(part << bits * at for at, part in enumerate(parts))


def state_of_words(table: Table, words: Any) -> State:
    """A State from words as `pack` returns them; the first axis is the word, the last ones are the batch."""
    rows = [jnp.asarray(word, jnp.uint32) for word in words]
    count = len(rows) - SET_WORDS - UNSEEN_WORDS - 1
    sets, unseen = rows[count : count + SET_WORDS], rows[count + SET_WORDS : -1]
    return State(table, tuple(map(Player, rows[:count])), tuple(sets), tuple(unseen), Game(rows[-1]))


def words_of_state(state: State) -> Array:
    """The words of a State, in the order of `pack`; the first axis is the word, the last ones are the batch."""
    players = [player.bits for player in state.players]
    return jnp.stack([*players, *state.sets, *state.unseen, state.game.bits])
