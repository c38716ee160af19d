"""Forgetting a person at a table: another name takes the place of theirs, in every entry of the log.

Dice depend on the seed and on the people's salts, never on names, so every record still verifies.
"""

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from ...engine.seats import compared_name
from .log import Body, Chair, Chosen, Opened, Sat
from .summaries import rename_first

Rename = Callable[[str], str]
Naming = Opened | Sat | Chosen  # the entries that hold names
NAMING = tuple(f'{{"type":"{body.__struct_config__.tag}"' for body in (Opened, Sat, Chosen))  # as they are stored


def people(bodies: Iterable[Body]) -> dict[int, str]:
    """Everybody who ever held a chair, by its id. Remote bots count, too: people chose their names."""
    chairs = [chair for body in bodies for chair in _chairs(body)]
    return {chair.id: chair.name for chair in chairs if chair.own_bot is None}


def forgetting(name: str, bodies: Iterable[Body]) -> Rename | None:
    """The new names of people at a table, so that nobody has this name; None if nobody ever had it."""
    bodies = tuple(bodies)
    wanted = compared_name(name)
    found = [id for id, known in people(bodies).items() if compared_name(known) == wanted]
    if not found:
        return None
    taken = {compared_name(chair.name) for body in bodies for chair in _chairs(body)}
    new = _free_name(min(found), taken)
    return lambda known: new if compared_name(known) == wanted else known


def renamed(body: Naming, rename: Rename) -> Naming:
    """An entry with other names."""
    match body:
        case Opened():
            chairs = tuple(_renamed(chair, rename) for chair in body.chairs)
            return replace(body, chairs=chairs, options=rename_first(body.options, rename))
        case Sat():
            return replace(body, chair=_renamed(body.chair, rename))
        case Chosen():
            return replace(body, options=rename_first(body.options, rename))


def _chairs(body: Body) -> tuple[Chair, ...]:
    match body:
        case Opened():
            return body.chairs
        case Sat():
            return (body.chair,)
        case _:
            return ()


def _renamed(chair: Chair, rename: Rename) -> Chair:
    return chair if chair.own_bot else replace(chair, name=rename(chair.name))


def _free_name(number: int, taken: set[str]) -> str:
    name = f"Player {number}"
    while compared_name(name) in taken:
        number += 1
        name = f"Player {number}"
    return name
