"""A bare `pytest` finds all tests, although `make test` runs them in groups."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_a_bare_pytest_collects_everything_from_the_root():
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--collect-only", "--quiet", "--quiet"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    found = {line.partition("/test")[0] for line in done.stdout.splitlines()}
    assert {"tests", "tests/engine", "tests/rules", "tests/server", "tests/client"} <= found
