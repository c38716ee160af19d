"""What each operation of the HTTP interface does. `operations.py` lists them with their addresses and types."""

import re
from contextlib import AbstractContextManager
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response

from ...engine.board import built_in_board
from ...engine.deck import BUILT_IN_DECKS, Deck, built_in_deck
from ...engine.floor_plan import FloorPlan
from ...engine.refusal import shortened
from ...narration import rules_text, translated_deck
from ..admission import Admission
from ..origins import client_address, is_loopback, listens_everywhere
from ..protocol.answers import About, BoardView, GameList, GameSummary, Made, Replay, Sharing, TableList
from ..protocol.commands import RECORD_BYTES, AnyCommand, ClearTalk, Hint, QueryCommand, Sit, Sync, TalkCommand
from ..protocol.messages import Answer, Done
from ..protocol.refusals import refuse
from ..protocol.views import TableView
from ..settings import Settings
from ..tables import summaries
from ..tables.caller import Caller
from ..tables.catalogue import about_server, board_plan, board_view
from ..tables.hall import Hall
from ..tables.ports import GameRow
from ..tables.records import record_of
from ..tables.room import Room
from ..workers.replaying import MOST_STEPS
from ..workers.workers import Workers
from . import requests

_PAGE = 50  # rows of a list, at most
_MOST_NUMBER = 10**18 - 1
_GAME_NUMBER = re.compile(r"[0-9]{1,9}")


def hall_of(request: Request) -> Hall:
    """All tables."""
    hall: Hall = request.app.state.hall
    return hall


def admission_of(request: Request) -> Admission:
    """The limits on what clients may ask for."""
    admission: Admission = request.app.state.admission
    return admission


def workers_of(request: Request) -> Workers:
    """The worker processes."""
    workers: Workers = request.app.state.workers
    return workers


async def about(request: Request) -> About:
    """What this server offers: bots, colours, decks, languages, and the options of a game."""
    settings = hall_of(request).services.settings
    return about_server(requests.language(request), _sharing(settings), settings.talk)


def _sharing(settings: Settings) -> Sharing:
    """Whether other machines can reach this server, or how they could."""
    reachable = not is_loopback(urlsplit(settings.url).hostname or "")
    closed = not reachable and not listens_everywhere(settings.host)
    return Sharing(reachable=reachable, command=settings.sharing if closed else None)


async def board(request: Request) -> BoardView:
    """The board: areas, roles and prices."""
    return board_view(built_in_board(), requests.language(request))


async def floor_plan(request: Request) -> FloorPlan:
    """Where everything on the board lies in a layout."""
    return board_plan(request.query_params.get("layout", "standard"), built_in_board())


async def deck(request: Request) -> Deck:
    """A deck's cards."""
    name = request.path_params["name"]
    if name not in BUILT_IN_DECKS:
        raise refuse("page_unknown")
    return translated_deck(built_in_deck(name), requests.language(request))


async def rules(request: Request) -> Response:
    """The rules for players, in Markdown."""
    return Response(rules_text(requests.language(request)), media_type="text/plain")


async def open_table(request: Request) -> Made:
    """Open a table."""
    admission_of(request).new_table(client_address(request.scope))
    new = await requests.new_table(request)
    room = await hall_of(request).open(new)
    people = tuple(chair.id for chair in room.sitting.chairs if chair.token)
    caller = Caller(requests.language_of(request), frozenset(people))
    return Made(table=room.queries.table(caller), chairs=people)


async def list_tables(request: Request) -> TableList:
    """Public tables, the newest first."""
    status = requests.status(request)
    limit = requests.whole(request, "limit", 1, _PAGE, 20)
    before = (
        requests.whole(request, "before", 0, _MOST_NUMBER, _MOST_NUMBER) if "before" in request.query_params else None
    )
    found = await hall_of(request).services.store.listings(status, before, limit)
    tables = tuple(summaries.decode_table(one.summary) for one in found)
    return TableList(tables=tables, next=str(found[-1].number) if len(found) == limit else None)


async def show_table(request: Request) -> TableView:
    """A table as it is now; the holder of the active chair also learns why other actions are refused."""
    admission_of(request).snapshot(client_address(request.scope))
    tokens = requests.tokens(request)
    async with hall_of(request).visit(request.path_params["code"]) as room:
        await room.catch_up_with(tokens)
        return room.queries.table(room.caller(tokens, requests.language_of(request)))


async def command(request: Request) -> Answer:
    """Carry out a command, as over the socket."""
    tokens = requests.tokens(request)
    sent = await requests.command(request)
    async with hall_of(request).visit(request.path_params["code"]) as room:
        await room.catch_up_with(tokens)
        caller = room.caller(tokens, requests.language_of(request), client_address(request.scope))
        if caller.held:
            admission_of(request).command((room.sitting.code, *caller.held))
        if isinstance(sent, Sit):
            admission_of(request).sit(room.sitting.code, caller.address)
        if caller.left:
            return await _repeated(room, caller, sent)
        if isinstance(sent, Hint):
            with heavy_job(request):
                return await room.queries.answer(caller, sent)
        if isinstance(sent, Sync):
            admission_of(request).snapshot(caller.address, room.queries.missed(sent.since))
        if isinstance(sent, QueryCommand):
            return await room.queries.answer(caller, sent)
        if isinstance(sent, TalkCommand):
            _limit_talk(request, room, caller, sent)
            return await room.talk(caller, sent)
        return await room.clerk.perform(caller, sent)


def _limit_talk(request: Request, room: Room, caller: Caller, command: TalkCommand) -> None:
    """Limit talk. A spectator has no connection over HTTP, so the address counts instead."""
    if not isinstance(command, ClearTalk):
        code = room.sitting.code
        sender = (code, min(caller.held)) if caller.held else (code, caller.address)
        admission_of(request).talk(sender, caller.address, None if caller.held else code)


async def _repeated(room: Room, caller: Caller, command: AnyCommand) -> Done:
    """Somebody who has left may only repeat a command, to get its first answer."""
    if isinstance(command, QueryCommand | TalkCommand):
        raise refuse("token_unknown")
    done = await room.clerk.repeated(caller, command)
    if done is None:
        raise refuse("token_unknown")
    return done


async def list_games(request: Request) -> GameList:
    """The finished games of a table, the latest first."""
    hall = hall_of(request)
    limit = requests.whole(request, "limit", 1, _PAGE, 20)
    before = requests.whole(request, "before", 1, 2**31 - 1, 2**31 - 1)
    code = await hall.code(request.path_params["code"])
    found = await hall.services.store.games(code, before, limit)
    games = tuple(summaries.decode_game(game.summary) for game in found if game.summary)
    return GameList(games=games, next=found[-1].number if len(found) == limit else None)


async def show_game(request: Request) -> GameSummary:
    """A finished game, with everything needed to verify its dice."""
    game = await _finished(request)
    return summaries.decode_game(game.summary or "")


async def show_record(request: Request) -> Response:
    """The record of a finished game."""
    with heavy_job(request):
        game = await _finished(request)
        text = await record_of(hall_of(request).services, game)
    name = f"deadwood-{game.code}-{game.number}.deadwood"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type="text/plain", headers=headers)


async def show_replay(request: Request) -> Replay:
    """A part of a finished game, as states and events."""
    first, limit = _part(request)
    with heavy_job(request):
        record = await record_of(hall_of(request).services, await _finished(request))
        language, address = requests.language(request), client_address(request.scope)
        return await workers_of(request).replay(record, first, limit, language, address)


async def replay_upload(request: Request) -> Replay:
    """A part of any record, as states and events."""
    first, limit = _part(request)
    with heavy_job(request):
        try:
            record = (await requests.upload(request, RECORD_BYTES, RECORD_BYTES)).decode()
        except UnicodeDecodeError as error:
            raise refuse("upload_not_text") from error
        language, address = requests.language(request), client_address(request.scope)
        return await workers_of(request).replay(record, first, limit, language, address)


def heavy_job(request: Request) -> AbstractContextManager[None]:
    """Work that takes a worker's time."""
    return admission_of(request).heavy_job(client_address(request.scope))


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
