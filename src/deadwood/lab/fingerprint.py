"""What a run's file says of the plan it was made by, so that games of different plans are never mixed."""

import hashlib
import inspect
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import polars as pl

from .. import __version__, bots, engine
from ..engine.refusal import DeadwoodError
from ..engine.table import choose_board, choose_deck, deck_name
from .contestants import factory
from .playing import Plan

FORMAT = 1
PLAN = "deadwood.plan"  # in the metadata of a run's file: its plan
DECISIONS_PLAN = "deadwood.decisions.plan"  # the same, of the file with its decisions
WANTED = "deadwood.games"  # how many games were asked for
_SHOWN = 8  # signs of a fingerprint


class RunError(DeadwoodError):
    """A run cannot be made, continued or read as asked."""


def identity(plan: Plan) -> str:
    """What must be equal in two plans whose games may stand in one file, as JSON."""
    options = msgspec.to_builtins(plan.options) | {"deck": deck_name(choose_deck(plan.options, plan.deck))}
    described = {
        "format": FORMAT,
        "version": __version__,
        "code": _code(plan.seats),
        "seats": list(plan.seats),
        "seed": plan.seed,
        "limit": plan.limit,
        "decisions": plan.decisions,
        "vector": plan.vector,
        "board": choose_board(plan.board).fingerprint,
        **options,
    }
    return msgspec.json.encode(described, order="sorted").decode()


def _code(seats: Iterable[str]) -> str:
    """A fingerprint of the rules and the bots as they are written now: an edited bot is another one."""
    own = [Path(inspect.getfile(factory(name))) for name in sorted(set(seats)) if ":" in name]
    return hashlib.sha256(b"".join(_source(file) for file in [*_our_files(), *own])).hexdigest()


@cache
def _our_files() -> tuple[Path, ...]:
    folders = [Path(package.__file__ or "").parent for package in (engine, bots)]
    return tuple(file for folder in folders for file in sorted(folder.glob("*.py")))


def _source(file: Path) -> bytes:
    return file.read_bytes() if file.exists() else b""


def read_metadata(file: Path, key: str = PLAN) -> dict[str, str]:
    """What a file of a run says of itself; a RunError if it is no such file."""
    try:
        metadata = pl.read_parquet_metadata(file)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise RunError(f"'{file}' is not a file of `deadwood simulate`: {first_line(error)}") from error
    if key not in metadata:
        raise RunError(f"'{file}' was not made by `deadwood simulate`, or is another part of a run; name another file.")
    return metadata


def difference(file: Path, known: str, wanted: str) -> str:
    """In what two plans differ."""
    old, new = _decoded(known), _decoded(wanted)
    names = sorted(name for name in old.keys() | new.keys() if old.get(name) != new.get(name))
    differing = "; ".join(f"{name} {_shown(old.get(name))} there, {_shown(new.get(name))} here" for name in names)
    return f"'{file}' holds other games ({differing}); continue them with their own settings, or name another file."


def _decoded(text: str) -> dict[str, Any]:
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except msgspec.DecodeError:
        return {"plan": "unreadable"}


def _shown(value: object) -> str:
    text = ",".join(value) if isinstance(value, list) else str(value)
    return text[:_SHOWN] if len(text) == hashlib.sha256().digest_size * 2 else text


def first_line(error: Exception) -> str:
    """What a library says of an error, without its advice to programmers."""
    return str(error).partition("\n")[0]
