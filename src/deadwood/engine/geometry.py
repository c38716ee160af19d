"""Where things are drawn on the board; no rule depends on it."""

from typing import Annotated, Literal, TypeVar

from msgspec import Meta, Struct

from .loading import demand

SECTION_WIDTH, SECTION_HEIGHT = 600, 450
STANDING_PLACES = 8  # all players may stand in one area (R4.3)

Point = tuple[int, int]
Box = tuple[int, int, int, int]  # left, top, width, height
Wall = Literal["horizontal", "vertical"]  # how the wall runs that a doorway is in
N = TypeVar("N", int, float)


class Doorways(Struct, frozen=True, forbid_unknown_fields=True):
    """Centres of the doorways: x on the upper and lower sides, y on the left and right sides."""

    horizontal: tuple[int, int]
    vertical: tuple[int, int]
    width: Annotated[int, Meta(ge=1)]


class InnerDoorway(Struct, frozen=True, forbid_unknown_fields=True):
    """A doorway between two areas of one section."""

    between: tuple[str, str]
    at: Point
    wall: Wall


class Geometry(Struct, frozen=True, forbid_unknown_fields=True):
    """An area's shape and places, in its section as it lies unturned."""

    outline: Annotated[tuple[Point, ...], Meta(min_length=3)]
    label: Box
    standing: tuple[Point, ...]
    card: Box | None = None
    shots: tuple[Point, ...] = ()
    extras: tuple[Point, ...] = ()
    prices: Box | None = None


def laid(point: tuple[N, N], turned: bool) -> tuple[N, N]:
    """Where a section's point comes to lie in its own place, when the section is turned by 180 degrees or not."""
    x, y = point
    return (SECTION_WIDTH - x, SECTION_HEIGHT - y) if turned else point


def check_doorways(doorways: Doorways, file: str) -> None:
    """Doorways must meet however sections are laid and turned (R10.1), so they must be symmetric."""
    for side, (near, far), length in (
        ("horizontal", doorways.horizontal, SECTION_WIDTH),
        ("vertical", doorways.vertical, SECTION_HEIGHT),
    ):
        demand(0 < near < far, file, f"doorways.{side}", "the nearer doorway must come first")
        problem = f"{near} and {far} must be as far from their corners, and add up to {length}"
        demand(near + far == length, file, f"doorways.{side}", problem)


def check_geometry(geometry: Geometry, shots: int, extras: int, file: str, entry: str) -> None:
    """Raise a DataError unless everything has a place inside the section."""
    places = {
        "shots": (len(geometry.shots), shots),
        "extras": (len(geometry.extras), extras),
        "standing": (len(geometry.standing), STANDING_PLACES),
    }
    for what, (given, wanted) in places.items():
        demand(given == wanted, file, entry, f"geometry.{what} has {given} places and needs {wanted}")
    demand((geometry.card is not None) == (shots > 0), file, entry, "a set needs geometry.card, others have none")
    for point in _points(geometry):
        demand_inside(point, file, entry)


def demand_inside(point: Point, file: str, entry: str) -> None:
    """Raise a DataError unless the point lies in its section."""
    x, y = point
    inside = 0 <= x <= SECTION_WIDTH and 0 <= y <= SECTION_HEIGHT
    demand(inside, file, entry, f"the point ({x}, {y}) lies outside the section")


def _points(geometry: Geometry) -> list[Point]:
    points = [*geometry.outline, *geometry.shots, *geometry.extras, *geometry.standing]
    for box in (geometry.label, geometry.card, geometry.prices):
        if box is not None:
            left, top, width, height = box
            points += [(left, top), (left + width, top + height)]
    return points
