"""The client's files over real HTTP: encodings, conditional requests, and how long they may be kept.

Holds `server.http.facts`.
"""

import gzip
import html
import http.client
import re

import pytest

from deadwood.server.http import pages
from deadwood.server.http.guard import HEADERS
from deadwood.server.http.pages import FOLDER, PERMISSIONS

from ..people import PATIENCE

ADDRESSES = ("/", "/games", "/t/K7RM4TXC", "/t/K7RM4TXC/games/1", "/rules", "/replay", "/index.html")
BODY = "<body>"
FILES = {
    "service-worker.js": ("/service-worker.js", "text/javascript; charset=utf-8"),
    "manifest.webmanifest": ("/manifest.webmanifest", "application/manifest+json"),
    "icon.svg": ("/icon.svg", "image/svg+xml"),
}
FOR_EVER = "public, max-age=31536000, immutable"


@pytest.fixture
def get(server):
    """Sends a request as it is written, and gives the response with its bytes as they came."""
    lines = []

    def send(path, method="GET", **headers):
        line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
        lines.append(line)
        line.putrequest(method, path, skip_accept_encoding=True)
        for name, values in headers.items():
            for value in [values] if isinstance(values, str) else values:
                line.putheader(name.replace("_", "-"), value)
        line.endheaders()
        response = line.getresponse()
        response.body = response.read()
        return response

    yield send
    for line in lines:
        line.close()


def assets(ending):
    """The script or the style sheet that the document names; other pages have more scripts."""
    (file,) = (FOLDER / "assets").glob({".js": "index-*.js", ".css": "*.css"}[ending])
    return file, f"/assets/{file.name}"


@pytest.mark.parametrize("path", ADDRESSES)
def test_all_addresses_of_the_client_give_its_document(get, path):
    response = get(path)
    built = (FOLDER / "index.html").read_text("utf-8")
    assert (response.status, response.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert response.headers["cache-control"] == "no-cache"
    assert response.body.decode().partition(BODY)[2] == built.partition(BODY)[2]
    assert "<!--" not in response.body.decode()


@pytest.mark.parametrize("path", ["/", "/t/K7RM4TXC", "/rules", "/print", "/decks"])
def test_a_document_names_all_that_its_page_needs(get, path):
    """So nothing has to wait for the script that imports it."""
    text = get(path).body.decode()
    linked = set(re.findall(r'(?:href|src)="(/assets/[^"]+)"', text))
    missing = {name for one in linked if one.endswith(".js") for name in imported(get(one).body.decode())} - linked
    assert missing == set()
    assert all(get(one).status == 200 for one in linked)


def test_a_document_names_what_its_page_asks_for_first(get, server):
    code, _ = server.make(options={"layout": "G'M/CH"})
    before = len(get("/t/K7RM4TXC").body)
    assert asked(get("/rules")) == []
    assert asked(get("/")) == ["/api/about?language=en", "/api/tables?status=waiting", "/api/tables?status=running"]
    found = asked(get(f"/t/{code}", accept_language="de"))
    assert found == [
        "/api/about?language=de",
        "/api/board?language=de",
        "/api/floor-plan?layout=G'M%2FCH",
        "/api/decks/classic?language=de",
    ]
    assert all(get(path).status == 200 for path in found)
    assert "Lobby" in get(f"/t/{code}").body.decode()
    assert len(get("/t/K7RM4TXC").body) == before  # there is no such table


def asked(response):
    """What a document tells a browser to ask the server for."""
    links = re.findall(r'<link rel="preload" as="fetch" crossorigin href="([^"]+)"', response.body.decode())
    return [html.unescape(link) for link in links]


def imported(script):
    """The scripts that a script imports at once."""
    return {f"/assets/{name}" for name in re.findall(r'(?:from|import) ?"\./([^"]+)"', script)}


@pytest.mark.parametrize("name", FILES)
def test_files_have_their_type_and_must_be_validated(get, name):
    path, kind = FILES[name]
    response = get(path)
    assert (response.status, response.body) == (200, (FOLDER / name).read_bytes())
    assert (response.headers["content-type"], response.headers["cache-control"]) == (kind, "no-cache")


@pytest.mark.parametrize(("ending", "kind"), [(".js", "text/javascript"), (".css", "text/css")])
def test_files_named_by_their_content_are_kept_for_a_year(get, ending, kind):
    file, path = assets(ending)
    response = get(path)
    assert (response.status, response.body) == (200, file.read_bytes())
    assert response.headers["content-type"] == f"{kind}; charset=utf-8"
    assert response.headers["cache-control"] == FOR_EVER


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip, deflate", "gzip"),
        ("GZip", "gzip"),
        (("identity;q=0.5", "gzip"), "gzip"),
        ("br;q=0.5, gzip;q=0.9", "gzip"),
        ("br ; q=0.5 , gzip ; q=0.5", "br"),
        ("br;q=0, gzip", "gzip"),
        ("br;q=0, *", "gzip"),
        ("*", "br"),
        ("gzip;q=0.001", "gzip"),
        ("gzip;q=0.5, identity", None),
        ("identity;q=0, gzip;q=0.1", "gzip"),
        ("identity", None),
        ("deflate, zstd", None),
        ("br;q=0, gzip;q=0", None),
        ("*;q=0", None),
        ("br;q=much, gzip;bot=9", None),
        ("brotli, xgzip", None),
        (";;,,q=1", None),
        ("", None),
    ],
)
def test_the_best_encoding_that_is_accepted_is_sent(get, accepted, encoding):
    file, path = assets(".js")
    response = get(path, accept_encoding=accepted)
    ending = {"br": ".br", "gzip": ".gz", None: ""}[encoding]
    assert (response.status, response.headers["content-encoding"]) == (200, encoding)
    assert response.body == file.with_name(file.name + ending).read_bytes()
    assert response.headers["vary"] == "accept-encoding"


def test_nothing_is_compressed_without_an_accept_encoding_header(get):
    response = get("/")
    assert "content-encoding" not in response.headers
    assert response.headers["vary"] == "accept-encoding, accept-language"


def test_decompressing_a_file_gives_the_original(get):
    file, path = assets(".js")
    assert gzip.decompress(get(path, accept_encoding="gzip").body) == file.read_bytes()


@pytest.mark.parametrize("path", ADDRESSES)
def test_documents_are_compressed_with_gzip(get, path):
    plain, small = get(path), get(path, accept_encoding="br, gzip")
    assert small.headers["content-encoding"] == "gzip"
    assert gzip.decompress(small.body) == plain.body
    assert plain.headers["vary"] == small.headers["vary"] == "accept-encoding, accept-language"
    assert plain.headers["etag"] != small.headers["etag"]
    assert "content-encoding" not in get(path, accept_encoding="br").headers


def test_equal_documents_are_compressed_once(monkeypatch):
    texts = []
    monkeypatch.setattr(pages.gzip, "compress", lambda body, *_level, mtime: texts.append(body) or body[:1])
    pages._compressed.cache_clear()
    first, other, again = map(pages._compressed, (b"one document", b"another", b"one document"))
    pages._compressed.cache_clear()
    assert texts == [b"one document", b"another"]
    assert first == again != other


def test_no_more_than_some_compressed_documents_are_kept():
    for number in range(pages._DOCUMENTS + 1):
        pages._compressed(f"document {number}".encode())
    kept = pages._compressed.cache_info().currsize
    pages._compressed.cache_clear()
    assert kept == pages._DOCUMENTS


def test_everything_that_the_build_compressed_is_served_as_it_is():
    """The document is not: it gets another head for every page."""
    copies = [path for path in FOLDER.rglob("*") if path.suffix in (".br", ".gz")]
    assert len(copies) > 20
    assert {pages.PAGES[f"/{path.relative_to(FOLDER).with_suffix('').as_posix()}"] for path in copies} == {None}


def test_answers_of_the_interface_are_compressed_too(get):
    plain = get("/api/board")
    assert "content-encoding" not in plain.headers
    small = get("/api/board", accept_encoding="br, gzip")
    assert (small.headers["content-encoding"], small.headers["vary"]) == ("gzip", "accept-encoding")
    assert gzip.decompress(small.body) == plain.body
    assert len(small.body) < len(plain.body) / 2
    assert "content-encoding" not in get("/api/tables", accept_encoding="gzip").headers  # a few bytes


@pytest.mark.parametrize("accepted", ["br", "gzip", "identity"])
@pytest.mark.parametrize("written", ["{}", "W/{}", '"x", {}', "*"])
def test_a_browser_is_not_sent_what_it_already_has(get, accepted, written):
    first = get("/rules", accept_encoding=accepted)
    again = get("/rules", accept_encoding=accepted, if_none_match=written.format(first.headers["etag"]))
    assert (again.status, again.body) == (304, b"")
    for name in ("etag", "cache-control", "vary"):
        assert again.headers[name] == first.headers[name]


def test_every_file_and_encoding_has_an_etag_of_its_content(get):
    paths = ["/icon.svg", "/service-worker.js", assets(".js")[1], assets(".css")[1]]
    etags = [
        get(path, accept_encoding=coding).headers["etag"] for path in paths for coding in ("br", "gzip", "identity")
    ]
    assert len(set(etags)) == len(etags)
    changed = get("/", accept_encoding="gzip", if_none_match=get("/", accept_encoding="identity").headers["etag"])
    assert changed.status == 200


@pytest.mark.parametrize("accepted", ["br", "identity"])
def test_head_says_what_get_would(get, accepted):
    for path in ("/", assets(".js")[1]):
        got, asked = get(path, accept_encoding=accepted), get(path, "HEAD", accept_encoding=accepted)
        assert (asked.status, asked.body) == (200, b"")
        assert int(asked.headers["content-length"]) == len(got.body)
        unlike = {"date", "x-request-id"}
        assert {k: v for k, v in asked.headers.items() if k not in unlike} == {
            k: v for k, v in got.headers.items() if k not in unlike
        }


@pytest.mark.parametrize(
    "path",
    [
        "/nowhere",
        "/index.htm",
        "/assets",
        "/assets/",
        "/assets/nothing.js",
        "/built-from.txt",
        "/index.html.br",
        "/index.html.gz",
        "/../app.py",
        "/assets/../index.html",
        "/assets/../../app.py",
        "/assets/%2e%2e/%2e%2e/app.py",
        "/..%2fapp.py",
        "/assets/..%5c..%5capp.py",
        "//etc/passwd",
        "/%00",
        "/t/K7RM4TXC/games/1/more",
    ],
)
def test_other_paths_are_not_found(get, path):
    response = get(path, accept_encoding="br")
    assert (response.status, response.headers["content-type"]) == (404, "application/json")
    assert response.headers["cache-control"] == "no-store"


def test_compressed_copies_have_no_address(get):
    _, path = assets(".js")
    assert get(f"{path}.br").status == get(f"{path}.gz").status == 404


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_the_client_can_only_be_read(get, method):
    response = get("/", method)
    assert response.status == 405
    assert set(response.headers["allow"].split(", ")) == {"GET", "HEAD"}


@pytest.mark.parametrize("headers", [{}, {"if_none_match": "*"}])
def test_pages_carry_the_headers_of_the_server(get, headers):
    response = get("/", accept_encoding="br", **headers)
    expected = {**HEADERS, "permissions-policy": PERMISSIONS}
    assert {name: response.headers[name] for name in HEADERS if name != "cache-control"} == {
        name: value for name, value in expected.items() if name != "cache-control"
    }


def test_only_pages_may_use_the_camera(get):
    assert "camera=(self)" in get("/").headers["permissions-policy"]
    assert "camera=()" in get("/api/about").headers["permissions-policy"]
