"""A place to draw everything on our board."""

from itertools import combinations

import pytest

from deadwood.engine.board import built_in_board
from deadwood.engine.geometry import SECTION_HEIGHT, SECTION_WIDTH


def boxes(area):
    """Everything that is drawn in an area, as left, top, right, bottom."""
    place = area.geometry
    for left, top, width, height in filter(None, (place.label, place.card, place.prices)):
        yield left, top, left + width, top + height
    for points, size in ((place.shots, 26), (place.extras, 44), (place.standing, 26)):
        for x, y in points:
            yield x - size / 2, y - size / 2, x + size / 2, y + size / 2


def inside(x, y, outline):
    """Whether a point lies in a polygon, by counting the edges to its right."""
    crossings = 0
    for (x1, y1), (x2, y2) in zip(outline, outline[1:] + outline[:1], strict=True):
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
            crossings += 1
    return crossings % 2 == 1


@pytest.mark.parametrize("area", built_in_board().areas, ids=lambda area: area.id)
def test_everything_has_its_place_in_its_area(area):
    for left, top, right, bottom in boxes(area):
        for x, y in ((left, top), (right, top), (right, bottom), (left, bottom)):
            assert inside(x, y, area.geometry.outline)
    for one, other in combinations(boxes(area), 2):
        apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
        assert apart, (area.name, one, other)


def area_of(outline):
    return abs(
        sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in zip(outline, outline[1:] + outline[:1], strict=True)) / 2
    )


@pytest.mark.parametrize("section", built_in_board().sections, ids=lambda section: section.initial)
def test_areas_fill_their_section_and_meet_at_their_doorways(section):
    outlines = {area.name: area.geometry.outline for area in section.areas}
    assert sum(map(area_of, outlines.values())) == SECTION_WIDTH * SECTION_HEIGHT
    near_x, far_x = built_in_board().doorways.horizontal
    near_y, far_y = built_in_board().doorways.vertical
    bottom, right = SECTION_HEIGHT - 1, SECTION_WIDTH - 1
    for corner, points in {
        "top_left": [(near_x, 1), (1, near_y)],
        "top_right": [(far_x, 1), (right, near_y)],
        "bottom_right": [(far_x, bottom), (right, far_y)],
        "bottom_left": [(near_x, bottom), (1, far_y)],
    }.items():
        for x, y in points:
            assert inside(x, y, outlines[getattr(section.corners, corner)])
    assert {frozenset(doorway.between) for doorway in section.doorways} == {
        frozenset(pair) for pair in combinations(outlines, 2)
    }
    for doorway in section.doorways:
        x, y = doorway.at
        sides = [(x - 2, y), (x + 2, y)] if doorway.wall == "vertical" else [(x, y - 2), (x, y + 2)]
        assert {name for side in sides for name in outlines if inside(*side, outlines[name])} == set(doorway.between)
