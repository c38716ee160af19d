"""Where things are drawn on the board; no rule depends on it."""

from collections.abc import Iterable, Iterator
from typing import Annotated, Literal, TypeVar

from msgspec import Meta, Struct

from .loading import Place, demand
from .refusal import Part, Wording

SECTION_WIDTH, SECTION_HEIGHT = 600, 450
STANDING_PLACES = 8  # all players may stand in one area (R4.3)

Coordinate = Annotated[int, Meta(ge=-9999, le=9999)]  # wide: checks of the board name what lies outside a section
Point = tuple[Coordinate, Coordinate]
Box = tuple[Coordinate, Coordinate, Coordinate, Coordinate]  # left, top, width, height
Wall = Literal["horizontal", "vertical"]  # the direction of a doorway's wall
N = TypeVar("N", int, float)


class Doorways(Struct, frozen=True, forbid_unknown_fields=True):
    """Centres of the doorways: x on the upper and lower sides, y on the left and right sides."""

    horizontal: Annotated[Point, Meta(description=f"Two x that add up to {SECTION_WIDTH}.")]
    vertical: Annotated[Point, Meta(description=f"Two y that add up to {SECTION_HEIGHT}.")]
    width: Annotated[
        int,
        Meta(
            ge=1,
            le=2**63 - 1,
            extra_json_schema={"maximum": SECTION_HEIGHT},
            description="How wide a doorway is drawn.",
        ),
    ]


class InnerDoorway(Struct, frozen=True, forbid_unknown_fields=True):
    """A doorway between two areas of one section."""

    between: Annotated[tuple[str, str], Meta(description="The names of two areas.")]
    at: Annotated[Point, Meta(description="The centre of the doorway.")]
    wall: Annotated[Wall, Meta(description="How the wall runs that the doorway is in.")]


class Geometry(Struct, frozen=True, forbid_unknown_fields=True):
    """An area's shape and places, in its unturned section."""

    outline: Annotated[tuple[Point, ...], Meta(min_length=3, description="The corners of the area.")]
    label: Annotated[Box, Meta(description="Where the name stands: left, top, width, height.")]
    standing: Annotated[tuple[Point, ...], Meta(description="Eight places for players without a role.")]
    card: Annotated[Box | None, Meta(description="Where the scene card lies, on a set.")] = None
    shots: Annotated[tuple[Point, ...], Meta(description="A place for each shot counter.")] = ()
    extras: Annotated[tuple[Point, ...], Meta(description="A place for each extra role.")] = ()
    prices: Annotated[Box | None, Meta(description="Where the prices stand, in the casting office.")] = None


def laid(point: tuple[N, N], turned: bool) -> tuple[N, N]:
    """Where a point lies within its section's place, once the section is turned by 180 degrees or left as it is."""
    x, y = point
    return (SECTION_WIDTH - x, SECTION_HEIGHT - y) if turned else point


def check_doorways(doorways: Doorways, file: str) -> None:
    """Doorways must meet however sections are laid and turned (R10.1), so they must be symmetric."""
    for side, (near, far), length in (
        ("horizontal", doorways.horizontal, SECTION_WIDTH),
        ("vertical", doorways.vertical, SECTION_HEIGHT),
    ):
        entry, place = f"doorways.{side}", ("doorways", side)
        demand(0 < near < far, file, entry, Wording("the nearer doorway must come first"), place)
        values = {"near": near, "far": far, "length": length}
        problem = Wording("{near} and {far} must be as far from their corners, and add up to {length}", values)
        demand(near + far == length, file, entry, problem, place)


def check_geometry(geometry: Geometry, shots: int, extras: int, file: str, entry: Part, place: Place) -> None:
    """Raise a DataError unless everything lies inside the section."""
    places = {
        "shots": (len(geometry.shots), shots),
        "extras": (len(geometry.extras), extras),
        "standing": (len(geometry.standing), STANDING_PLACES),
    }
    for what, (given, wanted) in places.items():
        values = {"what": what, "given": given, "wanted": wanted}
        problem = Wording("geometry.{what} has {given} places and needs {wanted}", values)
        demand(given == wanted, file, entry, problem, (*place, what))
    has_card = geometry.card is not None
    problem = Wording("a set needs geometry.card, others have none")
    demand(has_card == (shots > 0), file, entry, problem, (*place, "card"))
    for what, points in _points(geometry):
        for point in points:
            demand_inside(point, file, entry, (*place, what))


def demand_inside(point: Point, file: str, entry: Part, place: Place) -> None:
    """Raise a DataError unless the point lies in its section."""
    x, y = point
    inside = 0 <= x <= SECTION_WIDTH and 0 <= y <= SECTION_HEIGHT
    demand(inside, file, entry, Wording("the point ({x}, {y}) lies outside the section", {"x": x, "y": y}), place)


def _points(geometry: Geometry) -> Iterator[tuple[str, Iterable[Point]]]:
    """The points of every field; for a box, two of its corners."""
    for name in ("outline", "shots", "extras", "standing"):
        yield name, getattr(geometry, name)
    for name in ("label", "card", "prices"):
        if (box := getattr(geometry, name)) is not None:
            left, top, width, height = box
            yield name, ((left, top), (left + width, top + height))
