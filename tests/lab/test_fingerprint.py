"""The fingerprint changes with everything that games depend on, and with nothing else."""

import shutil
from functools import cache
from importlib.metadata import EntryPoint

import pytest

from deadwood.bots import registry
from deadwood.lab import fingerprint
from deadwood.lab.fingerprint import code_fingerprint
from deadwood.lab.playing import Plan

PLAN = Plan(seats=("extra", "random"))
VECTOR = Plan(seats=("extra", "random"), vector=True)
BOT = "class Bot:\n    def __init__(self, seed): ...\n    def decide(self, state, actions): return actions[0]\n"


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A copy of the package to edit."""
    home = tmp_path / "deadwood"
    shutil.copytree(fingerprint.HOME, home, ignore=shutil.ignore_patterns("__pycache__", "server", "text"))
    monkeypatch.setattr(fingerprint, "HOME", home)
    return home


def edit(file):
    file.write_text(file.read_text("utf-8") + "\n", "utf-8")


BOTH = ["engine/rules.py", "engine/data/classic.toml", "engine/data/board.toml", "encoding.py"]
BOTH += ["lab/playing.py", "lab/rows.py", "lab/frames.py"]
ENGINE_ALONE = ["bots/regular.py", "bots/registry.py", "neural/net.py", "lab/measuring.py"]
VECTOR_ALONE = ["vector/rules.py", "vector/bots.py", "lab/vector_runs.py"]
NEITHER = ["lab/tables.py", "lab/luck.py", "lab/judges.py", "lab/lineup.py", "cli/lab.py"]


@pytest.mark.parametrize("name", [*BOTH, *ENGINE_ALONE, *VECTOR_ALONE, *NEITHER])
def test_an_edit_counts_for_the_runs_that_depend_on_the_file(package, name):
    before = code_fingerprint(PLAN), code_fingerprint(VECTOR)
    edit(package / name)
    after = code_fingerprint(PLAN), code_fingerprint(VECTOR)
    changed = tuple(one != other for one, other in zip(before, after, strict=True))
    assert changed == (name in BOTH + ENGINE_ALONE, name in BOTH + VECTOR_ALONE)


def test_compiled_files_do_not_change_the_fingerprint(package):
    before = code_fingerprint(PLAN)
    (package / "engine" / "__pycache__").mkdir()
    (package / "engine" / "__pycache__" / "rules.cpython-311.pyc").write_bytes(b"compiled")
    assert code_fingerprint(PLAN) == before


def test_an_edited_module_is_another_bot(importable):
    (importable / "edited_bot.py").write_text(BOT)
    (importable / "unrelated.py").write_text("")
    plan = Plan(seats=("edited_bot:Bot", "random"))
    before = code_fingerprint(plan)
    edit(importable / "unrelated.py")
    assert code_fingerprint(plan) == before
    edit(importable / "edited_bot.py")
    assert code_fingerprint(plan) != before


def test_a_bot_of_another_package_counts_with_the_modules_beside_it(importable, monkeypatch):
    folder = importable / "their_bots"
    folder.mkdir()
    (folder / "__init__.py").write_text("from .walker import Bot\n")
    (folder / "walker.py").write_text(f"from . import brain\n{BOT}")
    (folder / "brain.py").write_text("")
    entries = [EntryPoint(name, "their_bots:Bot", registry.GROUP) for name in ("walker", "random")]
    monkeypatch.setattr(registry, "entry_points", lambda group: entries)
    monkeypatch.setattr(registry, "_found", cache(registry._found.__wrapped__))
    plan = Plan(seats=("walker", "walker"))
    for name in ("walker.py", "brain.py"):
        before = code_fingerprint(plan)
        edit(folder / name)
        assert code_fingerprint(plan) != before, name


def test_a_bot_without_a_file_has_nothing_to_hash():
    assert code_fingerprint(Plan(seats=("builtins:dict", "random"))) == code_fingerprint(PLAN)
