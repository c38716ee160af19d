"""The package as it is published, and what it requires."""

import subprocess
import sys
from importlib.metadata import requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]


def pack(target, folder, sources=ROOT, environment=None):
    """Build a wheel or an sdist into a folder; returns its path."""
    build = [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", str(folder)]
    subprocess.run(build, cwd=sources, check=True, capture_output=True, env=environment)
    (packed,) = folder.glob({"wheel": "*.whl", "sdist": "*.tar.gz"}[target])
    return packed


def brought_by(*extras):
    """All distributions that the base install and extras bring, directly or not."""
    found, waiting = set(), [("deadwood-game", frozenset(extras))]
    while waiting:
        name, wanted = waiting.pop()
        if (name, wanted) not in found:
            found.add((name, wanted))
            waiting.extend(required_by(name, wanted))
    return {name for name, _ in found}


def required_by(name, extras):
    """The distributions that one with these extras names, each with its extras."""
    for text in requires(name) or ():
        needed = Requirement(text)
        if needed.marker is None or any(needed.marker.evaluate({"extra": extra}) for extra in (extras or {""})):
            yield canonicalize_name(needed.name), frozenset(needed.extras)
