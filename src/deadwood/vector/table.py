"""Table: what stays the same all game, as arrays. `setup` makes one from the engine's own table."""

from typing import NamedTuple

from ..encoding import AREAS, MOST_CARDS, MOST_CREDITS, MOST_DOLLARS
from ..engine.board import MOST_EXTRAS
from ..engine.deck import HIGHEST_RANK, LOWEST_RANK, MOST_STARS
from .words import Array, Field, Flag, Word

FACE_DOWN = MOST_CARDS  # in Place.scene, where the engine has negative numbers
NO_SCENE = MOST_CARDS + 1
SCENES = MOST_CARDS + 2
RANKS = HIGHEST_RANK - LOWEST_RANK + 1
RANK_BITS = 3
AREA_ROOM = 16  # entries per layout in a lookup table: a power of two


class Card(Word):
    """What the rules need to know about a card."""

    open_to = Field(MOST_STARS * RANKS)  # for every rank, lowest first, the roles it may take (R5.3)
    budget = Field(RANK_BITS)
    roles = Field(MOST_STARS)  # one bit per role


class Extras(Word):
    """The extra roles of an area that every rank, lowest first, may take (R5.3)."""

    open_to = Field(MOST_EXTRAS * RANKS)


class Area(Word):
    """What else the rules need to know about an area."""

    neighbours = Field(AREAS)
    extra_ranks = Field(MOST_EXTRAS * RANK_BITS)  # the leftmost role lowest (R7.4)


class Deed(Word):
    """What an action number means: its kind (no flag: end the turn), its target and its price."""

    move = Flag()
    take = Flag()
    act = Flag()
    rehearse = Flag()
    upgrade = Flag()
    about = Field(4)  # the area moved to, the role taken, or the rank bought
    dollars = Field(MOST_DOLLARS.bit_length())  # the price
    credits = Field(MOST_CREDITS.bit_length())


class Table(NamedTuple):
    """Deck, layout, options and prices as arrays, so that one compiled program plays every table."""

    players: Array  # how many play; a State may have more words than that, whose seats stay empty
    deeds: Array  # words of Deed, by action number
    cards: Array  # words of Card, by scene
    extras: Array  # words of Extras, by area
    areas: Array  # words of Area, by layout and area
    distances: Array  # by layout, area and area
    prices: Array  # in dollars and in credits, by rank
    trailers: Array
    office: Array
    days: Array
    bonus_actors: Array  # R12.5
    ties_shared: Array  # R12.4
    first: Array  # the first player's seat, if it is not drawn
    first_drawn: Array  # R2.6
    new_player: Array  # R2.3, R2.4
    new_sets: Array  # R2.5
    new_unseen: Array
    new_scenes: Array  # number of scenes per day
    fixed: Array  # the part of an observation that stays the same
    card_rows: Array  # for observations, by scene: budget and ranks

    @property
    def layouts(self) -> int:
        """The number of layouts that a game's layout is drawn from."""
        return int(self.areas.shape[-1]) // AREA_ROOM
