"""What a page asks the server for first.

The document links to it, so that a browser fetches it together with the scripts and not after them. The addresses are
spelled as the client spells them. If it asks for others, as in another language, only the head start is lost.
"""

from collections.abc import Iterator
from html import escape
from urllib.parse import quote

from starlette.requests import Request

from ..admission import Admission
from ..origins import client_address
from ..protocol.codes import parse_code
from ..tables.catalogue import board_label, deck_label
from ..tables.hall import Hall
from ..tables.sitting import Sitting
from ..tables.views import layout_of
from . import requests

_UNESCAPED = "!'()*"  # what JavaScript's encodeURIComponent leaves as it is, but Python's quote does not
_AT_TABLES = frozenset({"TablePage", "Screen"})  # the pages of a table


def is_lobby(module: str, request: Request) -> bool:
    """Whether this page shows a table before its game."""
    sitting = _sitting(request)
    return module == "TablePage" and sitting is not None and sitting.status == "waiting"


def links(module: str, request: Request) -> Iterator[str]:
    """The links that fetch what a page needs to know."""
    for path in _asked(module, request):
        yield f'<link rel="preload" as="fetch" crossorigin href="{escape(path)}" />'


def _asked(module: str, request: Request) -> Iterator[str]:
    language = requests.language_of(request)
    if request.scope["path"] == "/":  # any other document may be kept for days without a network
        yield f"/api/about?language={language}"
        yield from (f"/api/tables?status={status}" for status in ("waiting", "running"))
    elif module in _AT_TABLES:
        sitting = _sitting(request)
        if module == "TablePage":
            yield f"/api/about?language={language}"
        if sitting is not None:
            yield from _at_table(sitting, language)


def _sitting(request: Request) -> Sitting | None:
    """The game at a table, if the table is in memory: a preview must not wake it."""
    hall: Hall = request.app.state.hall
    admission: Admission = request.app.state.admission
    if admission.is_guessing(client_address(request.scope)):
        return None
    room = hall.rooms.get(parse_code(request.path_params.get("code", "")) or "")
    return room.sitting if room else None


def _at_table(sitting: Sitting, language: str) -> Iterator[str]:
    """What is the same for everybody: the board, its floor plan, the cards."""
    options = sitting.game.state.table.options if sitting.game else sitting.options
    layout, deck = layout_of(options, sitting.board), deck_label(sitting.deck)
    if board_label(sitting.board).key is None:
        yield f"/api/board?language={language}"
        if layout is not None:
            yield f"/api/floor-plan?layout={_spelled(layout)}"
    if deck.key is None:
        yield f"/api/decks/{_spelled(deck.name)}?language={language}"


def _spelled(text: str) -> str:
    return quote(text, safe=_UNESCAPED)
