"""What is printed to play on paper, with built-in decks and boards or with those that people bring."""

from starlette.requests import Request

from ...engine.board import Board, built_in_board
from ...engine.deck import Deck, built_in_deck
from ..origins import client_address
from ..protocol.answers import KitView
from ..tables.catalogue import kit_view
from . import requests
from .api import hall_of, heavy_job, workers_of
from .own_files import explained


async def kit(request: Request) -> KitView:
    """What is printed to play on paper: cards, board sections, pieces, and texts."""
    return kit_view(_deck(request), _board(request), requests.language(request))


async def own_kit(request: Request) -> KitView:
    """The same with a deck or a board from a file."""
    language, deck, board, workers = requests.language(request), _deck(request), _board(request), workers_of(request)
    with heavy_job(request), explained():
        files, address = await requests.kit_files(request), client_address(request.scope)
        if files.deck is not None:
            deck = (await workers.check_deck(files.deck, address)).deck
        if files.board is not None:
            board = (await workers.check_board(files.board, address)).board
    return kit_view(deck, board, language)


def _deck(request: Request) -> Deck:
    """The deck that the query names, or the one that this server prints."""
    name = requests.deck(request)
    own = None if "deck" in request.query_params else hall_of(request).services.settings.printed_deck
    return own or built_in_deck(name)


def _board(request: Request) -> Board:
    return hall_of(request).services.settings.printed_board or built_in_board()
