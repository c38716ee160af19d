"""In how many threads numpy computes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from deadwood.threads import keep_to_one_thread

ROOT = Path(__file__).parents[1]
VARIABLES = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
WATCH = """
import os, sys

class Watching:
    def find_spec(self, name, path=None, target=None):
        if name == "numpy":
            with open(os.environ["SEEN"], "a") as seen:
                print(os.getpid(), os.environ.get("OPENBLAS_NUM_THREADS"), file=seen)

sys.meta_path.insert(0, Watching())
"""


def test_numpy_keeps_to_one_thread_unless_the_user_says_otherwise(monkeypatch):
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    monkeypatch.setenv("OMP_NUM_THREADS", "4")
    keep_to_one_thread()
    assert (os.environ["OPENBLAS_NUM_THREADS"], os.environ["OMP_NUM_THREADS"]) == ("1", "4")


@pytest.mark.parametrize(
    ("program", "processes"),
    [
        ("deadwood.training.measure --quick --against hopeful --players 2 --games 2 --processes 2", 2),
        ("deadwood.training.imitate record --bot hopeful --minutes 0 --processes 2 --out games.npz", 2),
        ("deadwood.lab.habits --help", 1),
        ("benchmarks.luck --help", 1),
    ],
    ids=lambda value: str(value).partition(" ")[0],
)
def test_when_numpy_is_imported_it_knows_that_one_thread_is_enough(program, processes, tmp_path):
    (tmp_path / "sitecustomize.py").write_text(WATCH)
    environment = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    environment |= {
        "SEEN": str(tmp_path / "seen"),
        "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path, str(ROOT)]),
    }
    command = [sys.executable, "-m", *program.split()]
    subprocess.run(command, env=environment, cwd=tmp_path, check=True, capture_output=True)
    seen = [line.split() for line in (tmp_path / "seen").read_text().splitlines()]
    assert {threads for _, threads in seen} == {"1"}
    assert len({process for process, _ in seen}) >= processes
