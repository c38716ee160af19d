"""Where the doorways are: gaps in the walls between faces."""

from collections import defaultdict
from collections.abc import Sequence
from math import hypot

from ...engine.geometry import SECTION_HEIGHT, SECTION_WIDTH
from ...engine.layout import Doorway, doorways
from ...engine.table import Table
from .faces import Cell, Faces, Pitch

WIDEST_CORNER_GAP = 3


def make_doors(table: Table, faces: Faces, pitch: Pitch) -> dict[Cell, int]:
    """The gaps in the walls; they count as part of one of the two areas."""
    walls: dict[frozenset[int | None], list[Cell]] = defaultdict(list)
    for cell in faces.cells():
        if len(around := faces.around(cell)) == 2:
            walls[around].append(cell)
    doors: dict[Cell, int] = {}
    for doorway in doorways(table.layout, table.board):
        one, other = doorway.between
        if other is not None:
            between = table.area_numbers[one], table.area_numbers[other]
            for cell in _gap(doorway, walls[frozenset(between)], faces, pitch, table.board.doorways.width):
                doors[cell] = min(between)
    return doors


def _gap(doorway: Doorway, wall: Sequence[Cell], faces: Faces, pitch: Pitch, width: int) -> list[Cell]:
    """The cells of the two areas' wall that are nearest to the doorway, all in one row or column."""
    x, y = doorway.at[0] / SECTION_WIDTH, doorway.at[1] / SECTION_HEIGHT

    def off(cell: Cell) -> float:
        return hypot(cell[1] / pitch.columns - x, cell[0] / pitch.rows - y)

    passages = sorted((cell for cell in wall if _passable(faces, cell)), key=off)
    if not passages:  # only corners, as along a slanting wall
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
