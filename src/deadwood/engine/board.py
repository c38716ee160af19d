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

from .deck import HIGHEST_RANK, LOWEST_RANK, MOST_STORED, Role, Text
from .geometry import Doorways, Geometry, InnerDoorway, check_doorways, check_geometry, demand_inside
from .limits import shown
from .loading import (
    DATA,
    Item,
    Named,
    Place,
    demand,
    demand_small,
    demand_unique,
    demand_valid,
    format_toml,
    locating,
    parse_toml,
    read_text,
)
from .options import RANDOM
from .refusal import SetupError, Wording

MOST_EXTRAS, MOST_SHOTS = 4, 3  # of a set
CORNERS = ("top_left", "top_right", "bottom_right", "bottom_left")


class Area(Struct, frozen=True, forbid_unknown_fields=True):
    """A place on the board; the sets are the areas with shots."""

    name: Annotated[Text, Meta(description="The name; actions write it in lower case, with hyphens.")]
    kind: Annotated[
        Literal["set", "trailers", "casting office"],
        Meta(description="One area of the board is the trailers, one the casting office; all others are sets."),
    ]
    geometry: Geometry
    shots: Annotated[int, Meta(ge=0, le=MOST_SHOTS, description="Shot counters of a set.")] = 0
    extras: Annotated[
        tuple[Role, ...], Meta(max_length=MOST_EXTRAS, description="The roles printed on the set, from left to right.")
    ] = ()

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

    name: Annotated[Text, Meta(description="The name; no two sections share it.")]
    initial: Annotated[str, Meta(pattern="^[A-Z]$", description="The letter that layouts name the section by.")]
    corners: Annotated[Corners, Meta(description="The area behind both doorways at each corner.")]
    areas: tuple[Area, Area, Area]
    doorways: Annotated[tuple[InnerDoorway, ...], Meta(description="One between every two areas, at least.")] = ()


_Amount = Annotated[int, Meta(ge=0, le=MOST_STORED, extra_json_schema={"maximum": 99_999})]
_Amounts = tuple[_Amount, _Amount, _Amount, _Amount, _Amount]


class Prices(Struct, frozen=True, forbid_unknown_fields=True):
    """What the ranks 2 to 6 cost in either currency (R8.2)."""

    dollars: Annotated[_Amounts, Meta(description="In dollars, for the ranks 2 to 6, rising.")]
    credits: Annotated[_Amounts, Meta(description="In credits, for the ranks 2 to 6, rising.")]


class Price(Struct, frozen=True):
    """What a rank costs, in one currency or the other (R8.2, R8.3)."""

    rank: int
    dollars: int
    credits: int


class Board(Struct, frozen=True, forbid_unknown_fields=True):
    """Four sections, the prices of the Casting Office, and the named layouts."""

    name: Annotated[Text, Meta(description="The name of the board.")]
    prices: Prices
    doorways: Doorways
    layouts: Annotated[
        dict[Text, Text],
        Meta(
            extra_json_schema={"maxProperties": 20},
            description="Layouts by name, as in GM/CH; one is called standard.",
        ),
    ]
    sections: tuple[Section, Section, Section, Section]

    @property
    def areas(self) -> tuple[Area, ...]:
        """All areas, in the order of their numbers in a state."""
        return tuple(area for section in self.sections for area in section.areas)

    @property
    def sets(self) -> tuple[Area, ...]:
        """The areas where scenes are shot."""
        return tuple(area for area in self.areas if area.kind == "set")

    @property
    def scenes_a_day(self) -> int:
        """The number of cards that are dealt every morning, one to each set (R2.5)."""
        return len(self.sets)

    @property
    def price_list(self) -> tuple[Price, ...]:
        """The prices of all ranks that are sold, lowest first."""
        return tuple(map(Price, UPGRADE_RANKS, self.prices.dollars, self.prices.credits))

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the parts of the board that the rules read."""
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
    return _parse(read_text(path), path.name)


def parse_board(text: str, file: str = "board") -> Board:
    """A board from the text of a shared file, which must keep to the limits; `file` names it in errors."""
    demand_small(text, file)
    board = _parse(text, file, shared=True)
    demand_small(format_board(board), file, "written out, the board has {size:,} bytes, but may have at most {most:,}")
    return board


def _parse(text: str, file: str, *, shared: bool = False) -> Board:
    board = parse_toml(text, Board, file, shared=shared)
    with locating(text):
        check_board(board, file)
    return board


def format_board(board: Board) -> str:
    """The text of a file that holds the board."""
    return format_toml(board)


@cache
def built_in_board() -> Board:
    """The board of the game, loaded once."""
    return load_board(DATA / "board.toml")


def check_board(board: Board, file: str) -> None:
    """Raise a DataError, which names the file, unless the board can be played on."""
    demand_valid(board, file)
    check_doorways(board.doorways, file)
    sections = [(section, ("sections", Item(section.name))) for section in board.sections]
    areas = [(area, (*place, "areas", Item(area.name))) for section, place in sections for area in section.areas]
    demand_unique([Named(_area(area.name), area.id, place) for area, place in areas], file, "both have the id {name}")
    named = [Named(_section(one.initial), one.name, place) for one, place in sections]
    demand_unique(named, file, "both have the name {name}")
    lettered = [Named(_section(shown(one.name)), one.initial, place) for one, place in sections]
    demand_unique(lettered, file, "both have the initial {name}")
    extras = [
        Named(Wording("an extra at {area}", {"area": shown(area.name)}), role.name, (*place, "extras", at))
        for area, place in areas
        for at, role in enumerate(area.extras)
    ]
    demand_unique(extras, file, "both have the name {name}")
    for kind in ("trailers", "casting office"):
        found = sum(area.kind == kind for area in board.areas)
        problem = Wording("there must be one area of kind '{kind}', not {found}", {"kind": kind, "found": found})
        demand(found == 1, file, "areas", problem)
    for currency, prices in (("dollars", board.prices.dollars), ("credits", board.prices.credits)):
        rising = list(prices) == sorted(set(prices)) and prices[0] > 0
        problem = Wording("prices must rise from rank 2 to rank 6")
        demand(rising, file, f"prices.{currency}", problem, ("prices", currency))
    for section, place in sections:
        _check_section(section, file, place)
    _check_layouts(board, file)


def _check_layouts(board: Board, file: str) -> None:
    demand("standard" in board.layouts, file, "layouts", Wording("one must be called 'standard'"), ("layouts",))
    initials = ", ".join(section.initial for section in board.sections)
    words = "{spelling} must name each of {initials} once, side by side, with / between rows, as in GM/CH"
    for name, spelling in board.layouts.items():
        entry, place = Wording("layout {name}", {"name": shown(name)}), ("layouts", name)
        lower = name == name.casefold() != RANDOM
        demand(lower, file, entry, Wording("names are lower case, and not 'random'"), place)
        problem = Wording("the name spells a layout itself; choose another name, such as 'second'")
        demand(not _spells_a_layout(name, board), file, entry, problem, place)
        problem = Wording(words, {"spelling": shown(spelling), "initials": initials})
        demand(_spells_a_layout(spelling, board), file, entry, problem, place)


def _spells_a_layout(text: str, board: Board) -> bool:
    from .layout import spelled_layout  # noqa: PLC0415 - layouts are laid with boards

    try:
        spelled_layout(text, board)
    except SetupError:
        return False
    return True


def _check_section(section: Section, file: str, place: Place) -> None:
    entry = _section(shown(section.name))
    names = [area.name for area in section.areas]
    for corner in CORNERS:
        area = getattr(section.corners, corner)
        values = {"corner": corner, "area": shown(area)}
        problem = Wording("the {corner} doorways lead to {area}, which is not one of its areas", values)
        demand(area in names, file, entry, problem, (*place, "corners", corner))
    for at, doorway in enumerate(section.doorways):
        demand_inside(doorway.at, file, entry, (*place, "doorways", at))
        for area in doorway.between:
            values = {"area": shown(area)}
            problem = Wording("an inner doorway leads to {area}, which is not one of its areas", values)
            demand(area in names, file, entry, problem, (*place, "doorways", at))
    joined = {frozenset(doorway.between) for doorway in section.doorways}
    for pair in combinations(names, 2):
        values = {"one": shown(pair[0]), "other": shown(pair[1])}
        problem = Wording("there must be an inner doorway between {one} and {other}", values)
        demand(frozenset(pair) in joined, file, entry, problem, (*place, "doorways"))
    for one in section.areas:
        _check_area(one, file, (*place, "areas", Item(one.name)))


def _check_area(area: Area, file: str, place: Place) -> None:
    entry = _area(area.name)
    is_set = area.kind == "set"
    demand(bool(area.id), file, entry, Wording("the name needs a letter or a digit"), place)
    problem = Wording("a set has 1 to 3 shots, other areas have none")
    demand((area.shots > 0) == is_set, file, entry, problem, (*place, "shots"))
    demand(is_set or not area.extras, file, entry, Wording("only a set has extra roles"), (*place, "extras"))
    geometry = (*place, "geometry")
    check_geometry(area.geometry, area.shots, len(area.extras), file, entry, geometry)


def _area(name: str) -> Wording:
    return Wording("area {name}", {"name": shown(name)})


def _section(name: str) -> Wording:
    return Wording("section {name}", {"name": name})
