"""Where the doorways are: gaps in the walls between faces."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import hypot

from msgspec import Struct

from ...engine.geometry import SECTION_HEIGHT, SECTION_WIDTH
from ...engine.layout import Placed
from ...engine.table import Table
from .faces import Cell, Faces, Pitch, laid

WIDEST_CORNER_GAP = 3


class _Doorway(Struct, frozen=True):
    between: frozenset[int | None]
    x: float  # both in sections, from the upper left of the layout
    y: float


def make_doors(table: Table, faces: Faces, pitch: Pitch) -> dict[Cell, int]:
    """The gaps in the walls; they count as part of one of the two areas."""
    walls: dict[frozenset[int | None], list[Cell]] = defaultdict(list)
    for cell in faces.cells():
        if len(around := faces.around(cell)) == 2:
            walls[around].append(cell)
    doors: dict[Cell, int] = {}
    for doorway in (*_inner_doorways(table), *_outer_doorways(table)):
        for cell in _gap(doorway, walls[doorway.between], faces, pitch, table.board.doorways.width):
            doors[cell] = min(area for area in doorway.between if area is not None)
    return doors


def in_layout(piece: Placed, point: tuple[float, float]) -> tuple[float, float]:
    """Where a section's point comes to lie, in sections from the upper left of the layout."""
    x, y = laid(point, piece.turned)
    return piece.column + x / SECTION_WIDTH, piece.row + y / SECTION_HEIGHT


def _gap(doorway: _Doorway, wall: Sequence[Cell], faces: Faces, pitch: Pitch, width: int) -> list[Cell]:
    """The cells of the two areas' wall that are nearest to the doorway, all in one row or column."""

    def off(cell: Cell) -> float:
        return hypot(cell[1] / pitch.columns - doorway.x, cell[0] / pitch.rows - doorway.y)

    passages = sorted((cell for cell in wall if _passable(faces, cell)), key=off)
    if not passages:  # nothing but corners, as along a slanting wall
        return sorted(wall, key=off)[:WIDEST_CORNER_GAP]
    row, column = passages[0]
    if faces.arms(passages[0])[0]:
        rows = max(1, round(width * pitch.rows / SECTION_HEIGHT))
        return [cell for cell in passages if cell[1] == column][:rows]
    columns = max(2, round(width * pitch.columns / SECTION_WIDTH))
    return [cell for cell in passages if cell[0] == row][:columns]


def _passable(faces: Faces, cell: Cell) -> bool:
    """Whether the wall is straight here and has floor on both sides."""
    row, column = cell
    match faces.arms(cell):
        case (1, 0, 1, 0):
            sides = ((row, column - 1), (row, column + 1))
        case (0, 1, 0, 1):
            sides = ((row - 1, column), (row + 1, column))
        case _:
            return False
    return not any(any(faces.arms(side)) for side in sides)


def _inner_doorways(table: Table) -> Iterator[_Doorway]:
    for piece in table.layout.placed:
        section = table.board.sections[piece.section]
        numbers = {area.name: table.area_numbers[area.id] for area in section.areas}
        for doorway in section.doorways:
            between = frozenset(numbers[name] for name in doorway.between)
            yield _Doorway(between, *in_layout(piece, doorway.at))


def _outer_doorways(table: Table) -> Iterator[_Doorway]:
    places = {(piece.row, piece.column): piece for piece in table.layout.placed}
    doorways = table.board.doorways
    for (row, column), piece in places.items():
        _, upper_right, lower_left, lower_right = _corner_areas(table, piece)
        if right := places.get((row, column + 1)):
            upper, _, lower, _ = _corner_areas(table, right)
            for y, between in zip(doorways.vertical, ((upper_right, upper), (lower_right, lower)), strict=True):
                yield _Doorway(frozenset(between), column + 1, row + y / SECTION_HEIGHT)
        if below := places.get((row + 1, column)):
            left, right_below, _, _ = _corner_areas(table, below)
            for x, between in zip(doorways.horizontal, ((lower_left, left), (lower_right, right_below)), strict=True):
                yield _Doorway(frozenset(between), column + x / SECTION_WIDTH, row + 1)


def _corner_areas(table: Table, piece: Placed) -> list[int]:
    """At the upper left, upper right, lower left and lower right."""
    section = table.board.sections[piece.section]
    corners = section.corners.turned() if piece.turned else section.corners
    numbers = {area.name: table.area_numbers[area.id] for area in section.areas}
    names = (corners.top_left, corners.top_right, corners.bottom_left, corners.bottom_right)
    return [numbers[name] for name in names]
