"""Who is away at a served table, whose clock is running, and what others propose, in sentences."""

import asyncio
import math
from collections.abc import Iterator
from typing import get_args

from ..client import Countdown, ServedTable
from ..server.protocol.commands import Agreement
from ..server.protocol.views import ChairView
from .wording import phrase

AGREEMENTS: tuple[Agreement, ...] = get_args(Agreement)
_MINUTE, _HOUR, _DAY = 60, 3600, 86_400  # in seconds


def clock_text(seconds: float) -> str:
    """A time as people say it: `1:20`, `2 h 5 min`, or `1 d 3 h`."""
    whole = math.ceil(seconds)
    if whole >= _DAY:
        return phrase("absence.days", days=whole // _DAY, hours=whole % _DAY // _HOUR)
    if whole >= _HOUR:
        return phrase("absence.hours", hours=whole // _HOUR, minutes=whole % _HOUR // _MINUTE)
    return f"{whole // _MINUTE}:{whole % _MINUTE:02}"


def invitation_text(seconds: float) -> str:
    """What an invitation is good for, and how long."""
    return phrase("hosting.invitation", hours=round(seconds / _HOUR))


def left(countdown: Countdown) -> str:
    """The time that is left now."""
    return clock_text(countdown.left(asyncio.get_running_loop().time()))


def proposed(table: ServedTable) -> tuple[Agreement, ...]:
    """What somebody has proposed but not everybody has agreed to."""
    position = table.position
    if position is None or table.view.status != "running":
        return ()
    asked = {"pause": position.votes.pause and not position.paused, "end": position.votes.end}
    return tuple(to for to in AGREEMENTS if asked[to])


def undecided(table: ServedTable, to: Agreement) -> bool:
    """Whether somebody here has not agreed to it yet."""
    position = table.position
    return position is not None and not set(table.held) <= set(getattr(position.votes, to))


def awaited(table: ServedTable) -> Countdown | None:
    """The wait for the active player, who is absent, until a stand-in plays."""
    position = table.position
    plays = position is None or position.stand_in is not None or table.view.status != "running"
    return None if plays else table.waiting


def missing(table: ServedTable) -> ChairView | None:
    """The active player, if absent and without a stand-in."""
    active, position = table.active, table.position
    plays = position is None or position.stand_in is not None
    return active if active in table.absent and not plays else None


def ticks(table: ServedTable) -> bool:
    """Whether a countdown that people see is running."""
    shown = (awaited(table), table.clock if table.view.status == "running" else None)
    return any(one is not None and one.runs for one in shown)


def absence_lines(table: ServedTable) -> Iterator[str]:
    """Everything to say about a running game besides its board."""
    position = table.position
    if position is None or table.view.status != "running":
        return
    if position.paused:
        yield phrase("served.paused")
    for chair in table.absent:
        yield _about(table, chair)
    if table.clock is not None:
        yield phrase("absence.time_left", player=_name(table, table.clock.chair), time=left(table.clock))
    for to in proposed(table):
        yield phrase(f"absence.proposed_{to}", players=_names(table, getattr(position.votes, to)))


def _about(table: ServedTable, chair: ChairView) -> str:
    """That somebody is away, and what happens next."""
    wait = awaited(table)
    if chair.stand_in is not None:
        return phrase("absence.stand_in_plays", player=chair.name, bot=chair.stand_in)
    if wait is not None and wait.chair == chair.id and wait.runs:
        return phrase("absence.stand_in_comes", player=chair.name, time=left(wait))
    if chair == missing(table) and table.view.house.stands_in_after is None and table.clock is None:
        return phrase("absence.all_wait", player=chair.name)
    return phrase("absence.is_away", player=chair.name)


def absence_note(table: ServedTable) -> str:
    """The most urgent news in a few words, for the top line."""
    position = table.position
    if position is not None and position.paused and table.view.status == "running":
        return phrase("absence.note_paused" if table.held else "table.paused")
    open_questions = [to for to in proposed(table) if undecided(table, to) and table.held]
    if open_questions:
        return phrase(f"absence.note_{open_questions[0]}")
    if (wait := awaited(table)) is not None and wait.runs:
        return phrase("absence.note_away", player=_name(table, wait.chair), time=left(wait))
    if (gone := missing(table)) is not None:
        return phrase("absence.note_gone", player=gone.name)
    if table.view.status == "running" and table.view.pending is None and table.clock is not None:
        return phrase("absence.note_time", time=left(table.clock))
    return ""


def why_not_now(table: ServedTable) -> str:
    """Why nobody here may act."""
    active, position = table.active, table.position
    if table.status != "open":
        return phrase("served.lost")
    if active is None or position is None:
        return phrase("served.no_game")
    if position.paused:
        return phrase("served.paused")
    return phrase("served.stand_in") if active.id in table.held else phrase("served.turn_of", player=active.name)


def _name(table: ServedTable, id: int) -> str:
    chair = table.chair(id)
    return chair.name if chair else ""


def _names(table: ServedTable, ids: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(_name(table, id) for id in ids)
