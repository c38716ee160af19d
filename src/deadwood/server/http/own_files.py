"""Decks and boards that people bring: checking them, and playing with them at a table."""

import secrets
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

from starlette.requests import Request

from ...engine.board import format_board
from ...engine.deck import Deck
from ...engine.floor_plan import FloorPlan
from ...engine.refusal import DataError
from ...narration import translated_deck
from ..origins import client_address
from ..protocol.answers import BoardView, CheckedBoard, CheckedDeck, OptionList
from ..protocol.commands import FileCommand, UseBoard, UseDeck
from ..protocol.messages import Done
from ..protocol.refusals import refuse
from ..tables.caller import Caller
from ..tables.catalogue import board_label, board_plan, board_view, deck_label, option_views
from ..tables.deciding import demand_setting_up
from ..tables.room import Room
from . import requests
from .api import admission_of, hall_of, heavy_job, workers_of


async def check_deck(request: Request) -> CheckedDeck:
    """Check the file of a deck: its cards, or what is wrong and on which line."""
    with heavy_job(request), explained():
        text, address = await requests.file_text(request), client_address(request.scope)
        return await workers_of(request).check_deck(text, address)


async def check_board(request: Request) -> CheckedBoard:
    """Check the file of a board: its sections and prices, or what is wrong and on which line."""
    with heavy_job(request), explained():
        text, address = await requests.file_text(request), client_address(request.scope)
        return await workers_of(request).check_board(text, address)


async def show_deck(request: Request) -> Deck:
    """The cards of a table's deck."""
    language = requests.language(request)
    async with hall_of(request).visit(request.path_params["code"]) as room:
        deck = room.sitting.deck
        _demand_key(request, deck_label(deck).key)
        return translated_deck(deck, language)


async def use_deck(request: Request) -> Done:
    """The host brings a deck. Everybody must be ready again."""
    async with _setting_up(request) as room:
        deck = (await check_deck(request)).deck
        return await _swap(request, room, UseDeck(id=_new_id(), deck=deck))


async def drop_deck(request: Request) -> Done:
    """The host returns to the deck that the options name. Everybody must be ready again."""
    async with _setting_up(request) as room:
        return await _swap(request, room, UseDeck(id=_new_id(), deck=None))


async def show_board(request: Request) -> BoardView:
    """The areas, roles and prices of a table's board."""
    language = requests.language(request)
    async with hall_of(request).visit(request.path_params["code"]) as room:
        board = room.sitting.board
        _demand_key(request, board_label(board).key)
        return board_view(board, language)


async def show_board_file(request: Request) -> CheckedBoard:
    """The whole of a table's board, for clients that know the rules."""
    async with hall_of(request).visit(request.path_params["code"]) as room:
        board = room.sitting.board
        _demand_key(request, board_label(board).key)
        return CheckedBoard(board=board, fingerprint=board.fingerprint, toml=format_board(board))


async def use_board(request: Request) -> Done:
    """The host brings a board. Everybody must be ready again."""
    async with _setting_up(request) as room:
        board = (await check_board(request)).board
        return await _swap(request, room, UseBoard(id=_new_id(), board=board))


async def drop_board(request: Request) -> Done:
    """The host returns to the built-in board. Everybody must be ready again."""
    async with _setting_up(request) as room:
        return await _swap(request, room, UseBoard(id=_new_id(), board=None))


async def show_floor_plan(request: Request) -> FloorPlan:
    """Where everything on a table's board lies in a layout."""
    async with hall_of(request).visit(request.path_params["code"]) as room:
        board = room.sitting.board
        _demand_key(request, board_label(board).key)
        return board_plan(request.query_params.get("layout", room.sitting.options.layout), board)


async def show_options(request: Request) -> OptionList:
    """The options that a table can choose from; a custom board has its own layouts."""
    language = requests.language(request)
    async with hall_of(request).visit(request.path_params["code"]) as room:
        return OptionList(option_views(language, room.sitting.board))


@asynccontextmanager
async def _setting_up(request: Request) -> AsyncIterator[Room]:
    """The table, if its host sends the request before the game; anybody else is refused before the file is read."""
    async with hall_of(request).visit(request.path_params["code"]) as room:
        await room.catch_up_with(requests.tokens(request))
        admission_of(request).command((room.sitting.code, *_host(request, room).held))
        yield room


def _host(request: Request, room: Room) -> Caller:
    caller = room.caller(requests.tokens(request), requests.language_of(request))
    demand_setting_up(room.sitting, caller.held)
    return caller


async def _swap(request: Request, room: Room, command: FileCommand) -> Done:
    """Carry out the command. The same file again changes nothing, so a lost request can simply be retried."""
    caller = _host(request, room)  # again: somebody may have taken over the chair while the file arrived
    sitting = room.sitting
    same = command.deck == sitting.own_deck if isinstance(command, UseDeck) else command.board == sitting.own_board
    if same:
        return Done(id=command.id, seq=sitting.seq)
    admission_of(request).new_file(client_address(request.scope))
    return await room.clerk.perform(caller, command)


def _new_id() -> str:
    return f"file-{secrets.token_hex(16)}"


def _demand_key(request: Request, key: str | None) -> None:
    """Refuse a client that expects another deck or board than the present one, so that it does not mix them up."""
    if request.query_params.get("key", key) != key:
        raise refuse("file_changed")


@contextmanager
def explained() -> Iterator[None]:
    """Refuse a file that is wrong, with the line and the reason."""
    try:
        yield
    except DataError as error:
        raise refuse("file_wrong", problem=error.parts, line=error.line) from error
