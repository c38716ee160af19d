"""The page: one document for all addresses, its script and its style, all from this server."""

from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

FOLDER = Path(__file__).parent / "page"
DOCUMENT = "index.html"
KINDS = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
FILES = {f"/page/{path.name}": path for path in sorted(FOLDER.iterdir()) if path.suffix in KINDS}
PAGES = ("/", "/t/{code}", "/t/{code}/games/{game}", *FILES)


async def page(request: Request) -> Response:
    """A file of the page; every other address gets the document, which finds out by itself what to show."""
    path = FILES.get(request.url.path, FOLDER / DOCUMENT)
    return Response(path.read_bytes(), media_type=KINDS[path.suffix], headers={"cache-control": "no-cache"})
