"""Opening a run: its plan, as its file tells it, and its games."""

from pathlib import Path

import msgspec
import polars as pl
from msgspec import Struct
from msgspec.structs import replace

from ..fingerprint import FORMAT, PLAN, WANTED, RunError, read_metadata
from ..rows import GAMES


class Known(Struct, frozen=True):
    """The plan that a run's file was made by. Board and deck are named; one of somebody's own by its fingerprint."""

    format: int
    version: str
    seats: tuple[str, ...]
    seed: int
    limit: int
    decisions: bool
    vector: bool
    board: str
    deck: str
    layout: str
    first: str
    ties: str
    bonus: str
    dice: str
    days: int | None
    code: str = ""
    games: int = 0  # that were asked for

    @property
    def bots(self) -> tuple[str, ...]:
        """Each bot once, in the order of the seats."""
        return tuple(dict.fromkeys(self.seats))


def open_run(file: Path) -> tuple[Known, pl.LazyFrame]:
    """The plan and the games of a run, or a RunError that says what is wrong with the file."""
    known = _known(file)
    games = pl.scan_parquet(file, glob=False)
    if dict(games.collect_schema()) != GAMES:
        raise RunError(f"'{file}' does not hold what this version keeps of games; play them again with this one.")
    if games.select(pl.len()).collect().item() == 0:
        raise RunError(f"'{file}' holds no games; there is nothing to report.")
    return known, games


def _known(file: Path) -> Known:
    metadata = read_metadata(file)
    try:
        known = msgspec.json.decode(metadata[PLAN], type=Known)
    except msgspec.DecodeError as error:
        raise RunError(f"'{file}' has no plan that can be read: {error}") from error
    if known.format != FORMAT:
        raise RunError(f"'{file}' is of format {known.format}, and this version reads {FORMAT}.")
    wanted = metadata.get(WANTED, "")
    return replace(known, games=int(wanted)) if wanted.isdecimal() else known
