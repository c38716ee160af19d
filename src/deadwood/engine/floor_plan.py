"""The board as it lies on the table, for drawing it: everything in one frame, in the board's units, and in names."""

from msgspec import Struct

from .board import Board
from .geometry import SECTION_HEIGHT, SECTION_WIDTH, Box, Geometry, Point
from .layout import Doorway, Layout, Placed, doorways, on_board


class PlacedSection(Struct, frozen=True):
    """A section, by its initial: its place on the grid, where its upper left corner lies, and the ids of its areas."""

    initial: str
    row: int
    column: int
    turned: bool
    left: int
    top: int
    areas: tuple[str, ...]


class FloorPlan(Struct, frozen=True):
    """A layout of a board; `areas` has the geometry of every area, by id."""

    layout: str
    width: int
    height: int
    sections: tuple[PlacedSection, ...]
    areas: dict[str, Geometry]
    doorways: tuple[Doorway, ...]
    doorway_width: int


def floor_plan(layout: Layout, board: Board) -> FloorPlan:
    """Where everything on a board lies in a layout."""
    sections = tuple(_section(piece, board) for piece in layout.placed)
    return FloorPlan(
        layout=layout.text,
        width=max(section.left for section in sections) + SECTION_WIDTH,
        height=max(section.top for section in sections) + SECTION_HEIGHT,
        sections=sections,
        areas={
            area.id: _geometry(area.geometry, piece)
            for piece in layout.placed
            for area in board.sections[piece.section].areas
        },
        doorways=doorways(layout, board),
        doorway_width=board.doorways.width,
    )


def _section(piece: Placed, board: Board) -> PlacedSection:
    left, top = piece.column * SECTION_WIDTH, piece.row * SECTION_HEIGHT
    section = board.sections[piece.section]
    areas = tuple(area.id for area in section.areas)
    return PlacedSection(section.initial, piece.row, piece.column, piece.turned, left, top, areas)


def _geometry(geometry: Geometry, piece: Placed) -> Geometry:
    def points(unplaced: tuple[Point, ...]) -> tuple[Point, ...]:
        return tuple(on_board(piece, point) for point in unplaced)

    return Geometry(
        outline=points(geometry.outline),
        label=_box(geometry.label, piece),
        standing=points(geometry.standing),
        card=None if geometry.card is None else _box(geometry.card, piece),
        shots=points(geometry.shots),
        extras=points(geometry.extras),
        prices=None if geometry.prices is None else _box(geometry.prices, piece),
    )


def _box(box: Box, piece: Placed) -> Box:
    """A box keeps its size; in a turned section, its lower right corner becomes the upper left."""
    x, y, width, height = box
    left, top = on_board(piece, (x + width, y + height) if piece.turned else (x, y))
    return left, top, width, height
