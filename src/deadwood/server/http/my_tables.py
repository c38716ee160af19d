"""The tables that a browser remembers, all with one request. Tokens come in the body, never in an address."""

from starlette.requests import Request

from ..origins import client_address
from ..protocol.answers import MyTable, MyTables
from ..protocol.commands import KnownTable
from ..protocol.refusals import ServerRefused
from ..tables import summaries
from ..tables.hall import Hall
from ..tables.sitting import Sitting
from ..tables.views import chair_views
from . import requests
from .api import admission_of, hall_of


async def my_tables(request: Request) -> MyTables:
    """How things are at these tables: whose turn it is, or how the last game ended."""
    asked = await requests.my_tables(request)
    admission, address = admission_of(request), client_address(request.scope)
    admission.request(address, len(asked.tables))
    return MyTables(tables=tuple([await _table(request, address, one) for one in asked.tables]))


async def _table(request: Request, address: str, known: KnownTable) -> MyTable:
    hall = hall_of(request)
    try:
        with admission_of(request).lookup(address, known.code):
            code = await hall.code(known.code)
            return await _finished(hall, code) or await _playing(hall, code, known.tokens)
    except ServerRefused as error:
        if error.refusal.key != "table_unknown":
            raise
        return MyTable(code=known.code, status=None)


async def _finished(hall: Hall, code: str) -> MyTable | None:
    """A table whose game is over, from lists alone, so that it need not wake."""
    listing = await hall.services.store.listing(code)
    if listing is None or listing.status != "finished":
        return None
    games = await hall.services.store.games(code, None, 1)
    if not games or games[0].summary is None:
        return None
    game = summaries.decode_game(games[0].summary)
    return MyTable(
        code=code,
        status="finished",
        game=game.game,
        chairs=game.players,
        standings=game.standings,
        finished=game.finished,
    )


async def _playing(hall: Hall, code: str, tokens: tuple[str, ...]) -> MyTable:
    async with hall.visit(code) as room:
        sitting = room.sitting
        held = sorted({chair.id for chair in map(sitting.chair_of, tokens) if chair})
        active, paused = sitting.active, sitting.attendance.paused
        return MyTable(
            code=code,
            status=sitting.status,
            game=sitting.opened.game,
            chairs=chair_views(sitting),
            held=tuple(held),
            active=active.id if active else None,
            mine=active is not None and active.id in held and not paused,
            paused=paused,
            day=_day(sitting),
            days=_days(sitting),
        )


def _day(sitting: Sitting) -> int | None:
    return sitting.game.state.day if sitting.game else None


def _days(sitting: Sitting) -> int | None:
    return sitting.game.state.table.days if sitting.game else None
