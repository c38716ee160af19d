"""How the four sections lie, which doorways join them, and distances (R10.1 to R10.3)."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations, permutations
from typing import NoReturn

from msgspec import Struct

from .board import Board, kebab
from .geometry import SECTION_HEIGHT, SECTION_WIDTH, Point, Wall, laid
from .options import RANDOM
from .refusal import Refusal, SetupError, shortened

EMPTY = "."
TURN_MARK = "'"
_TURN_MARKS = str.maketrans({"\N{RIGHT SINGLE QUOTATION MARK}": TURN_MARK, "\N{PRIME}": TURN_MARK})
_CELL = re.compile(f"(?P<char>.)(?P<turned>{TURN_MARK}?)", re.DOTALL)
RANDOM_PLACEMENTS = 24 * 16  # R10.3: four sections in a square, each turned or not

Neighbours = tuple[tuple[int, ...], ...]


class Placed(Struct, frozen=True):
    """A section on the grid."""

    section: int
    row: int
    column: int
    turned: bool


class Layout(Struct, frozen=True):
    """The four sections on the grid, in reading order."""

    text: str
    placed: tuple[Placed, ...]


def parse_layout(text: str, board: Board) -> Layout:
    """The layout with that name or spelling (`GM/CH`, `G./M./CH'`), or a SetupError."""
    return spelled_layout(board.layouts.get(text.strip().casefold(), text), board)


def stored_layout(text: str, board: Board) -> Layout:
    """The layout of a game that has started: spelled out, unless somebody wrote its name by hand."""
    try:
        return spelled_layout(text, board)
    except SetupError:
        return parse_layout(text, board)


def spelled_layout(spelling: str, board: Board) -> Layout:
    """The layout with that spelling, ignoring the named layouts, or a SetupError."""
    placed = tuple(_placed(spelling, board))
    _check(spelling, placed, board)
    return _trimmed(placed, board)


def random_layout(number: int, board: Board) -> Layout:
    """The square layout with this number, below RANDOM_PLACEMENTS.

    The number divided by 16 counts the orders of the sections as `permutations` does; the
    remainder's bits say which of the four places, in reading order, hold a turned section.
    """
    order = list(permutations(range(4)))[number // 16]
    placed = (Placed(section, place // 2, place % 2, bool(number >> place & 1)) for place, section in enumerate(order))
    return _trimmed(tuple(placed), board)


class Doorway(Struct, frozen=True):
    """A doorway of the whole board, by area ids; the second is None where it leads off the board."""

    between: tuple[str, str | None]
    at: Point  # in the board's units, from the upper left of the layout
    wall: Wall


def doorways(layout: Layout, board: Board) -> tuple[Doorway, ...]:
    """All doorways: inside the sections, then on their sides, where the doorways of two sections become one (R10.1)."""
    inner = (
        _doorway(on_board(piece, door.at), door.wall, *door.between)
        for piece in layout.placed
        for door in board.sections[piece.section].doorways
    )
    return (*inner, *(_doorway(at, wall, *areas) for at, (wall, areas) in _sides(layout, board).items()))


def _doorway(at: Point, wall: Wall, area: str, other: str | None = None) -> Doorway:
    return Doorway((kebab(area), None if other is None else kebab(other)), at, wall)


def on_board(piece: Placed, point: Point) -> Point:
    """Where a point of a section lies on the whole board."""
    x, y = laid(point, piece.turned)
    return piece.column * SECTION_WIDTH + x, piece.row * SECTION_HEIGHT + y


def neighbours(layout: Layout, board: Board) -> Neighbours:
    """For every area, the areas next to it, in the order of their numbers."""
    numbers = {area.name: number for number, area in enumerate(board.areas)}
    joined: list[set[int]] = [set() for _ in numbers]
    for one, other in _pairs(layout, board):
        joined[numbers[one]].add(numbers[other])
        joined[numbers[other]].add(numbers[one])
    return tuple(tuple(sorted(areas)) for areas in joined)


@lru_cache(maxsize=512)
def distances(joined: Neighbours) -> tuple[tuple[int, ...], ...]:
    """The least number of moves from every area to every other."""
    return tuple(_distances_from(area, joined) for area in range(len(joined)))


def _distances_from(start: int, joined: Neighbours) -> tuple[int, ...]:
    found = {start: 0}
    queue = [start]
    for area in queue:
        for neighbour in joined[area]:
            if neighbour not in found:
                found[neighbour] = found[area] + 1
                queue.append(neighbour)
    return tuple(found[area] for area in range(len(joined)))


def _pairs(layout: Layout, board: Board) -> Iterator[tuple[str, str]]:
    """The names of areas that a doorway joins (R10.1): all pairs in a section, and those that meet at its sides."""
    for section in board.sections:
        yield from combinations((area.name for area in section.areas), 2)
    for _, areas in _sides(layout, board).values():
        if len(areas) > 1:
            yield areas[0], areas[1]


def _sides(layout: Layout, board: Board) -> dict[Point, tuple[Wall, list[str]]]:
    """The doorways on the sides of all sections, by place, with the one or two areas that they lead to."""
    found: dict[Point, tuple[Wall, list[str]]] = {}
    for piece in layout.placed:
        for at, wall, area in _section_sides(piece, board):
            found.setdefault(at, (wall, []))[1].append(area)
    return found


def _section_sides(piece: Placed, board: Board) -> Iterator[tuple[Point, Wall, str]]:
    """The eight doorways on the sides of a section. They are symmetric, so only the areas behind them turn."""
    corners = board.sections[piece.section].corners
    if piece.turned:
        corners = corners.turned()
    left, top = piece.column * SECTION_WIDTH, piece.row * SECTION_HEIGHT
    (near, far), (high, low) = board.doorways.horizontal, board.doorways.vertical
    for y, before, after in (
        (top, corners.top_left, corners.top_right),
        (top + SECTION_HEIGHT, corners.bottom_left, corners.bottom_right),
    ):
        yield (left + near, y), "horizontal", before
        yield (left + far, y), "horizontal", after
    for x, above, below in (
        (left, corners.top_left, corners.bottom_left),
        (left + SECTION_WIDTH, corners.top_right, corners.bottom_right),
    ):
        yield (x, top + high), "vertical", above
        yield (x, top + low), "vertical", below


def _placed(spelling: str, board: Board) -> Iterator[Placed]:
    initials = {section.initial: number for number, section in enumerate(board.sections)}
    plain = unicodedata.normalize("NFC", spelling.strip()).translate(_TURN_MARKS).upper()
    for row, cells in enumerate(plain.split("/")):
        for column, cell in enumerate(_CELL.finditer(cells)):
            char, turned = cell["char"], bool(cell["turned"])
            if char in initials:
                yield Placed(initials[char], row, column, turned)
            elif char == TURN_MARK or turned:
                _refuse_layout("layout_stray_mark", spelling)
            elif char != EMPTY:
                names = (*board.layouts, RANDOM)
                _refuse_layout("layout_unknown_sign", spelling, character=char, choices=tuple(initials), names=names)


def _check(spelling: str, placed: tuple[Placed, ...], board: Board) -> None:
    for number, section in enumerate(board.sections):
        count = sum(piece.section == number for piece in placed)
        if count != 1:
            key = "layout_missing" if count == 0 else "layout_twice"
            _refuse_layout(key, spelling, section=section.name, initial=section.initial)
    if not _is_connected({(piece.row, piece.column) for piece in placed}):
        _refuse_layout("layout_apart", spelling)


def _is_connected(cells: set[tuple[int, int]]) -> bool:
    reached = [min(cells)]
    for row, column in reached:
        for cell in ((row, column + 1), (row + 1, column), (row, column - 1), (row - 1, column)):
            if cell in cells and cell not in reached:
                reached.append(cell)
    return len(reached) == len(cells)


def _trimmed(placed: tuple[Placed, ...], board: Board) -> Layout:
    top = min(piece.row for piece in placed)
    left = min(piece.column for piece in placed)
    moved = tuple(
        Placed(piece.section, piece.row - top, piece.column - left, piece.turned)
        for piece in sorted(placed, key=lambda piece: (piece.row, piece.column))
    )
    return Layout(_spelled(moved, board), moved)


def _spelled(placed: Iterable[Placed], board: Board) -> str:
    cells = {
        (piece.row, piece.column): board.sections[piece.section].initial + TURN_MARK * piece.turned for piece in placed
    }
    rows = range(max(row for row, _ in cells) + 1)
    columns = range(max(column for _, column in cells) + 1)
    return "/".join("".join(cells.get((row, column), EMPTY) for column in columns) for row in rows)


def _refuse_layout(key: str, spelling: str, **values: object) -> NoReturn:
    raise SetupError(Refusal("R10.3", key, {"layout": shortened(spelling), **values}))
