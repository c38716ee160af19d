"""The built client: one document for all its addresses, with its scripts, styles and pictures.

Every address has its own preview in the head of the document. The head also links to the parts of the client that the
page needs, and to what it will ask for, so that a browser fetches them at once and not one after the other.

The files are read once and served from memory, so that the document and its parts always belong to one build.
Starlette's StaticFiles makes ETags from a file's time and size, which two builds can share: all files in a wheel have
the same time, and the names in the document have the same length. A browser would then use an old document whose
scripts are gone. So the ETags here are hashes of the content; Starlette answers conditional requests with them.
"""

import gzip
import hashlib
import re
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.staticfiles import NotModifiedResponse, StaticFiles

from . import facts, previews, requests

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
    ".json": "application/json",
    ".woff2": "font/woff2",
}
ENDINGS = {"br": ".br", "gzip": ".gz", "identity": ""}  # of files by encoding, best first; the build makes them
_DOCUMENTS = 256  # of a few kB each, kept compressed: most requests are for the start page or one of the latest tables
_FOR_EVER = "public, max-age=31536000, immutable"  # the names of these files change with what is in them
PERMISSIONS = "camera=(self), microphone=(), geolocation=()"  # any page may lead to a table, where cards are scanned
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
    kept = _FOR_EVER if path.parent.name == "assets" else "no-cache"
    return _sent(file.read_bytes(), KINDS[path.suffix], encoding, kept, "accept-encoding")


def _sent(body: bytes, kind: str, encoding: str, kept: str, varies: str) -> Variant:
    etag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    encoded = {} if encoding == "identity" else {"content-encoding": encoding}
    return Variant(body, kind, {"etag": etag, "cache-control": kept, "vary": varies, **encoded})


FILES: dict[str, Variants] = {
    f"/{path.relative_to(FOLDER).as_posix()}": _variants(path)
    for path in sorted(FOLDER.rglob("*"))
    if path.suffix in KINDS
}
MODULES = {  # the parts of the client that show the pages
    "/": "Landing",
    "/games": "Games",
    "/t/{code}": "TablePage",
    "/t/{code}/screen": "Screen",
    "/t/{code}/games/{game}": "Replay",
    "/rules": "Rules",
    "/replay": "Replay",
    "/print": "Print",
    "/decks": "Decks",
    "/decks/{id}": "Decks",
    "/learn": "Learn",
    "/learn/{lesson}": "Learn",
}
LOBBY = "Lobby"  # what the page of a table shows before a game
PAGES: dict[str, str | None] = {**dict.fromkeys(FILES), DOCUMENT: "Landing", **MODULES}
_PREVIEW = re.compile(r"<!-- preview -->.*<!-- /preview -->", re.DOTALL)
_LANGUAGE = '<html lang="en">'
_ENTRY = "index.html"
_CHUNKS = FOLDER / "chunks.json"  # what the build knows of its files


def client_is_built() -> bool:
    """Whether there is a page to show."""
    return DOCUMENT in FILES


async def page(module: str | None, request: Request) -> Response:
    """A file of the client, or the document for a page that this module shows."""
    if not client_is_built():
        return Response(MISSING, media_type="text/plain")
    variants = FILES[request.scope["path"]] if module is None else await _document(module, request)
    variant = variants[requests.best_encoding(request, variants)]
    response = Response(variant.body, headers=variant.headers, media_type=variant.kind)
    if _conditions.is_not_modified(response.headers, request.headers):
        response = NotModifiedResponse(response.headers)
    response.headers["permissions-policy"] = PERMISSIONS
    return response


async def _document(module: str, request: Request) -> Variants:
    modules = (module, LOBBY) if facts.is_lobby(module, request) else (module,)
    language = requests.language_of(request)
    head = "\n    ".join([await previews.head_of(request), needed(language, *modules), *facts.links(module, request)])
    spoken = f'<html lang="{language}">'
    text = _PREVIEW.sub(lambda _found: head, _template(), count=1).replace(_LANGUAGE, spoken, 1)
    return _compressed(text.encode())


@lru_cache(_DOCUMENTS)
def _compressed(body: bytes) -> Variants:
    """A document in the encodings that are made on request; Python has no Brotli."""
    bodies = {"gzip": gzip.compress(body, 6, mtime=0), "identity": body}
    varies = "accept-encoding, accept-language"
    return {name: _sent(one, KINDS[".html"], name, "no-cache", varies) for name, one in bodies.items()}


@cache
def _template() -> str:
    return FILES[DOCUMENT]["identity"].body.decode()


class _Chunk(Struct, frozen=True):
    """A part of the client as the build describes it."""

    file: str
    css: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()


@cache
def _chunks() -> dict[str, _Chunk]:
    return msgspec.json.decode(_CHUNKS.read_bytes(), type=dict[str, _Chunk]) if _CHUNKS.exists() else {}


@cache
def needed(language: str, *modules: str) -> str:
    """Links that fetch a page's scripts, styles and texts early; the document itself names what every page needs."""
    always = {chunk.file for chunk in _reached(_ENTRY)}
    names = [f"src/text/{language}.ts", *(f"src/pages/{module}.svelte" for module in modules)]
    chunks = [chunk for chunk in _reached(*names) if chunk.file not in always]
    styles = dict.fromkeys(style for chunk in chunks for style in chunk.css)
    links = [f'<link rel="modulepreload" fetchpriority="low" crossorigin href="/{chunk.file}" />' for chunk in chunks]
    links += [f'<link rel="stylesheet" crossorigin href="/{style}" />' for style in styles]
    return "\n    ".join(links)


def _reached(*names: str) -> Iterator[_Chunk]:
    """Chunks and all that they import, each once."""
    waiting, seen = [*names], set[str]()
    while waiting:
        one = waiting.pop()
        if one in seen or one not in _chunks():
            continue
        seen.add(one)
        yield _chunks()[one]
        waiting += _chunks()[one].imports
