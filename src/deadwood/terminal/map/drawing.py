"""The board as a map in terminal characters."""

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby, product
from math import hypot

from msgspec import Struct
from rich.cells import cell_len
from rich.text import Span, Text

from ...engine.layout import Layout
from ...engine.seats import Seat
from ...engine.state import State
from .faces import Pitch
from .flow import Placing, WordLine, placed, width_of
from .grid import Free, Grid, make_grid
from .text import Manner, plans

WALL, CHOSEN_WALL = "#9a7048", "bold #d98a1f"
LEAST, MOST = Pitch(25, 7), Pitch(60, 18)
SPACIOUS = 20  # in areas at least this wide, text keeps off the walls
ARROWS = ((0, -1), (1, 0), (0, 1), (-1, 0))
ROUGHLY = 0.2  # the cosine of the widest angle that still counts as a direction
ASPECT = 2  # characters are about twice as high as wide


class Picture(Struct, frozen=True):
    """A drawn map; `areas` is None on walls and outside, `centres` are (column, row)."""

    lines: tuple[Text, ...]
    areas: tuple[tuple[int | None, ...], ...]
    centres: dict[int, tuple[int, int]]


def draw_map(
    state: State,
    seats: Sequence[Seat],
    width: int,
    height: int,
    *,
    chosen: int | None = None,
    open_to: Collection[int] = (),
) -> Picture:
    """The map, as large as fits but always legible; `chosen` is framed, `open_to` marked."""
    grid = make_grid(state.table, fitting_pitch(state.table.layout, width, height))
    canvas = _Canvas(grid)
    if chosen is not None:
        canvas.frame(grid, chosen)
    for area, rows in enumerate(grid.free):
        for free, line in _text(state, seats, area, Manner(area == chosen, area in open_to), rows):
            canvas.write(free, line)
    return Picture(tuple(canvas.lines()), grid.areas, grid.centres)


def fitting_pitch(layout: Layout, width: int, height: int) -> Pitch:
    """The size of a section that lets the layout fill the space."""
    across = max(piece.column for piece in layout.placed) + 1
    down = max(piece.row for piece in layout.placed) + 1
    columns = _between(LEAST.columns, (width - 1) // across, MOST.columns)
    return Pitch(columns, _between(LEAST.rows, (height - 1) // down, min(MOST.rows, columns // ASPECT)))


def neighbour_towards(picture: Picture, here: int, neighbours: Sequence[int], dx: int, dy: int) -> int | None:
    """The neighbour in a direction, or None if none is roughly there.

    Two neighbours in about the same direction get an arrow each if there are enough arrows.
    """
    if (dx, dy) in ARROWS:
        return _by_arrows(picture, here, neighbours)[ARROWS.index((dx, dy))]
    towards = {area: _cosine(picture, here, area, dx, dy) for area in neighbours}
    best = max(towards, key=lambda area: towards[area], default=None)
    return best if best is not None and towards[best] >= ROUGHLY else None


def _by_arrows(picture: Picture, here: int, neighbours: Sequence[int]) -> tuple[int | None, ...]:
    """A neighbour for each arrow, so that most are reached and the arrows point best."""
    towards = [{area: _cosine(picture, here, area, *arrow) for area in neighbours} for arrow in ARROWS]
    choices: list[list[int | None]] = [
        [area for area in neighbours if cosines[area] >= ROUGHLY] or [None] for cosines in towards
    ]

    def worth(chosen: tuple[int | None, ...]) -> tuple[int, float]:
        cosines = (cosines[area] for cosines, area in zip(towards, chosen, strict=True) if area is not None)
        return len({*chosen} - {None}), sum(cosines)

    return max(product(*choices), key=worth)


def _cosine(picture: Picture, here: int, there: int, dx: int, dy: int) -> float:
    """1 if the direction points exactly there, 0 if it is perpendicular."""
    (column, row), (there_column, there_row) = picture.centres[here], picture.centres[there]
    x, y = there_column - column, ASPECT * (there_row - row)
    return (x * dx + y * dy) / ((hypot(x, y) * hypot(dx, dy)) or 1)


def _between(least: int, wanted: int, most: int) -> int:
    return max(least, min(wanted, most))


def _text(state: State, seats: Sequence[Seat], area: int, manner: Manner, rows: Sequence[Free]) -> list[Placing]:
    """The best plan that fits the wide rows of an area or, if that takes every row, all rows."""
    widest = max((row.width for row in rows), default=0)
    wide = [_off_walls(row) for row in rows if 2 * row.width >= widest]
    for usable in (wide, rows):
        width = min((row.width for row in usable), default=0)
        tried = (placed(plan, usable) for plan in plans(state, seats, area, manner, width))
        if (found := next((placing for placing in tried if placing is not None), None)) is not None:
            return found
    return []


def _off_walls(row: Free) -> Free:
    return Free(row.row, row.left + 1, row.width - 2) if row.width >= SPACIOUS else row


class _Canvas:
    """Characters and their styles, cell by cell."""

    def __init__(self, grid: Grid) -> None:
        self.chars = [list(row) for row in grid.walls]
        self.styles = [[WALL] * len(row) for row in grid.walls]

    def frame(self, grid: Grid, area: int) -> None:
        for (row, column), char in grid.frames[area]:
            self.chars[row][column] = char
            self.styles[row][column] = CHOSEN_WALL

    def write(self, free: Free, line: WordLine) -> None:
        column = free.left + (free.width - width_of(line)) // 2
        chars, styles = self.chars[free.row], self.styles[free.row]
        for word in line:
            width = cell_len(word.text)
            # The whole word goes into its first cell, so that wide characters and accents need no special care.
            chars[column : column + width] = [word.text] + [""] * (width - 1) if width else []
            styles[column : column + width] = [word.style] * width
            column += width

    def lines(self) -> Iterator[Text]:
        for chars, styles in zip(self.chars, self.styles, strict=True):
            yield Text("".join(chars), spans=list(_spans(chars, styles)), no_wrap=True)


def _spans(chars: Sequence[str], styles: Sequence[str]) -> Iterator[Span]:
    start = 0
    for style, run in groupby(zip(styles, chars, strict=True), lambda pair: pair[0]):
        end = start + sum(len(char) for _, char in run)
        yield Span(start, end, style)
        start = end
