"""The map: walls and doorways of every layout, and everything that stands in the areas.

Holds `terminal.map.doors`, `terminal.map.drawing`, `terminal.map.faces`, `terminal.map.flow`, `terminal.map.grid` and
`terminal.map.text`.
"""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from rich.cells import cell_len

from deadwood import Game, Options
from deadwood.engine.actions import Move
from deadwood.engine.board import built_in_board
from deadwood.engine.rules import legal_actions
from deadwood.engine.seats import usual_seats
from deadwood.terminal.map.drawing import ARROWS, LEAST, MOST, draw_map, fitting_pitch, neighbour_towards
from deadwood.terminal.map.text import short_names
from deadwood.terminal.pieces import look

from ..strategies import layouts, positions

WALL = re.compile("[\u2500-\u257f]")
HEAVY = re.compile("[━┃┏┓┗┛┣┫┳┻╋┡┢┩┪╃╄╅╆╇╈╉╊┱┲┹┺]")
SIZES = [(52, 15), (84, 30), (120, 36)]
sizes = st.tuples(st.integers(1, 200), st.integers(1, 80))


def start(players=8, layout="standard", board=None):
    names = [f"P{seat}" for seat in range(players)]
    return Game.new(names, Options(layout=layout), 1, board=board).state


def draw(state, width=84, height=30, **shown):
    return draw_map(state, usual_seats(len(state.players)), width, height, **shown)


def gathered(state, area):
    """All players in one area, out of their roles."""
    return replace(state, players=tuple(replace(player, area=area, role=None) for player in state.players))


def gaps(picture):
    """All pairs of areas with a way between them that crosses no wall."""
    open_cells = {
        (row, column): area
        for row, (line, cells) in enumerate(zip(picture.lines, picture.areas, strict=True))
        for column, (char, area) in enumerate(zip(line.plain, cells, strict=True))
        if area is not None and not WALL.match(char)
    }
    found = set()
    for (row, column), area in open_cells.items():
        for beside in ((row, column + 1), (row + 1, column)):
            if open_cells.get(beside, area) != area:
                found.add(frozenset((area, open_cells[beside])))
    return found


def joined(table):
    return {frozenset((one, other)) for one, others in enumerate(table.neighbours) for other in others}


def text_in(picture, area):
    """What is written in an area, row by row."""
    rows = zip(picture.lines, picture.areas, strict=True)
    lines = ["".join(char for char, one in zip(line.plain, cells, strict=True) if one == area) for line, cells in rows]
    return "\n".join(line for line in lines if line.strip())


def styles_at(line, text):
    at = line.plain.index(text)
    return {span.style for span in line.spans if span.start <= at < span.end}


def shown_dice(state, picture):
    seats = usual_seats(len(state.players))
    return [
        f"{look(seat).symbol}{player.rank}" in text_in(picture, player.area)
        for seat, player in zip(seats, state.players, strict=True)
    ]


@given(positions(), sizes)
def test_any_position_at_any_size(state, size):
    picture = draw(state, *size)
    widths = {line.cell_len for line in picture.lines} | {len(row) for row in picture.areas}
    assert len(widths) == 1
    assert len(picture.lines) == len(picture.areas)
    assert all(cell_len(char) == 1 for line in picture.lines for char in line.plain)
    assert {area for row in picture.areas for area in row} - {None} == set(range(12))
    assert all(picture.areas[row][column] == area for area, (column, row) in picture.centres.items())
    assert all(shown_dice(state, picture))
    for area, forms in enumerate(short_names(tuple(area.name for area in state.table.areas))):
        assert any(form in text_in(picture, area) for form in forms)


@given(layouts, sizes, st.one_of(st.none(), st.integers(0, 11)))
def test_areas_are_neighbours_where_and_only_where_the_wall_has_a_gap(layout, size, chosen):
    state = start(2, layout)
    assert gaps(draw(state, *size, chosen=chosen)) == joined(state.table)


@given(layouts, sizes, st.integers(0, 11), st.booleans())
def test_eight_players_are_all_seen_in_any_area(layout, size, area, marked):
    state = gathered(start(8, layout), area)
    picture = draw(state, *size, chosen=area if marked else None, open_to=[area] if marked else [])
    assert all(shown_dice(state, picture))
    assert any(form in text_in(picture, area) for form in short_names(tuple(a.name for a in state.table.areas))[area])


@pytest.mark.parametrize("size", SIZES)
def test_everything_fits_the_room(size):
    for layout in ("standard", "second"):
        picture = draw(start(layout=layout), *size)
        assert len(picture.lines) <= size[1]
        assert picture.lines[0].cell_len <= size[0]


def test_the_pitch_follows_the_room():
    layout = start().table.layout
    pitches = {size: fitting_pitch(layout, *size) for size in [*SIZES, (1, 1), (500, 200)]}
    assert [(pitch.columns, pitch.rows) for pitch in pitches.values()] == [
        (25, 7),
        (41, 14),
        (59, 17),
        (25, 7),
        (60, 18),
    ]
    assert pitches[1, 1] == LEAST
    assert pitches[500, 200] == MOST


def test_a_row_of_four_is_drawn_wider_than_the_room():
    picture = draw(start(layout="GMCH"), 52, 15)
    assert (picture.lines[0].cell_len, len(picture.lines)) == (4 * LEAST.columns + 1, 13)


def test_empty_cells_stay_empty():
    picture = draw(start(layout="G./M./CH'"), 52, 22)
    assert picture.areas[2][40] is None
    assert picture.lines[2].plain[30:].strip() == ""


@pytest.mark.parametrize("size", SIZES)
def test_every_place_to_move_to_is_marked(size):
    state = start()
    open_to = [state.table.area_numbers[action.area] for action in legal_actions(state) if isinstance(action, Move)]
    picture = draw(state, *size, open_to=open_to)
    assert open_to == [area for area in range(12) if "»" in text_in(picture, area)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("area", range(12))
def test_the_chosen_area_has_heavy_walls_and_a_reversed_name(area, size):
    state = start()
    assert not any(HEAVY.search(line.plain) for line in draw(state, *size).lines)
    picture = draw(state, *size, chosen=area)
    assert any(HEAVY.search(line.plain) for line in picture.lines)
    form = next(
        form for form in short_names(tuple(a.name for a in state.table.areas))[area] if form in text_in(picture, area)
    )
    line = next(line for line in picture.lines if form in line.plain)
    assert "bold reverse" in styles_at(line, form)


def test_the_active_player_stands_out_without_colour():
    state = start()
    picture = draw(state)
    die = f"[{look(usual_seats(8)[state.active]).symbol}{state.players[state.active].rank}]"
    line = next(line for line in picture.lines if die in line.plain)
    assert all("reverse" in style and "bold" in style for style in styles_at(line, die))
    over = replace(state, active=-1, over=True)
    assert not any("[" in line.plain for line in draw(over).lines)


def test_roles_and_scenes():
    state = start(3)
    jail, bank, saloon = (state.table.area_numbers[name] for name in ("jail", "bank", "saloon"))
    card = state.table.cards[0]
    scenes, shots, players = list(state.scenes), list(state.shots), list(state.players)
    scenes[jail], scenes[bank], shots[bank] = 0, -2, 0
    players[0] = replace(players[0], area=jail, role=0)
    players[1] = replace(players[1], area=jail, role=3)
    state = replace(state, scenes=tuple(scenes), shots=tuple(shots), players=tuple(players), active=2)
    for size in SIZES:
        picture = draw(state, *size)
        assert f"${card.budget}M" in text_in(picture, jail)
        assert "▲1*" in text_in(picture, jail)
        assert "●1+" in text_in(picture, jail)
        assert "wrapped" in text_in(picture, bank)
        assert re.search("▒▒▒.*▮▮", text_in(picture, saloon), re.DOTALL)
    large = text_in(draw(state, 120, 36), jail)
    assert all(word in large for word in card.title.split())
    assert f"star {' '.join(str(role.rank) for role in card.roles[1:])}" in large
    assert "extra 3" in large


@pytest.mark.parametrize("size", SIZES[1:])
def test_prices_are_listed_where_there_is_room(size):
    prices = text_in(draw(start(), *size), start().table.office)
    assert re.search(r"4 +\$18 +15cr", prices)


def test_short_names_never_mean_another():
    names = ("Main Street", "Main Square", "Mill", "Mill Pond", "Pond", "Old Mine", "Old Mint")
    forms = short_names(names)
    assert forms[0] == ("Main Street",)
    assert forms[2][0] == "Mill"
    assert "Mill" not in forms[3]
    assert all(form not in other for one in forms for form in one for other in forms if other is not one)


@pytest.mark.parametrize("size", SIZES)
def test_an_arrow_leads_to_every_neighbour(size):
    for layout in ("standard", "second"):
        state = start(2, layout)
        picture = draw(state, *size)
        for here, neighbours in enumerate(state.table.neighbours):
            reached = {neighbour_towards(picture, here, neighbours, *arrow) for arrow in ARROWS}
            assert reached >= set(neighbours)


def test_arrows_point_where_they_say():
    state = start(2)
    picture, number = draw(state), state.table.area_numbers
    here, neighbours = number["trailers"], state.table.neighbours[number["trailers"]]
    arrows = {arrow: neighbour_towards(picture, here, neighbours, *arrow) for arrow in ARROWS}
    assert arrows == {(0, -1): number["main-street"], (1, 0): None, (0, 1): number["hotel"], (-1, 0): number["saloon"]}
    assert neighbour_towards(picture, here, [number["saloon"]], -1, 1) == number["saloon"]
    assert neighbour_towards(picture, here, [number["saloon"]], 1, 1) is None
    assert neighbour_towards(picture, here, [], 1, 0) is None


def board_with(outlines=None, name="Train Station"):
    """The board with other walls or another name in its first section."""
    board = built_in_board()
    first, *others = board.sections
    shapes = outlines or [area.geometry.outline for area in first.areas]
    areas = [
        replace(area, geometry=replace(area.geometry, outline=shape))
        for area, shape in zip(first.areas, shapes, strict=True)
    ]
    areas[0] = replace(areas[0], name=name)
    corners = replace(first.corners, top_left=name, bottom_left=name)
    doorways = [
        replace(doorway, between=tuple(one.replace("Train Station", name) for one in doorway.between))
        for doorway in first.doorways
    ]
    return replace(
        board, sections=(replace(first, areas=tuple(areas), corners=corners, doorways=tuple(doorways)), *others)
    )


SLANTING = (
    ((0, 0), (172, 0), (272, 225), (372, 450), (0, 450)),
    ((172, 0), (600, 0), (600, 300), (272, 225)),
    ((272, 225), (600, 300), (600, 450), (372, 450)),
)
THIN = (
    ((0, 0), (300, 0), (300, 450), (0, 450)),
    ((300, 0), (600, 0), (600, 440), (300, 440)),
    ((300, 440), (600, 440), (600, 450), (300, 450)),
)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("layout", ["GM/CH", "G'M/C'H", "CG/MH"])
def test_slanting_walls_have_doorways_too(layout, size):
    state = start(8, layout, board_with(SLANTING))
    assert gaps(draw(state, *size)) == joined(state.table)
    for area in range(3):
        crowded = gathered(state, area)
        shown = shown_dice(crowded, draw(crowded, *size))
        assert all(shown) or ("…" in text_in(draw(crowded, *size), area) and any(shown))


def test_an_area_too_thin_to_draw_has_a_centre_all_the_same():
    picture = draw(start(2, board=board_with(THIN)), 52, 15)
    assert set(picture.centres) == set(range(12))


def test_wide_characters_keep_the_walls_in_line():
    for size in SIZES:
        picture = draw(start(2, board=board_with(name="鉄道の駅")), *size, chosen=0)
        assert {line.cell_len for line in picture.lines} == {len(picture.areas[0])}
        assert any("鉄" in line.plain for line in picture.lines)
