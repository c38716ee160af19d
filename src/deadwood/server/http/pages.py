"""The built client: one document for all addresses, its scripts, styles and pictures, all from this server."""

from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

FOLDER = Path(__file__).parents[1] / "client"
DOCUMENT = FOLDER / "index.html"
MISSING = "The browser client was not built; the interface under /api/openapi.json is there all the same.\n"
KINDS = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}
FILES = {f"/{path.relative_to(FOLDER).as_posix()}": path for path in sorted(FOLDER.rglob("*")) if path.suffix in KINDS}
PAGES = ("/", "/t/{code}", "/t/{code}/games/{game}", "/rules", "/replay", *FILES)
_FOR_EVER = "public, max-age=31536000, immutable"  # the names of these files change with what is in them


def client_is_built() -> bool:
    """Whether there is a page to show."""
    return DOCUMENT.exists()


async def page(request: Request) -> Response:
    """A file of the client; every other address gets the document, which finds out by itself what to show."""
    path = FILES.get(request.url.path, DOCUMENT)
    if not path.exists():
        return Response(MISSING, media_type="text/plain")
    kept = _FOR_EVER if path.parent.name == "assets" else "no-cache"
    return Response(path.read_bytes(), media_type=KINDS[path.suffix], headers={"cache-control": kept})
