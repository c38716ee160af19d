"""A state as text, and as a picture that numpy draws from the board's geometry."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..engine.geometry import SECTION_HEIGHT, SECTION_WIDTH, Box, Point
from ..engine.layout import Placed, on_board
from ..engine.scoring import score
from ..engine.state import Player, State
from ..engine.table import FACE_DOWN, FIRST_EXTRA, NO_SCENE
from ..phrases import counted

Picture = npt.NDArray[np.uint8]
Colour = tuple[int, int, int]

# ------------------------------------------------------------------------------------------------ text


def text(state: State) -> str:
    """The day, the players and the sets, one per line."""
    day = "over" if state.over else f"day {state.day} of {state.table.days}, {state.scenes_left} scenes left"
    return "\n".join([f"Deadwood: {day}", *_player_lines(state), *_set_lines(state)]) + "\n"


def _player_lines(state: State) -> Iterator[str]:
    for seat, (name, one) in enumerate(zip(state.table.names, state.players, strict=True)):
        mark = ">" if seat == state.active else " "
        area = state.table.areas[one.area].name
        role = "" if one.role is None else f", {_role_name(state, one)} with {counted(one.chips, 'chip')}"
        yield f"{mark} {name}: rank {one.rank}, ${one.dollars}, {one.credits} cr, {score(one)} points, {area}{role}"


def _role_name(state: State, one: Player) -> str:
    assert one.role is not None
    return state.table.role(one.area, state.scenes[one.area], one.role).name


def _set_lines(state: State) -> Iterator[str]:
    for number, area in enumerate(state.table.areas):
        if area.kind == "set":
            yield f"  {area.name}: {_scene_text(state, number)}"


def _scene_text(state: State, area: int) -> str:
    card = state.card(area)
    if card is None:
        return "face down" if state.scenes[area] == FACE_DOWN else "wrapped"
    ranks = ", ".join(str(role.rank) for role in card.roles)
    return f"${card.budget} million, roles {ranks}, {counted(state.shots[area], 'shot')} left"


# ------------------------------------------------------------------------------------------------ picture

SCALE = 3  # units of the board per pixel
DIE, SHOT, ROLE = 12, 6, 14  # sizes in pixels
GROUND, WALL, INK, PAPER, BACK = (58, 44, 35), (30, 22, 17), (30, 22, 17), (244, 234, 208), (139, 58, 43)
FLOORS = {"set": (201, 160, 108), "trailers": (143, 170, 140), "casting office": (150, 150, 180)}
WRAPPED = (120, 100, 80)
DICE: tuple[Colour, ...] = (
    (214, 48, 49),
    (52, 108, 204),
    (46, 150, 76),
    (240, 200, 40),
    (134, 74, 180),
    (240, 130, 30),
    (250, 250, 250),
    (20, 20, 20),
)
GLYPHS = {  # for every digit of a die or budget, five rows of three bits
    1: (2, 6, 2, 2, 7),
    2: (7, 1, 7, 4, 7),
    3: (7, 1, 7, 1, 7),
    4: (5, 5, 7, 1, 1),
    5: (7, 4, 7, 1, 7),
    6: (7, 4, 7, 5, 7),
}


def picture(state: State) -> Picture:
    """The board with its scenes, shots and dice, as RGB values."""
    placed = state.table.layout.placed
    rows, columns = 1 + max(piece.row for piece in placed), 1 + max(piece.column for piece in placed)
    canvas = np.full((rows * SECTION_HEIGHT // SCALE, columns * SECTION_WIDTH // SCALE, 3), GROUND, np.uint8)
    pieces = _pieces(state)
    for number, piece in enumerate(pieces):
        _draw_area(canvas, state, number, piece)
    for seat, one in enumerate(state.players):
        at = _pixel(_die_point(state, seat), pieces[one.area])
        _draw_square(canvas, at, DIE, DICE[seat], one.rank)
    return canvas


def _pieces(state: State) -> list[Placed]:
    """By area, the section that it lies in."""
    table = state.table
    placed = {piece.section: piece for piece in table.layout.placed}
    return [placed[number] for number, section in enumerate(table.board.sections) for _ in section.areas]


def _pixel(point: Point, piece: Placed) -> Point:
    """Where a point of a section lies in the picture."""
    x, y = on_board(piece, point)
    return x // SCALE, y // SCALE


def _draw_area(canvas: Picture, state: State, number: int, piece: Placed) -> None:
    area = state.table.areas[number]
    wrapped = area.kind == "set" and state.scenes[number] == NO_SCENE
    outline = [_pixel(point, piece) for point in area.geometry.outline]
    _fill(canvas, outline, WRAPPED if wrapped else FLOORS[area.kind])
    for role, point in zip(area.extras, area.geometry.extras, strict=True):
        _draw_square(canvas, _pixel(point, piece), ROLE, PAPER, role.rank)
    for point in area.geometry.shots[: state.shots[number]]:
        _draw_square(canvas, _pixel(point, piece), SHOT, PAPER, None)
    if area.geometry.card is not None and not wrapped:
        _draw_card(canvas, state, number, piece, area.geometry.card)


def _draw_card(canvas: Picture, state: State, number: int, piece: Placed, box: Box) -> None:
    left, top, width, height = box
    corners = [(left, top), (left + width, top), (left + width, top + height), (left, top + height)]
    card = state.card(number)
    _fill(canvas, [_pixel(corner, piece) for corner in corners], BACK if card is None else PAPER)
    if card is None:
        return
    _draw_square(canvas, _pixel((left + width // 6, top + height // 4), piece), ROLE, BACK, card.budget)
    for at, role in enumerate(card.roles):
        _draw_square(canvas, _pixel(_star_point(box, at), piece), ROLE, FLOORS["set"], role.rank)


def _star_point(box: Box, role: int) -> Point:
    left, top, width, height = box
    return left + (1 + 2 * role) * width // 6, top + 3 * height // 4


def _die_point(state: State, seat: int) -> Point:
    one = state.players[seat]
    geometry = state.table.areas[one.area].geometry
    if one.role is None:
        return geometry.standing[seat]
    if one.role >= FIRST_EXTRA:
        return geometry.extras[one.role - FIRST_EXTRA]
    assert geometry.card is not None
    return _star_point(geometry.card, one.role)


def _draw_square(canvas: Picture, centre: Point, size: int, colour: Colour, digit: int | None) -> None:
    x, y = centre
    half = size // 2
    canvas[max(0, y - half - 1) : y + half + 1, max(0, x - half - 1) : x + half + 1] = WALL
    canvas[max(0, y - half) : y + half, max(0, x - half) : x + half] = colour
    if digit is None:
        return
    ink = PAPER if sum(colour) < 3 * 128 else INK
    for row, bits in enumerate(GLYPHS[digit]):
        for column in range(3):
            if bits >> (2 - column) & 1:
                canvas[y - 2 + row, x - 1 + column] = ink


def _fill(canvas: Picture, outline: Sequence[Point], colour: Colour) -> None:
    """Fill a polygon (even-odd rule) and draw a wall around it."""
    xs, ys = np.array(outline).T
    left, right, top, bottom = xs.min(), xs.max(), ys.min(), ys.max()
    y, x = np.mgrid[top:bottom, left:right] + 0.5
    inside = np.zeros(x.shape, np.bool_)
    for (x1, y1), (x2, y2) in zip(outline, (*outline[1:], outline[0]), strict=True):
        if y1 != y2:
            inside ^= ((y1 > y) != (y2 > y)) & (x < x1 + (y - y1) * (x2 - x1) / (y2 - y1))
    part: Any = canvas[top:bottom, left:right]
    part[inside] = WALL
    part[_shrunk(inside)] = colour


def _shrunk(inside: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """The pixels whose four neighbours are all inside."""
    padded = np.pad(inside, 1)
    around = (padded[:-2, 1:-1], padded[2:, 1:-1], padded[1:-1, :-2], padded[1:-1, 2:])
    shrunk: npt.NDArray[np.bool_] = np.logical_and.reduce((inside, *around))
    return shrunk
