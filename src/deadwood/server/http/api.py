"""The HTTP interface: what each operation does. `operations.py` lists them with their addresses and types."""

import re
from contextlib import AbstractContextManager

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from ...bots import names as bot_levels
from ...engine.board import built_in_board
from ...engine.deck import BUILT_IN_DECKS, Deck, built_in_deck
from ...engine.refusal import shortened
from ...engine.seats import COLOURS
from ...narration import languages, rules_text
from ..protocol.commands import RECORD_BYTES, AnyCommand, Hint, Question
from ..protocol.messages import (
    About,
    Answer,
    AreaView,
    BoardView,
    Done,
    GameList,
    GameSummary,
    ListedTable,
    Made,
    Replay,
    TableList,
    TableView,
)
from ..protocol.refusals import refuse
from ..socket.connection import Connection
from ..socket.endpoint import client_address
from ..store.rows import GameRow
from ..tables.hall import Hall
from ..tables.records import record_of
from ..tables.room import Room
from ..workers.replaying import MOST_STEPS
from . import requests

_PAGE = 50  # entries of a list, at most
_MOST_NUMBER = 10**18 - 1
_GAME_NUMBER = re.compile(r"[0-9]{1,9}")


def hall_of(request: Request) -> Hall:
    """All tables."""
    hall: Hall = request.app.state.hall
    return hall


async def about(_request: Request) -> About:
    """What can be chosen here."""
    return About(bots=bot_levels(), colours=COLOURS, decks=BUILT_IN_DECKS, languages=languages())


async def board(_request: Request) -> BoardView:
    """The board: areas, roles, prices and geometry."""
    own = built_in_board()
    areas = tuple(
        AreaView(id=area.id, name=area.name, kind=area.kind, shots=area.shots, extras=area.extras) for area in own.areas
    )
    return BoardView(areas=areas, board=own)


async def deck(request: Request) -> Deck:
    """A deck's cards."""
    name = request.path_params["name"]
    if name not in BUILT_IN_DECKS:
        raise refuse("page_unknown")
    return built_in_deck(name)


async def rules(request: Request) -> Response:
    """The rules for players, in Markdown."""
    return Response(rules_text(requests.language(request)), media_type="text/plain")


async def make_table(request: Request) -> Made:
    """A new table."""
    hall = hall_of(request)
    _demand(hall.table_buckets.take(client_address(request.scope)))
    new = await requests.new_table(request)
    room = await hall.make(new)
    return Made(table=room.view(), seat=room.sitting.host)


async def list_tables(request: Request) -> TableList:
    """Public tables, the newest first."""
    status = requests.status(request)
    limit = requests.whole(request, "limit", 1, _PAGE, 20)
    before = (
        requests.whole(request, "before", 0, _MOST_NUMBER, _MOST_NUMBER) if "before" in request.query_params else None
    )
    found = await hall_of(request).services.store.listings(status, before, limit)
    tables = tuple(msgspec.json.decode(one.summary, type=ListedTable) for one in found)
    return TableList(tables=tables, next=str(found[-1].number) if len(found) == limit else None)


async def show_table(request: Request) -> TableView:
    """A table as it is now."""
    async with hall_of(request).visit(request.path_params["code"]) as room:
        return room.view()


async def command(request: Request) -> Answer:
    """Do what a command says, as over the socket."""
    hall = hall_of(request)
    tokens = requests.tokens(request)
    wish = await requests.command(request)
    async with hall.visit(request.path_params["code"]) as room:
        caller = _Caller(room, tokens, requests.language_of(request))
        _demand(hall.seat_buckets.take((room.sitting.code, *caller.held)) if caller.held else 0)
        if caller.left:
            return await _told_before(room, caller, wish)
        if isinstance(wish, Hint):
            with _heavy_job(request):
                return await room.answer(caller, wish)
        if isinstance(wish, Question):
            return await room.answer(caller, wish)
        done: list[Done] = []
        await room.perform(caller.held, wish, done.append)
        return done[0]


async def _told_before(room: Room, caller: Connection, wish: AnyCommand) -> Done:
    """Who has left may hear an answer again that got lost, and nothing else."""
    earlier = None if isinstance(wish, Question) else await room.first_answer(caller.left, wish)
    if earlier is None:
        raise refuse("token_unknown")
    return earlier


class _Nowhere:
    """The transport of somebody who does not listen."""

    async def receive(self) -> None: ...

    def send_at_once(self, _text: bytes) -> bool:
        return True

    async def send(self, text: bytes) -> None: ...

    async def close(self, code: int, reason: str) -> None: ...

    def abort(self) -> None: ...


class _Caller(Connection):
    """Somebody who asks once, over HTTP."""

    def __init__(self, room: Room, tokens: tuple[str, ...], language: str) -> None:
        super().__init__(_Nowhere(), language)
        seats = [room.seat_of(token) for token in tokens]
        self.held = frozenset(seat for seat in seats if seat is not None)
        self.left = room.left_seats(tokens)
        if None in seats and not self.left:
            raise refuse("token_unknown")


async def list_games(request: Request) -> GameList:
    """The finished games of a table, the latest first."""
    hall = hall_of(request)
    limit = requests.whole(request, "limit", 1, _PAGE, 20)
    before = requests.whole(request, "before", 1, 2**31 - 1, 2**31 - 1)
    code = await hall.code(request.path_params["code"])
    found = await hall.services.store.games(code, before, limit)
    games = tuple(_summary(game) for game in found if game.summary)
    return GameList(games=games, next=found[-1].number if len(found) == limit else None)


async def show_game(request: Request) -> GameSummary:
    """A finished game, with all that is needed to check its dice."""
    return _summary(await _finished(request))


async def show_record(request: Request) -> Response:
    """The record of a finished game."""
    with _heavy_job(request):
        game = await _finished(request)
        text = await record_of(hall_of(request).services.store, game)
    name = f"deadwood-{game.code}-{game.number}.deadwood"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type="text/plain", headers=headers)


async def show_replay(request: Request) -> Replay:
    """A part of a finished game, as snapshots and events."""
    first, limit = _part(request)
    hall = hall_of(request)
    with _heavy_job(request):
        record = await record_of(hall.services.store, await _finished(request))
        return await hall.services.thinker.replay(record, first, limit, requests.language(request))


async def replay_upload(request: Request) -> Replay:
    """A part of any record, as snapshots and events."""
    first, limit = _part(request)
    hall = hall_of(request)
    with _heavy_job(request):
        try:
            record = (await requests.body(request, RECORD_BYTES)).decode()
        except UnicodeDecodeError as error:
            raise refuse("upload_not_text") from error
        return await hall.services.thinker.replay(record, first, limit, requests.language(request))


def _heavy_job(request: Request) -> AbstractContextManager[None]:
    hall, address = hall_of(request), client_address(request.scope)
    _demand(hall.heavy_buckets.take(address))
    return hall.heavy_job(address)


def _part(request: Request) -> tuple[int, int]:
    first = requests.whole(request, "first", 0, 10**6, 0)
    return first, requests.whole(request, "limit", 1, MOST_STEPS, MOST_STEPS)


async def _finished(request: Request) -> GameRow:
    hall, text = hall_of(request), request.path_params["game"]
    code = await hall.code(request.path_params["code"])
    game = await hall.services.store.game(code, int(text)) if _GAME_NUMBER.fullmatch(text) else None
    if game is None or game.summary is None:
        raise refuse("game_unknown", number=shortened(text))
    return game


def _summary(game: GameRow) -> GameSummary:
    return msgspec.json.decode(game.summary or "", type=GameSummary)


def _demand(wait: float) -> None:
    if wait:
        raise refuse("too_many_requests", seconds=max(1, round(wait)))
