"""The board cut into faces, each of one area, for drawing it with characters.

Walls run through the middles of characters. Between four neighbouring characters lies a face; a character is a wall
where its four faces differ, and a free cell of an area where they do not. So walls always close, at any size.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from math import ceil, inf

from msgspec import Struct

from ...engine.board import Board, Section
from ...engine.geometry import SECTION_HEIGHT, SECTION_WIDTH, laid
from ...engine.layout import Layout, Placed

STRAIGHTENED = 0.06  # walls that jump by less than this part of a section run straight: characters are too coarse

Cell = tuple[int, int]  # row, column
Outline = tuple[tuple[float, float], ...]
Arms = tuple[int, int, int, int]  # up, right, down, left; 0 where no wall runs, 1 light, 2 heavy


class Pitch(Struct, frozen=True):
    """Characters from one section to the next."""

    columns: int
    rows: int


class Faces(Struct, frozen=True):
    """Rows of faces with a rim of None: the character at (row, column) has face [row][column] at its upper left."""

    rows: list[list[int | None]]

    @property
    def size(self) -> Cell:
        """Rows and columns of characters."""
        return len(self.rows) - 1, len(self.rows[0]) - 1

    def cells(self) -> Iterator[Cell]:
        """All characters."""
        rows, columns = self.size
        return ((row, column) for row in range(rows) for column in range(columns))

    def around(self, cell: Cell) -> frozenset[int | None]:
        """The areas that a character touches."""
        row, column = cell
        return frozenset(self.rows[row][column : column + 2] + self.rows[row + 1][column : column + 2])

    def arms(self, cell: Cell, framed: int | None = None) -> Arms:
        """The walls that leave a character; those around the framed area are heavy."""
        row, column = cell
        upper_left, upper_right = self.rows[row][column : column + 2]
        lower_left, lower_right = self.rows[row + 1][column : column + 2]
        return (
            _weight(upper_left, upper_right, framed),
            _weight(upper_right, lower_right, framed),
            _weight(lower_left, lower_right, framed),
            _weight(upper_left, lower_left, framed),
        )


def make_faces(board: Board, layout: Layout, pitch: Pitch) -> Faces:
    """The layout's sections side by side; None where no section lies."""
    rows = (max(piece.row for piece in layout.placed) + 1) * pitch.rows
    columns = (max(piece.column for piece in layout.placed) + 1) * pitch.columns
    faces = Faces([[None] * (columns + 2) for _ in range(rows + 2)])
    for piece in layout.placed:
        for (row, column), area in _section_faces(board.sections[piece.section], piece, pitch).items():
            faces.rows[piece.row * pitch.rows + row + 1][piece.column * pitch.columns + column + 1] = area
    return faces


def _weight(one: int | None, other: int | None, framed: int | None) -> int:
    if one == other:
        return 0
    return 2 if framed is not None and framed in (one, other) else 1


def _section_faces(section: Section, piece: Placed, pitch: Pitch) -> dict[Cell, int]:
    first = piece.section * len(section.areas)
    exact = [area.geometry.outline for area in section.areas]
    found = _filled(_straightened(exact), first, piece.turned, pitch)
    if len(set(found.values())) < len(section.areas):  # straightening has removed a thin area
        return _filled(exact, first, piece.turned, pitch)
    return found


def _filled(outlines: Iterable[Outline], first: int, turned: bool, pitch: Pitch) -> dict[Cell, int]:
    return {
        cell: area
        for area, outline in enumerate(outlines, first)
        for cell in _covered(tuple(laid(point, turned) for point in outline), pitch)
    }


def _straightened(outlines: Iterable[Outline]) -> list[Outline]:
    """Make nearly equal coordinates equal. Areas still meet, because equal coordinates move together."""
    outlines = list(outlines)
    across: dict[float, float] = {0: inf, SECTION_WIDTH: inf}
    down: dict[float, float] = {0: inf, SECTION_HEIGHT: inf}
    for (x, y), (next_x, next_y) in (edge for outline in outlines for edge in _edges(outline)):
        across[x] = across.get(x, 0) + (abs(next_y - y) if x == next_x else 0)
        down[y] = down.get(y, 0) + (abs(next_x - x) if y == next_y else 0)
    columns = _rails(across, STRAIGHTENED * SECTION_WIDTH)
    rows = _rails(down, STRAIGHTENED * SECTION_HEIGHT)
    return [tuple((columns[x], rows[y]) for x, y in outline) for outline in outlines]


def _rails(lengths: dict[float, float], tolerance: float) -> dict[float, float]:
    """Where each coordinate moves to: the nearest one with more wall along it, if one is near."""
    rails: dict[float, float] = {}
    for here in sorted(lengths, key=lambda coordinate: -lengths[coordinate]):
        near = [rail for rail in rails.values() if abs(rail - here) <= tolerance]
        rails[here] = min(near, key=lambda rail: abs(rail - here), default=here)
    return rails


def _covered(outline: Outline, pitch: Pitch) -> Iterator[Cell]:
    """The faces whose middles lie in the outline."""
    scaled = tuple((x * pitch.columns / SECTION_WIDTH, y * pitch.rows / SECTION_HEIGHT) for x, y in outline)
    for row in range(pitch.rows):
        crossings = sorted(_crossings(scaled, row + 0.5))
        for left, right in zip(crossings[::2], crossings[1::2], strict=True):
            for column in range(ceil(left - 0.5), ceil(right - 0.5)):
                yield row, column


def _crossings(outline: Outline, height: float) -> Iterator[float]:
    for (x, y), (next_x, next_y) in _edges(outline):
        if (y <= height) != (next_y <= height):
            yield x + (height - y) * (next_x - x) / (next_y - y)


def _edges(outline: Outline) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
    return pairwise((*outline, outline[0]))
