"""What works with the base install alone, what each extra brings, and the message if one is missing."""

import os
import re
import subprocess
import sys
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name

from .packing import brought_by, required_by

LIBRARY = Path(__file__).parents[1] / "docs" / "library.md"
BASE = {"click", "msgspec", "tomli-w"}
RECORD = next((Path(__file__).parent / "engine" / "golden").glob("04-*"))
HIDE = """
import sys

class Hiding:
    def __init__(self, finder):
        self.finder = finder
    def __getattr__(self, name):
        return getattr(self.finder, name)
    def find_spec(self, name, path=None, target=None):
        return None if name.partition(".")[0] in {hidden!r} else self.finder.find_spec(name, path, target)

sys.meta_path[:] = map(Hiding, sys.meta_path)
"""
COMMAND = "from deadwood.cli import main; main()"
MODULE = "import runpy; runpy.run_module(sys.argv.pop(1), run_name='__main__', alter_sys=True)"
IMPORT_ALL = """
import importlib, pkgutil
package = importlib.import_module(sys.argv[1])
for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
    if module.name not in sys.argv[2:] and ".migrations" not in module.name:
        importlib.import_module(module.name)
"""

pytestmark = pytest.mark.usefixtures("home")


def test_the_documents_name_what_every_extra_brings():
    installing, _, _ = LIBRARY.read_text("utf-8").partition("## A game")
    rows = re.findall(r"^\| `(\w+)` \|[^|]*\| (.+) \|$", installing, re.MULTILINE)
    assert len(rows) > 5
    for extra, packages in rows:
        named = {canonicalize_name(one) for one in packages.split(", ") if "those of" not in one}
        others = re.findall("those of `(.+)`", packages)
        assert named == direct(extra) - {name for other in others for name in direct(other)} - {"deadwood-game"}, extra


def direct(extra):
    """The distributions that an extra itself adds to the base install."""
    return {name for name, _ in required_by("deadwood-game", {extra})} - BASE


owners_of_modules = cache(packages_distributions)  # reads every installed package


def modules_beside(*extras):
    """The modules of all installed packages that these extras do not bring."""
    brought = brought_by(*extras)
    return {
        module
        for module, owners in owners_of_modules().items()
        if not brought & {canonicalize_name(owner) for owner in owners} and not module.startswith("_")
    }


def run(code, *words, hidden, typed=""):
    return subprocess.run(
        [sys.executable, "-c", HIDE.format(hidden=hidden) + code, *map(str, words)],
        input=typed,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "JAX_PLATFORMS": "cpu"},
        timeout=60,
        check=False,
    )


def test_the_base_install_is_three_packages():
    assert brought_by() == {"deadwood-game", "click", "msgspec", "tomli-w"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--version"], "deadwood, version "),
        (["--help"], "simulate"),
        (["play", "--help"], "--plain"),
        (["serve", "--help"], "--port"),
        (["join", "--help"], "--server"),
        (["arena", "--help"], "--ladder"),
        (["train", "--help"], "--resume"),
        (["rules"], "(R7.2)"),
        (["verify", RECORD], "This record is correct."),
        (["replay", "--plain", RECORD], "Turn 1, "),
    ],
)
def test_the_base_install_has_the_small_commands(words, said):
    done = run(COMMAND, *words, hidden=modules_beside())
    assert (done.returncode, done.stderr) == (0, "")
    assert said in done.stdout


@pytest.mark.parametrize(
    ("words", "part", "extra"),
    [
        ([], "The app", "terminal"),
        (["play"], "The app", "terminal"),
        (["play", "Ada", "Bo"], "The app", "terminal"),
        (["play", "--plain", "Ada", "Bo"], "Playing in a terminal", "terminal"),
        (["play", "--plain", "--continue"], "Playing in a terminal", "terminal"),
        (["replay", RECORD], "The app", "terminal"),
        (["join", "K7RM4TXC", "--plain"], "Playing at a server's table", "terminal"),
        (["join", "K7RM4TXC"], "Playing at a server's table", "terminal"),
        (["host", "Ada", "--plain"], "Playing at a server's table", "terminal"),
        (["serve"], "The server", "server"),
        (["simulate", "--seats", "extra,extra"], "The lab", "lab"),
        (["arena"], "The lab", "lab"),
        (["report", "run.parquet"], "The lab", "lab"),
        (["train"], "The training", "jax"),
    ],
)
def test_a_missing_extra_is_named(home, words, part, extra):
    (home / "run.parquet").touch()
    done = run(COMMAND, *words, hidden=modules_beside())
    wanted = f"Error: {part} needs more packages; install them with: pip install 'deadwood-game[{extra}]'\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", wanted)
    assert [path.name for path in home.iterdir()] == ["run.parquet"]


@pytest.mark.parametrize(
    ("words", "hidden", "part", "extra"),
    [
        (
            ["serve", "--port", "0", "--database", "postgresql://nobody@127.0.0.1:1/x"],
            "asyncpg",
            "PostgreSQL",
            "postgres",
        ),
        (["simulate", "--seats", "extra,extra", "--games", "2", "--vector"], "jax", "The vector engine", "jax"),
        (["simulate", "--seats", "extra,extra", "--games", "2", "--ray", "local"], "ray", "A Ray cluster", "lab"),
        (["arena", "--bots", "extra,random", "--games", "2"], "rich", "The lab", "lab"),
    ],
)
def test_a_package_that_is_needed_later_is_named_too(words, hidden, part, extra):
    done = run(COMMAND, *words, hidden={hidden})
    assert done.returncode == 2
    assert f"Error: {part} needs more packages; install them with: pip install 'deadwood-game[{extra}]'" in done.stderr
    assert "Traceback" not in done.stderr


PROGRAMS = {
    "deadwood.lab.habits": ("The lab", "lab"),
    "deadwood.training.calibrate": ("The training", "jax"),
    "deadwood.training.imitate": ("The training", "jax"),
    "deadwood.training.lineups": ("The training", "jax"),
    "deadwood.training.measure": ("The training", "jax"),
}


def sentence(part, extra):
    return f"{part} needs more packages; install them with: pip install 'deadwood-game[{extra}]'\n"


@pytest.mark.parametrize("module", PROGRAMS)
def test_programs_name_a_missing_extra_in_one_sentence(module):
    done = run(MODULE, module, hidden=modules_beside())
    assert (done.returncode, done.stdout, done.stderr) == (2, "", sentence(*PROGRAMS[module]))


def test_the_documents_name_no_other_program():
    pages = "".join(path.read_text("utf-8") for path in LIBRARY.parent.glob("*.md"))
    assert set(re.findall(r"python -m (deadwood\.(?:lab|training)\.\w+)", pages)) == set(PROGRAMS)


def test_imitating_names_the_extra_when_it_comes_to_learning(tmp_path):
    import numpy as np

    names = ("observations", "masks", "actions", "games")
    np.savez(tmp_path / "games.npz", **dict.fromkeys(names, np.zeros(1)))
    words = ["deadwood.training.imitate", "learn", "--games", tmp_path / "games.npz", "--out", tmp_path / "net.npz"]
    done = run(MODULE, *words, hidden={"jax"})
    assert done.returncode == 2
    assert done.stderr.endswith(sentence("The training", "jax"))
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("module", "part", "extra"),
    [
        ("deadwood.rl", "deadwood.rl", "rl"),
        ("deadwood.rl.learner", "deadwood.rl", "rl"),
        ("deadwood.client", "deadwood.client", "client"),
        ("deadwood.vector", "The vector engine", "jax"),
        ("deadwood.vector.rules", "The vector engine", "jax"),
    ],
)
def test_an_import_names_the_missing_extra(module, part, extra):
    done = run(f"import {module}", hidden=modules_beside())
    assert done.returncode == 1
    assert done.stderr.endswith(f"deadwood.extras.ExtraMissing: {sentence(part, extra)}")
    caught = run(f"try: import {module}\nexcept ImportError as error: print(error)", hidden=modules_beside())
    assert (caught.stdout, caught.stderr) == (sentence(part, extra), "")


@pytest.mark.parametrize("hidden", [{"numpy"}, None])
def test_the_champion_names_the_extra_that_brings_numpy(hidden):
    code = "from deadwood import bots; print(*bots.names())\ntry: bots.make('champion')\n"
    code += "except bots.BotUnknown as error: print(error)"
    done = run(code, hidden=hidden or modules_beside())
    said = "random extra hopeful regular star\n" + sentence("The bot 'champion'", "terminal")
    assert (done.stdout, done.stderr) == (said, "")
    assert "numpy" in direct("terminal")


def test_plain_mode_needs_no_terminal_toolkit(home):
    words = ["--plain", "--bot", "random", "--bot", "random", "--days", "1", "--seed", "1"]
    done = run(COMMAND, "play", *words, hidden={"rich", "textual"})
    assert (done.returncode, done.stderr) == (0, "")
    assert "  1. " in done.stdout


@pytest.mark.parametrize(
    ("extra", "package", "left_out"),
    [
        ("terminal", "deadwood.terminal", ()),
        ("client", "deadwood.client", ()),
        ("server", "deadwood.server", ()),
        ("lab", "deadwood.lab", ("deadwood.lab.vector_runs",)),
        ("rl", "deadwood.rl", ()),
        ("jax", "deadwood.vector", ()),
        ("jax", "deadwood.training", ()),
    ],
)
def test_an_extra_brings_all_that_its_part_imports(extra, package, left_out):
    done = run(IMPORT_ALL, package, *left_out, hidden=modules_beside(extra))
    assert done.returncode == 0, done.stderr


def test_our_own_mistakes_are_not_taken_for_missing_packages():
    code = "from deadwood.extras import needs\nwith needs('The server', 'server'): import deadwood.no_such_module"
    assert "ModuleNotFoundError: No module named 'deadwood.no_such_module'" in run(code, hidden=set()).stderr
