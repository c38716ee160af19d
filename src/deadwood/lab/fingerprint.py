"""A fingerprint of the code and data that games depend on, so that a run never mixes games of different versions."""

import hashlib
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from .contestants import factory
from .playing import Plan

HOME = Path(__file__).parents[1]
BOTH_RUNS = ("engine", "encoding.py", "lab/playing.py", "lab/rows.py", "lab/frames.py")
ENGINE_RUN = (*BOTH_RUNS, "bots", "neural", "lab/measuring.py")
VECTOR_RUN = (*BOTH_RUNS, "vector", "lab/vector_runs.py")


def code_fingerprint(plan: Plan) -> str:
    """A hash of the rules, their data and the bots as they are on disk now. Editing a bot changes it."""
    files = dict(_package_files(VECTOR_RUN if plan.vector else ENGINE_RUN))
    for name in plan.seats:
        files |= _bot_files(name)
    digest = hashlib.sha256()
    for label, file in sorted(files.items()):
        content = file.read_bytes()
        digest.update(f"{label} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def _package_files(paths: tuple[str, ...]) -> Iterator[tuple[str, Path]]:
    for path in paths:
        found = (HOME / path).rglob("*") if (HOME / path).is_dir() else [HOME / path]
        for file in found:
            if file.is_file() and file.suffix != ".pyc":
                yield file.relative_to(HOME).as_posix(), file


def _bot_files(name: str) -> dict[str, Path]:
    """The data that a bot names, the module that defines it, and the rest of its package if it is in one."""
    maker = factory(name)
    while isinstance(maker, partial):
        maker = maker.func
    data = {f"data of {name} {number}": file for number, file in enumerate(getattr(maker, "data_files", tuple)())}
    return data | _module_files(maker)


def _module_files(maker: object) -> dict[str, Path]:
    module = sys.modules.get(getattr(maker, "__module__", ""))
    file = Path(getattr(module, "__file__", None) or "")
    if module is None or not file.is_file() or file.is_relative_to(HOME):  # built in, or hashed already
        return {}
    files = file.parent.rglob("*.py") if module.__package__ else [file]
    return {f"{module.__name__} {one.relative_to(file.parent).as_posix()}": one for one in files}
