"""What a link to one of our pages shows where people share it: a title, a sentence, a picture."""

from html import escape

from msgspec import Struct
from starlette.requests import Request

from ...engine.events import Standing
from ...engine.options import PLAYERS
from ...narration import Preview, narrate
from ..admission import Admission
from ..origins import client_address
from ..protocol.answers import ListedTable
from ..protocol.codes import parse_code
from ..protocol.refusals import ServerRefused, StoreFailed, refuse
from ..settings import Settings
from ..tables import summaries
from ..tables.hall import Hall
from . import requests

PICTURE, WIDTH, HEIGHT = "/preview.png", 1200, 630  # the build draws it
_LOCALES = {"en": "en_US", "de": "de_DE"}
_NAMED = frozenset({"rules", "print", "decks", "games", "replay", "learn"})  # pages with their own preview


class PagePreview(Struct, frozen=True):
    """The title of a page and a sentence about it."""

    title: Preview
    about: Preview


async def head_of(request: Request) -> str:
    """The lines of a document's head that depend on its address."""
    hall: Hall = request.app.state.hall
    preview, language = await _preview_of(request, hall), requests.language_of(request)
    title, about = narrate(preview.title, language), narrate(preview.about, language)
    origin = origin_of(request, hall.services.settings)
    properties = {
        "og:type": "website",
        "og:site_name": "Deadwood",
        "og:locale": _LOCALES.get(language, language),
        "og:title": title,
        "og:description": about,
        "og:url": origin + request.scope["path"],
        "og:image": origin + PICTURE,
        "og:image:width": str(WIDTH),
        "og:image:height": str(HEIGHT),
        "og:image:alt": narrate(Preview("picture"), language),
    }
    return "\n    ".join(
        [
            f"<title>{escape(title)}</title>",
            _meta("name", "description", about),
            *(_meta("property", name, value) for name, value in properties.items()),
            _meta("name", "twitter:card", "summary_large_image"),
        ]
    )


def origin_of(request: Request, settings: Settings) -> str:
    """The origin that the request names, if it is one of ours; otherwise the server's public address."""
    asked = f"{request.url.scheme}://{request.headers.get('host', '').lower()}"
    return asked if asked in settings.origins else settings.url


def _meta(kind: str, name: str, content: str) -> str:
    return f'<meta {kind}="{name}" content="{escape(content)}" />'


async def _preview_of(request: Request, hall: Hall) -> PagePreview:
    page, _, _ = request.scope["path"].lstrip("/").partition("/")
    if page in _NAMED:
        return PagePreview(Preview(page), Preview(f"{page}_about"))
    code = parse_code(request.path_params.get("code", ""))
    return _SITE if code is None else await _of_table(request, hall, code)


async def _of_table(request: Request, hall: Hall, code: str) -> PagePreview:
    admission: Admission = request.app.state.admission
    try:
        with admission.lookup(client_address(request.scope), code):
            return await _at_table(hall, code, request.path_params.get("game")) or _SITE
    except (StoreFailed, ServerRefused):
        return _SITE  # the page itself says what is wrong


async def _at_table(hall: Hall, code: str, game: str | None) -> PagePreview | None:
    """A table as lists show it, so that a preview does not wake it."""
    store = hall.services.store
    listing = await store.listing(code)
    if listing is None:
        raise refuse("table_unknown", code=code)
    table = summaries.decode_table(listing.summary)
    if game is None and table.status != "finished":
        return _running(table) if table.status == "running" else _waiting(table)
    found = await store.game(code, int(game)) if game and game.isascii() and game.isdigit() and len(game) < 10 else None
    latest = await store.games(code, None, 1) if game is None else []
    row = found or (latest[0] if latest else None)
    if row is None or row.summary is None:
        return None
    return _finished(summaries.decode_game(row.summary).standings, recorded=game is not None)


def _waiting(table: ListedTable) -> PagePreview:
    names = [chair.name for chair in table.chairs]
    host = next((chair.name for chair in table.chairs if chair.bot is None or chair.remote), None)
    if host is None:
        return PagePreview(Preview("empty"), Preview("empty_about"))
    return PagePreview(Preview("waiting", {"host": host}), Preview("waiting_about", {"players": names}))


def _running(table: ListedTable) -> PagePreview:
    return PagePreview(
        Preview("running", {"players": [chair.name for chair in table.chairs]}), Preview("running_about")
    )


def _finished(standings: tuple[Standing, ...], *, recorded: bool) -> PagePreview:
    names = [one.name for one in standings]
    winners = [one.name for one in standings if one.place == 1]
    title = Preview("recorded", {"players": names}) if recorded else Preview("finished", {"winners": winners})
    rows = ", ".join(f"{one.place}. {one.name} {one.score}" for one in standings)
    return PagePreview(title, Preview("finished_about", {"table": rows}))


_SITE = PagePreview(Preview("site"), Preview("site_about", {"least": PLAYERS[0], "most": PLAYERS[-1]}))
