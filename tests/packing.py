"""The package as it is published."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def pack(target, folder, sources=ROOT, environment=None):
    """Build a wheel or an sdist into a folder; returns its path."""
    build = [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", str(folder)]
    subprocess.run(build, cwd=sources, check=True, capture_output=True, env=environment)
    (packed,) = folder.glob({"wheel": "*.whl", "sdist": "*.tar.gz"}[target])
    return packed
