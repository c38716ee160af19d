"""The built client: one document for all its addresses, with its scripts, styles and pictures.

The files are read once and served from memory, so that the document and its parts always belong to one build.
Starlette's StaticFiles makes ETags from a file's time and size, which two builds can share: all files in a wheel have
the same time, and the names in the document the same length. A browser would then use an old document whose scripts are
gone. So the ETags here are hashes of the content; Starlette answers conditional requests with them.
"""

import hashlib
import re
from pathlib import Path

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.staticfiles import NotModifiedResponse, StaticFiles

FOLDER = Path(__file__).parents[1] / "client"
DOCUMENT = "/index.html"
MISSING = "The browser client is missing. The HTTP interface works without it; see /api/openapi.json.\n"
KINDS = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
ENDINGS = {"br": ".br", "gzip": ".gz", "identity": ""}  # of files by encoding, best first; the build makes them
_FOR_EVER = "public, max-age=31536000, immutable"  # the names of these files change with what is in them
PERMISSIONS = "camera=(self), microphone=(), geolocation=()"  # a table, where cards are scanned, opens from any page
_QUALITY = re.compile(r"q=([01](?:\.[0-9]{0,3})?)")
_LEAST = 0.0001  # below every quality that can be written: no encoding at all is always acceptable
_conditions = StaticFiles()


class Variant(Struct, frozen=True):
    """A file in one encoding, as it is sent."""

    body: bytes
    kind: str
    headers: dict[str, str]


Variants = dict[str, Variant]  # by encoding, best first


def _variants(path: Path) -> Variants:
    """A file in all encodings that the build made."""
    files = {encoding: path.with_name(path.name + ending) for encoding, ending in ENDINGS.items()}
    return {encoding: _variant(file, encoding, path) for encoding, file in files.items() if file.exists()}


def _variant(file: Path, encoding: str, path: Path) -> Variant:
    body = file.read_bytes()
    headers = {
        "etag": f'"{hashlib.sha256(body).hexdigest()[:32]}"',
        "cache-control": _FOR_EVER if path.parent.name == "assets" else "no-cache",
        "vary": "accept-encoding",
    }
    if file != path:
        headers["content-encoding"] = encoding
    return Variant(body, KINDS[path.suffix], headers)


FILES: dict[str, Variants] = {
    f"/{path.relative_to(FOLDER).as_posix()}": _variants(path)
    for path in sorted(FOLDER.rglob("*"))
    if path.suffix in KINDS
}
PAGES = (
    "/",
    "/t/{code}",
    "/t/{code}/screen",
    "/t/{code}/games/{game}",
    "/rules",
    "/replay",
    "/print",
    "/decks",
    "/decks/{id}",
    "/learn",
    "/learn/{lesson}",
    *FILES,
)


def client_is_built() -> bool:
    """Whether there is a page to show."""
    return DOCUMENT in FILES


async def page(request: Request) -> Response:
    """A file of the client; every other address gets the document, which shows what belongs to the address."""
    if not client_is_built():
        return Response(MISSING, media_type="text/plain")
    variants = FILES.get(request.scope["path"], FILES[DOCUMENT])
    variant = variants[_best(",".join(request.headers.getlist("accept-encoding")), variants)]
    response = Response(variant.body, headers=variant.headers, media_type=variant.kind)
    if _conditions.is_not_modified(response.headers, request.headers):
        response = NotModifiedResponse(response.headers)
    response.headers["permissions-policy"] = PERMISSIONS
    return response


def _best(header: str, variants: Variants) -> str:
    """The encoding that an Accept-Encoding prefers (RFC 9110, section 12.5.3)."""
    accepted = dict(map(_accepted, header.lower().split(",")))
    qualities = {encoding: accepted.get(encoding, accepted.get("*", 0.0)) for encoding in variants}
    qualities["identity"] = max(qualities["identity"], _LEAST)
    return max(qualities, key=qualities.__getitem__)


def _accepted(part: str) -> tuple[str, float]:
    """An encoding and its quality; an invalid quality means not accepted."""
    encoding, separator, parameter = part.partition(";")
    quality = _QUALITY.fullmatch(parameter.strip())
    return encoding.strip(), float(quality[1]) if quality else float(not separator)
