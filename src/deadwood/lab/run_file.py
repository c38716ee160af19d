"""The files of a run: their headers, and how to open them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import polars as pl
from msgspec.structs import replace

from .. import __version__
from ..bots import DECISION_LIMIT
from ..engine.options import Options
from ..engine.refusal import DeadwoodError
from ..engine.table import choose_board, choose_deck, deck_name
from ..phrases import first_line
from .fingerprint import code_fingerprint
from .frames import GAMES
from .playing import Plan

FORMAT = 1
HEADER = "deadwood.plan"  # Parquet metadata key in the file of games
DECISIONS_HEADER = "deadwood.decisions.plan"  # the same in the file of decisions
WANTED = "deadwood.games"  # the number of games requested
_SHOWN = 8  # characters of a fingerprint in error messages
_FINGERPRINT_LENGTH = 64


class RunError(DeadwoodError):
    """A run cannot be made, continued or read as asked."""


class RunHeader(Options, frozen=True, kw_only=True, forbid_unknown_fields=False):
    """What all games in a file have in common: the options, and everything else that affects how games are played.

    A custom deck is identified by its fingerprint, as in records; `board` and `code` are fingerprints too.
    """

    format: int = FORMAT
    version: str
    code: str = ""
    seats: tuple[str, ...]
    seed: int = 0
    limit: int = DECISION_LIMIT
    decisions: bool = False
    vector: bool = False
    board: str

    @property
    def bots(self) -> tuple[str, ...]:
        """Each bot once, in the order of the seats."""
        return tuple(dict.fromkeys(self.seats))

    @property
    def text(self) -> str:
        """The header as it is stored."""
        return msgspec.json.encode(self, order="sorted").decode()


def header_of(plan: Plan) -> RunHeader:
    """The header for games played from a plan with the current code."""
    options = replace(plan.options, deck=deck_name(choose_deck(plan.options, plan.deck)))
    return RunHeader(
        **msgspec.structs.asdict(options),
        version=__version__,
        code=code_fingerprint(plan),
        seats=plan.seats,
        seed=plan.seed,
        limit=plan.limit,
        decisions=plan.decisions,
        vector=plan.vector,
        board=choose_board(plan.board).fingerprint,
    )


def read_metadata(file: Path, key: str) -> dict[str, str]:
    """The metadata of a run's file. Raises RunError if it is not one."""
    try:
        metadata = pl.read_parquet_metadata(file)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise RunError(f"'{file}' is not a readable Parquet file: {first_line(error)}") from error
    if key not in metadata:
        raise RunError(
            f"'{file}' is not a run of `deadwood simulate`, or is the wrong file of one; choose another file."
        )
    return metadata


def open_run(file: Path) -> tuple[RunHeader, int, pl.LazyFrame]:
    """The header of a run, the number of games requested, and the games. Raises RunError if the file cannot be used."""
    metadata = read_metadata(file, HEADER)
    header = _header(file, metadata[HEADER])
    games = pl.scan_parquet(file, glob=False)
    if dict(games.collect_schema()) != GAMES:
        raise RunError(f"'{file}' has columns of another version; simulate the games again with this one.")
    if games.select(pl.len()).collect().item() == 0:
        raise RunError(f"'{file}' contains no games, so there is nothing to report.")
    wanted = metadata.get(WANTED, "")
    return header, int(wanted) if wanted.isdecimal() else 0, games


def _header(file: Path, text: str) -> RunHeader:
    try:
        header = msgspec.json.decode(text, type=RunHeader)
    except (msgspec.DecodeError, DeadwoodError) as error:
        raise RunError(f"'{file}' has an unreadable header: {error}") from error
    if header.format != FORMAT:
        raise RunError(f"'{file}' has format {header.format}, but this version reads format {FORMAT}.")
    return header


def difference(file: Path, known: str, wanted: str) -> str:
    """A sentence about how two encoded headers differ."""
    old, new = _decoded(known), _decoded(wanted)
    names = sorted(name for name in old.keys() | new.keys() if old.get(name) != new.get(name))
    differing = "; ".join(f"{name} {_shown(old.get(name))} there, {_shown(new.get(name))} here" for name in names)
    return f"'{file}' has other settings ({differing}); use the same settings, or choose another file."


def _decoded(text: str) -> Mapping[str, Any]:
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except msgspec.DecodeError:
        return {"header": "unreadable"}


def _shown(value: object) -> str:
    text = ",".join(value) if isinstance(value, list) else str(value)
    return text[:_SHOWN] if len(text) == _FINGERPRINT_LENGTH else text
