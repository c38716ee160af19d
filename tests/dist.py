"""`make dist`: builds what we publish, and tries it as people will: each package in a fresh virtual environment.

The wheel is made from the sdist, which proves that the sdist is complete. This is too slow for `make test`, because it
installs everything afresh.
"""

import json
import os
import re
import secrets
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
import zipfile
from pathlib import Path

import msgspec
from packaging.utils import canonicalize_name

from deadwood.server.protocol.commands import NewBot, NewPerson, NewTable

from .client.sources import ROOT, served, without_node
from .packing import brought_by

DIST = ROOT / "dist"
CONSTRAINTS = ROOT / "constraints.txt"
TOOLS = {"pip", "setuptools", "wheel"}
IN_WHEEL = {
    "deadwood/bots/champion.npz",
    "deadwood/py.typed",
    "deadwood/engine/data/board.toml",
    "deadwood/engine/data/classic.toml",
    "deadwood/engine/data/studio.toml",
    "deadwood/lab/lineups.npz",
    "deadwood/text/de.toml",
    "deadwood/text/en.toml",
    "deadwood/text/rules.de.md",
    "deadwood/text/rules.en.md",
    "deadwood/text/scenes.de.toml",
    "deadwood/text/terminal.de.toml",
    "deadwood/server/client/icon.svg",
    "deadwood/server/client/index.html",
    "deadwood/server/store/migrations/versions/0001_tables.py",
    "deadwood/terminal/style.tcss",
}
MAN_PAGE = "share/man/man1/deadwood.1"
IN_SDIST = {"LICENSE", "README.md", "CHANGELOG.md", "pyproject.toml", "constraints.txt", "Makefile", "hatch_build.py"}
IN_SDIST |= {f"src/{name}" for name in IN_WHEEL} | {"client/build.py", "client/package-lock.json", "tests/dist.py"}
PLAY = """
import deadwood
from deadwood import bots

game = deadwood.Game.new(["Ada", "Bo", "Cy"], seed=7)
players = [bots.make(name, seed=1) for name in ("random", "extra", "regular")]
while not game.over:
    game.play(players[game.state.active].decide(game.state, game.legal_actions()))
game.save("evening.deadwood")
print(len(game.steps))
"""


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        built = folder / "dist"
        build(built)
        sdist, wheel = (next(built.glob(pattern)) for pattern in ("*.tar.gz", "*.whl"))
        check_metadata(sdist, wheel)
        check_files(sdist, wheel)
        try_base(wheel, folder / "base")
        try_play(wheel, folder / "play", {**os.environ})
        without = folder / "without"
        without.mkdir()
        try_play(sdist, without / "play", without_node(without))
        shutil.rmtree(DIST, ignore_errors=True)
        shutil.copytree(built, DIST)
    for package in sorted(DIST.iterdir()):
        say(f"dist/{package.name}: {package.stat().st_size / 1000:,.0f} kB")


def say(text):
    print(text, flush=True)


def run(*command, environment=None, folder=ROOT, code=0):
    """Run a command, which must end with that code; returns its output."""
    environment = {**(environment or os.environ), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    words = [str(word) for word in command]
    done = subprocess.run(words, capture_output=True, text=True, cwd=folder, env=environment, check=False)
    if done.returncode != code:
        sys.exit(f"{' '.join(words)} ended with {done.returncode}, not {code}:\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def build(folder):
    """Build both packages, with the tools that constraints.txt pins, in a separate environment."""
    pinned = {**os.environ, "PIP_CONSTRAINT": str(CONSTRAINTS)}
    run(sys.executable, "-m", "build", "--outdir", folder, ROOT, environment=pinned)
    say("Built an sdist, and a wheel from the sdist.")


def check_metadata(*packages):
    run(sys.executable, "-m", "twine", "check", "--strict", *packages)
    say("Metadata and README are as PyPI wants them.")


def check_files(sdist, wheel):
    in_wheel = set(zipfile.ZipFile(wheel).namelist())
    with tarfile.open(sdist) as opened:
        in_sdist = {name.partition("/")[2] for name in opened.getnames()}
    missing = (IN_WHEEL - in_wheel) | (IN_SDIST - in_sdist)
    missing |= {
        ending for ending in ("licenses/LICENSE", "entry_points.txt", MAN_PAGE) if not has_ending(in_wheel, ending)
    }
    missing |= {
        ending for ending in (".js", ".js.br", ".js.gz", ".css") if not has_ending(in_wheel, ending, "/assets/")
    }
    assert not missing, f"missing: {sorted(missing)}"
    strangers = {name for name in in_wheel if not re.match(r"deadwood(_game-[^/]*\.(dist-info|data))?/", name)}
    strangers |= {name for name in in_wheel | in_sdist if re.search(r"__pycache__|node_modules|\.venv|\.sqlite3", name)}
    assert not strangers, f"not ours: {sorted(strangers)}"
    say("The wheel holds the client, its compressed files, texts, data, types and licence, and no tests.")


def has_ending(names, ending, part=""):
    return any(name.endswith(ending) and part in name for name in names)


def install(package, folder, extra="", environment=None):
    """Install a package into a new virtual environment; returns the folder of its programs."""
    run(sys.executable, "-m", "venv", folder)
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    wanted = f"deadwood-game{extra} @ {package.as_uri()}"
    pip = [programs / "python", "-m", "pip", "install", "--quiet", "--constraint", CONSTRAINTS]
    run(*pip, wanted, environment=environment, folder=folder)
    return programs


def try_base(package, folder):
    """The engine alone: a whole game from Python, its record verified, and clear messages about what is missing."""
    programs = install(package, folder)
    listed = json.loads(run(programs / "python", "-m", "pip", "list", "--format", "json"))
    names = {canonicalize_name(one["name"]) for one in listed} - TOOLS
    base = brought_by()
    assert names == base, f"the base install brings {sorted(names)}, not {sorted(base)}"
    actions = run(programs / "python", "-c", PLAY, folder=folder).strip()
    deadwood = programs / "deadwood"
    assert "This record is correct." in run(deadwood, "verify", "evening.deadwood", folder=folder)
    assert "Turn 1, " in run(deadwood, "replay", "--plain", "evening.deadwood", folder=folder)
    for words, extra in {"": "terminal", "play --plain A B": "terminal", "serve": "server", "arena": "lab"}.items():
        said = run(deadwood, *words.split(), folder=folder, code=2)
        assert said.endswith(f"pip install 'deadwood-game[{extra}]'\n"), said
        assert said.count("\n") == 1, said
    say(f"The wheel alone, with {', '.join(sorted(base - {'deadwood-game'}))}: a game of {actions} actions, verified.")


def try_play(package, folder, environment):
    """Everything that people play with: a page, and a table with bots, over HTTP."""
    programs = install(package, folder, "[play]", environment)
    with served([programs / "deadwood"], environment, folder) as said:
        address = re.search(r"is served at (\S+)", said[-1])[1]
        page = ask(f"{address}/t/K7RM4TXC").decode()
        script = re.search(r'src="(/assets/[^"]+\.js)"', page)[1]
        assert len(ask(address + script, headers={"accept-encoding": "br"})) < len(ask(address + script)) / 2
        table = json.loads(ask(f"{address}/api/tables", msgspec.json.encode(new_table())))["table"]
    at_home = {**environment, "HOME": str(folder), "XDG_DATA_HOME": str(folder)}  # not among the user's own games
    plain = ["play", "--plain", "--bot", "random", "--bot", "random", "--days", "1", "--save", "bots.deadwood"]
    run(programs / "deadwood", *plain, folder=folder, environment=at_home)
    run(programs / "deadwood", "verify", "bots.deadwood", folder=folder, environment=at_home)
    kind = "wheel" if package.suffix == ".whl" else "sdist, without Node on the machine"
    say(f"The {kind}, with [play]: the page, table {table['code']} over HTTP, and a game in plain lines.")


def new_table():
    """A table with a bot, as the server's own types say it."""
    return NewTable(chairs=(NewPerson(name="Ada", token=secrets.token_hex(32)), NewBot(bot="star")))


def ask(address, body=None, headers=None):
    request = urllib.request.Request(address, body, {"content-type": "application/json", **(headers or {})})
    with urllib.request.urlopen(request) as response:
        return response.read()


if __name__ == "__main__":
    main()
