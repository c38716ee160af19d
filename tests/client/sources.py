"""The sources as somebody gets them, and the package started from another place."""

import os
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "client"


def copy_sources(to):
    """Copy all files that git tracks or would add, with their times, but nothing that was built."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listing, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    for name in filter(None, names):
        if (ROOT / name).exists():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, to / name)
    return to


def contents(folder):
    """All files by path, for comparison."""
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def without_node(folder):
    """An environment in which the machine's Node and npm do not work."""
    useless = folder / "useless"
    useless.mkdir()
    for name in ("node", "npm", "npx"):
        (useless / name).write_text("#!/bin/sh\necho there is no Node here >&2\nexit 1\n")
        (useless / name).chmod(0o755)
    return {**os.environ, "PATH": f"{useless}{os.pathsep}{os.environ['PATH']}"}


@contextmanager
def served(command, environment, folder):
    """`deadwood serve` on a free port, and the lines it printed before it waits: its address is in the last."""
    serve = [*command, "serve", "--port", "0", "--database", f"sqlite:///{folder}/games.sqlite3"]
    process = subprocess.Popen(serve, stdout=subprocess.PIPE, text=True, cwd=folder, env=environment)
    said = []
    while not said or ("is served at" not in said[-1] and said[-1]):
        said.append(process.stdout.readline())
    try:
        yield said
    finally:
        process.terminate()
        process.communicate()
