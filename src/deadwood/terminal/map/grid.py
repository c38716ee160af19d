"""The walls and doorways of a layout in box-drawing characters, and the cells that are free to write on."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from math import hypot

from msgspec import Struct

from ...engine.floor_plan import floor_plan
from ...engine.geometry import SECTION_HEIGHT, SECTION_WIDTH
from ...engine.table import Table
from .doors import make_doors
from .faces import Arms, Cell, Faces, Pitch, make_faces

# Indexed by the arms of a wall: up counts 27, right 9, down 3, left 1; a heavy arm counts twice.
BOXES = " ╴╸╷╮┑╻┒┓╶─╾╭┬┭┎┰┱╺╼━┍┮┯┏┲┳╵╯┙│┤┥╽┧┪╰┴┵├┼┽┟╁╅┕┶┷┝┾┿┢╆╈╹┚┛╿┦┩┃┨┫┖┸┹┞╀╃┠╂╉┗┺┻┡╄╇┣╊╋"
POSTS_FROM = 10  # rows of a section; in smaller ones posts would only clutter


class Free(Struct, frozen=True):
    """Free cells beside each other in a row."""

    row: int
    left: int
    width: int


class Grid(Struct, frozen=True):
    """The drawn board without its pieces; for each area, the cells to write on, and its walls drawn heavily."""

    walls: tuple[str, ...]
    areas: tuple[tuple[int | None, ...], ...]
    free: tuple[tuple[Free, ...], ...]
    frames: tuple[tuple[tuple[Cell, str], ...], ...]
    centres: dict[int, tuple[int, int]]


class _Walls(Struct, frozen=True):
    faces: Faces
    doors: dict[Cell, int]
    posts: bool


@lru_cache(maxsize=64)
def make_grid(table: Table, pitch: Pitch) -> Grid:
    """The grid of a table's layout in that size."""
    faces = make_faces(table.board, table.layout, pitch)
    walls = _Walls(faces, make_doors(table, faces, pitch), pitch.rows >= POSTS_FROM)
    owners = {cell: _owner(walls, cell) for cell in faces.cells()}
    floors = _floors(walls, owners)
    rows, columns = faces.size
    return Grid(
        walls=tuple("".join(_box(walls, (row, column)) for column in range(columns)) for row in range(rows)),
        areas=tuple(tuple(owners[row, column] for column in range(columns)) for row in range(rows)),
        free=tuple(tuple(_free(floors[area])) for area in range(len(table.areas))),
        frames=_frames(walls, len(table.areas)),
        centres=_label_centres(table, pitch) | {area: _centre(floor) for area, floor in floors.items() if floor},
    )


def _owner(walls: _Walls, cell: Cell) -> int | None:
    around = walls.faces.around(cell)
    return walls.doors.get(cell) if len(around) > 1 else next(iter(around))


def _floors(walls: _Walls, owners: dict[Cell, int | None]) -> dict[int, list[Cell]]:
    floors: dict[int, list[Cell]] = defaultdict(list)
    for cell, area in owners.items():
        if area is not None and cell not in walls.doors:
            floors[area].append(cell)
    return floors


def _box(walls: _Walls, cell: Cell, framed: int | None = None) -> str:
    if cell in walls.doors:
        return " "
    up, right, down, left = _beside_doors(walls, cell, walls.faces.arms(cell, framed))
    return BOXES[27 * up + 9 * right + 3 * down + left]


def _beside_doors(walls: _Walls, cell: Cell, arms: Arms) -> Arms:
    """A straight wall ends in a post beside a doorway, if the map is large; no stump lies across one."""
    (row, column), (up, right, down, left) = cell, arms
    above, below = ((row + step, column) in walls.doors for step in (-1, 1))
    before, after = ((row, column + step) in walls.doors for step in (-1, 1))
    if (above or below) and (right, left) == (0, 0) and walls.posts:
        return up * (not above), max(up, down), down * (not below), max(up, down)
    if (before or after) and (up, down) == (0, 0):
        post = max(left, right) if walls.posts else 0
        return (post, right * (not after), post, left * (not before)) if post else arms
    return up, right * (not after), down, left * (not before)


def _frames(walls: _Walls, count: int) -> tuple[tuple[tuple[Cell, str], ...], ...]:
    frames: list[list[tuple[Cell, str]]] = [[] for _ in range(count)]
    for cell in walls.faces.cells():
        around = walls.faces.around(cell)
        if len(around) > 1 and cell not in walls.doors:
            for area in around:
                if area is not None:
                    frames[area].append((cell, _box(walls, cell, area)))
    return tuple(map(tuple, frames))


def _free(floor: Sequence[Cell]) -> Iterator[Free]:
    """The widest stretch of the floor in every row."""
    for row, cells in groupby(floor, lambda cell: cell[0]):
        columns = enumerate(column for _, column in cells)
        runs = [list(run) for _, run in groupby(columns, lambda pair: pair[1] - pair[0])]
        widest = max(runs, key=len)
        yield Free(row, widest[0][1], len(widest))


def _centre(floor: Sequence[Cell]) -> tuple[int, int]:
    """The cell of the floor nearest to its middle, as (column, row)."""
    middle_row = sum(row for row, _ in floor) / len(floor)
    middle = sum(column for _, column in floor) / len(floor)
    row, column = min(floor, key=lambda cell: hypot(2 * (cell[0] - middle_row), cell[1] - middle))
    return column, row


def _label_centres(table: Table, pitch: Pitch) -> dict[int, tuple[int, int]]:
    """Where the names are on the board, for areas that are too small to have a floor."""
    centres = {}
    for area, geometry in floor_plan(table.layout, table.board).areas.items():
        left, top, width, height = geometry.label
        x, y = (left + width / 2) / SECTION_WIDTH, (top + height / 2) / SECTION_HEIGHT
        centres[table.area_numbers[area]] = int(x * pitch.columns), int(y * pitch.rows)
    return centres
