"""What is built: small, complete, and of the types that the server speaks."""

import gzip
import json
import re
import subprocess
import sys
from pathlib import Path

from deadwood.server import pages, typescript

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "client"


def test_the_types_are_current():
    written = (CLIENT / "src" / "wire.ts").read_text("utf-8")
    assert written == typescript.document(), "run: python -m deadwood.server.typescript > client/src/wire.ts"


def test_the_bundle_is_small():
    parts = [path for path in pages.FOLDER.rglob("*") if path.suffix in (".js", ".css", ".html")]
    assert sum(len(gzip.compress(path.read_bytes())) for path in parts) < 150_000


def test_the_document_needs_nothing_from_elsewhere_and_no_inline_script():
    text = pages.DOCUMENT.read_text("utf-8")
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


def test_an_sdist_carries_the_built_client_and_needs_no_node(tmp_path):
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--directory", str(tmp_path)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (packed,) = tmp_path.glob("*.tar.gz")
    subprocess.run(["tar", "xzf", packed.name], cwd=tmp_path, check=True)
    (unpacked,) = (path for path in tmp_path.iterdir() if path.is_dir())
    assert (unpacked / "src/deadwood/server/client/index.html").exists()
    subprocess.run([sys.executable, "client/build.py"], cwd=unpacked, check=True)
    assert not (unpacked / "client/node_modules").exists()
