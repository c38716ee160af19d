"""Areas, sections and prices: the board as it lies in the box (R10.1). `layout` lays it out."""

import hashlib
import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import combinations
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from .deck import HIGHEST_RANK, LOWEST_RANK, Role, Text
from .geometry import Doorways, Geometry, InnerDoorway, check_doorways, check_geometry, demand_inside
from .loading import DATA, demand, demand_unique, demand_valid, read_toml
from .options import RANDOM

MOST_EXTRAS = 4
CORNERS = ("top_left", "top_right", "bottom_right", "bottom_left")


class Area(Struct, frozen=True, forbid_unknown_fields=True):
    """A place of the board; the sets are the areas with shots."""

    name: Text
    kind: Literal["set", "trailers", "casting office"]
    geometry: Geometry
    shots: Annotated[int, Meta(ge=0, le=3)] = 0
    extras: Annotated[tuple[Role, ...], Meta(max_length=MOST_EXTRAS)] = ()

    @property
    def id(self) -> str:
        """The name as the notation writes it: `train-station`."""
        return kebab(self.name)


class Corners(Struct, frozen=True, forbid_unknown_fields=True):
    """The area that both doorways at each corner lead into."""

    top_left: str
    top_right: str
    bottom_right: str
    bottom_left: str

    def turned(self) -> "Corners":
        """The corners of the section turned by 180 degrees."""
        return Corners(self.bottom_right, self.bottom_left, self.top_left, self.top_right)


class Section(Struct, frozen=True, forbid_unknown_fields=True):
    """A board piece: three areas, all joined to each other."""

    name: Text
    initial: Annotated[str, Meta(pattern="^[A-Z]$")]
    corners: Corners
    areas: tuple[Area, Area, Area]
    doorways: tuple[InnerDoorway, ...] = ()


class Prices(Struct, frozen=True, forbid_unknown_fields=True):
    """What the ranks 2 to 6 cost in either currency (R8.2)."""

    dollars: tuple[int, int, int, int, int]
    credits: tuple[int, int, int, int, int]


class Price(Struct, frozen=True):
    """What a rank costs, in one currency or the other (R8.2, R8.3)."""

    rank: int
    dollars: int
    credits: int


class Board(Struct, frozen=True, forbid_unknown_fields=True):
    """Four sections, the prices of the Casting Office, and layouts that have a name."""

    name: Text
    prices: Prices
    doorways: Doorways
    layouts: dict[str, str]
    sections: tuple[Section, Section, Section, Section]

    @property
    def areas(self) -> tuple[Area, ...]:
        """All areas, in the order of their numbers in a state."""
        return tuple(area for section in self.sections for area in section.areas)

    @property
    def price_list(self) -> tuple[Price, ...]:
        """The prices of all ranks that are sold, lowest first."""
        return tuple(map(Price, UPGRADE_RANKS, self.prices.dollars, self.prices.credits))

    @property
    def fingerprint(self) -> str:
        """SHA-256 of what the rules read of the board."""
        return hashlib.sha256(msgspec.json.encode(list(self._facts()))).hexdigest()

    def _facts(self) -> Iterator[object]:
        yield self.prices
        for section in self.sections:
            yield section.initial, section.corners
            for area in section.areas:
                yield area.id, area.kind, area.shots, [role.rank for role in area.extras]


UPGRADE_RANKS = range(LOWEST_RANK + 1, HIGHEST_RANK + 1)


@lru_cache(maxsize=1024)
def kebab(name: str) -> str:
    """An id from a name: letters and digits, lower case, joined by hyphens."""
    plain = re.sub("['\N{RIGHT SINGLE QUOTATION MARK}]", "", unicodedata.normalize("NFC", name).casefold())
    return "-".join(re.findall(r"[^\W_]+", plain))


def load_board(path: str | Path) -> Board:
    """A board from a file like `data/board.toml`."""
    path = Path(path)
    board = read_toml(path, Board)
    check_board(board, path.name)
    return board


@cache
def built_in_board() -> Board:
    """The board of the game, loaded once."""
    return load_board(DATA / "board.toml")


def check_board(board: Board, file: str) -> None:
    """Raise a DataError, which names the file, unless the board can be played on."""
    demand_valid(board, file)
    check_doorways(board.doorways, file)
    demand_unique([(f"area {area.name!r}", area.id) for area in board.areas], file, "id")
    demand_unique([(f"section {section.initial}", section.name) for section in board.sections], file, "name")
    demand_unique([(f"section {section.name!r}", section.initial) for section in board.sections], file, "initial")
    extras = [(f"an extra at {area.name!r}", role.name) for area in board.areas for role in area.extras]
    demand_unique(extras, file, "name")
    for kind in ("trailers", "casting office"):
        found = sum(area.kind == kind for area in board.areas)
        demand(found == 1, file, "areas", f"there must be one area of kind {kind!r}, not {found}")
    for currency, prices in (("dollars", board.prices.dollars), ("credits", board.prices.credits)):
        rising = list(prices) == sorted(set(prices)) and prices[0] > 0
        demand(rising, file, f"prices.{currency}", "prices must rise from rank 2 to rank 6")
    demand("standard" in board.layouts, file, "layouts", "one must be called 'standard'")
    for name in board.layouts:
        demand(name == name.casefold() != RANDOM, file, f"layout {name!r}", "names are lower case, and not 'random'")
    for section in board.sections:
        _check_section(section, file)


def _check_section(section: Section, file: str) -> None:
    entry = f"section {section.name!r}"
    names = [area.name for area in section.areas]
    for corner in CORNERS:
        area = getattr(section.corners, corner)
        demand(area in names, file, entry, f"the {corner} doorways lead to {area!r}, which is not one of its areas")
    for doorway in section.doorways:
        demand_inside(doorway.at, file, entry)
        for area in doorway.between:
            demand(area in names, file, entry, f"an inner doorway leads to {area!r}, which is not one of its areas")
    joined = {frozenset(doorway.between) for doorway in section.doorways}
    for pair in combinations(names, 2):
        problem = f"there must be an inner doorway between {pair[0]!r} and {pair[1]!r}"
        demand(frozenset(pair) in joined, file, entry, problem)
    for area in section.areas:
        _check_area(area, file)


def _check_area(area: Area, file: str) -> None:
    entry = f"area {area.name!r}"
    is_set = area.kind == "set"
    demand(bool(area.id), file, entry, "the name needs a letter or a digit")
    demand((area.shots > 0) == is_set, file, entry, "a set has 1 to 3 shots, other areas have none")
    demand(is_set or not area.extras, file, entry, "only a set has extra roles")
    check_geometry(area.geometry, area.shots, len(area.extras), file, entry)
