"""The board as it lies: sections, areas and doorways in one frame."""

from collections import Counter

import msgspec
import pytest
from hypothesis import given

from deadwood.engine.board import built_in_board
from deadwood.engine.floor_plan import FloorPlan, floor_plan
from deadwood.engine.geometry import SECTION_HEIGHT, SECTION_WIDTH
from deadwood.engine.layout import neighbours, parse_layout

from ..strategies import layouts

BOARD = built_in_board()


def plan_of(text):
    return floor_plan(parse_layout(text, BOARD), BOARD)


def test_the_standard_layout():
    plan = plan_of("standard")
    assert (plan.layout, plan.width, plan.height) == ("GM/CH", 1200, 900)
    assert [(one.initial, one.row, one.column, one.turned, one.left, one.top) for one in plan.sections] == [
        ("G", 0, 0, False, 0, 0),
        ("M", 0, 1, False, 600, 0),
        ("C", 1, 0, False, 0, 450),
        ("H", 1, 1, False, 600, 450),
    ]
    assert plan.doorway_width == BOARD.doorways.width


@pytest.mark.parametrize("text", ["GM/CH", "G'/M/CH"])
def test_a_plan_says_which_areas_each_section_has(text):
    sections = {section.initial: tuple(area.id for area in section.areas) for section in BOARD.sections}
    assert {one.initial: one.areas for one in plan_of(text).sections} == sections


def test_an_unturned_section_at_the_upper_left_lies_as_the_board_has_it():
    plan = plan_of("GM/CH")
    assert [plan.areas[area.id] for area in BOARD.sections[0].areas] == [
        area.geometry for area in BOARD.sections[0].areas
    ]


def test_a_turned_section_is_point_symmetric_and_boxes_stay_boxes():
    (area, *_) = BOARD.sections[0].areas
    there, here = plan_of("G'M/CH").areas[area.id], area.geometry
    assert there.outline == tuple((SECTION_WIDTH - x, SECTION_HEIGHT - y) for x, y in here.outline)
    left, top, width, height = here.label
    assert there.label == (SECTION_WIDTH - left - width, SECTION_HEIGHT - top - height, width, height)


@given(layouts)
def test_doorways_join_neighbours_and_lead_off_the_board_at_its_rim(text):
    layout = parse_layout(text, BOARD)
    plan = floor_plan(layout, BOARD)
    ids = [area.id for area in BOARD.areas]
    joined = {frozenset(door.between) for door in plan.doorways if door.between[1] is not None}
    assert joined == {
        frozenset((ids[one], ids[other])) for one, others in enumerate(neighbours(layout, BOARD)) for other in others
    }
    assert max(Counter(door.at for door in plan.doorways).values()) == 1
    sides = sum(door.between[1] is None for door in plan.doorways)
    inner = sum(len(section.doorways) for section in BOARD.sections)
    assert sides + 2 * (len(plan.doorways) - inner - sides) == 4 * 8  # every section has eight on its sides
    assert set(plan.areas) == set(ids)


def test_a_shared_side_makes_two_doorways():
    plan = plan_of("GM/CH")
    shared = [door for door in plan.doorways if door.at[0] == SECTION_WIDTH and door.at[1] < SECTION_HEIGHT]
    assert [(door.at, door.wall) for door in shared] == [((600, y), "vertical") for y in BOARD.doorways.vertical]
    corners = BOARD.sections[0].corners, BOARD.sections[1].corners
    names = {area.name: area.id for area in BOARD.areas}
    assert [door.between for door in shared] == [
        (names[corners[0].top_right], names[corners[1].top_left]),
        (names[corners[0].bottom_right], names[corners[1].bottom_left]),
    ]


@pytest.mark.parametrize("text", ["GMCH", "G./M./CH'"])
def test_a_plan_goes_through_json(text):
    plan = plan_of(text)
    assert msgspec.json.decode(msgspec.json.encode(plan), type=FloorPlan) == plan
