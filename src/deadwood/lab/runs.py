"""Runs: many games of one plan, kept in a Parquet file as they are played, and continued where they stopped."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import msgspec
import polars as pl
from filelock import FileLock, Timeout

from .. import __version__
from ..engine.refusal import DeadwoodError
from ..engine.table import choose_board, choose_deck, deck_name
from .playing import Plan, play_games
from .rows import decisions_frame, games_frame
from .statistics import Share, share_of
from .workers import done_by

CHUNK = 50  # games that a worker plays before it reports
PLAN = "deadwood.plan"  # the key of a run's plan in the metadata of its file
FORMAT = 1

Progress = Callable[[int, int], None]  # games done now, of how many that were missing


class RunError(DeadwoodError):
    """A run cannot be made or continued as asked."""


class Summary(msgspec.Struct, frozen=True):
    """How a run ended: games asked for, games kept, games cut off among them, and whether it was stopped."""

    games: int
    kept: int
    cut_off: int
    stopped: bool


class Run:
    """A run's file, and while it is played a folder beside it with a part for every few games.

    A part is written under another name first, so that one which is there is whole, also after a
    crash; games that were in work then are played again and come out the same.
    """

    def __init__(self, plan: Plan, games: int, file: Path) -> None:
        self.plan, self.games, self.file = plan, games, file
        self.decisions_file = file.with_suffix(".decisions" + file.suffix)
        self._parts = file.with_name(file.name + ".parts")
        self._identity = _identity(plan)

    def go_on(self, jobs: int, ray: str | None = None, progress: Progress = lambda _done, _all: None) -> Summary:
        """Play what is missing; an interrupt keeps what is done."""
        self._parts.mkdir(parents=True, exist_ok=True)
        with _alone_in(self._parts):
            self._check_identity()
            stopped = self._is_stopped_playing(jobs, ray, progress)
            summary = self._combine(stopped)
        shutil.rmtree(self._parts)
        return summary

    def _is_stopped_playing(self, jobs: int, ray: str | None, progress: Progress) -> bool:
        kept = self._games_kept()
        missing = [game for game in range(self.games) if game not in kept]
        chunks = [missing[first : first + CHUNK] for first in range(0, len(missing), CHUNK)]
        done = 0
        try:
            progress(done, len(missing))
            for games, decisions in done_by(partial(_play_chunk, self.plan), chunks, jobs, ray):
                self._keep(games, decisions)
                done += len(games)
                progress(done, len(missing))
        except KeyboardInterrupt:
            return True
        return False

    def _keep(self, games: pl.DataFrame, decisions: pl.DataFrame) -> None:
        name = f"{games['game'][0]:09d}"
        if self.plan.decisions:
            _write(decisions.lazy(), self._parts / f"{name}.decisions")
        _write(games.lazy(), self._parts / f"{name}.games")  # the last: games are done when this is there

    def _games_kept(self) -> set[int]:
        files = [*self._parts.glob("*.games"), *([self.file] if self.file.exists() else [])]
        return {game for file in files for game in pl.read_parquet(file, columns=["game"])["game"]}

    def _combine(self, stopped: bool) -> Summary:
        """Move the parts into the run's file; decisions first, so that no game is ever there without its own."""
        if self.plan.decisions:
            self._gather("decisions", self.decisions_file, ["game", "decision"])
        self._gather("games", self.file, ["game"])
        if not self.file.exists():
            return Summary(self.games, 0, 0, stopped)
        cut_off = pl.read_parquet(self.file, columns=["cut_off"])["cut_off"]
        return Summary(self.games, len(cut_off), int(cut_off.sum()), stopped)

    def _gather(self, kind: str, file: Path, key: list[str]) -> None:
        """Parts that the file holds already, because a crash came before they were removed, are left out."""
        known = set(pl.read_parquet(file, columns=["game"])["game"]) if file.exists() else set()
        games = sorted(self._parts.glob("*.games"))
        parts = [part.with_suffix(f".{kind}") for part in games if int(part.stem) not in known]
        if parts:
            whole = pl.scan_parquet([*([file] if file.exists() else []), *parts])
            _write(whole.sort(key), file, self._identity)

    def _check_identity(self) -> None:
        """Refuse to mix games of different plans."""
        note = self._parts / "plan.json"
        known = [read_identity(self.file)] if self.file.exists() else []
        known += [note.read_text(encoding="utf-8")] if note.exists() else []
        for other in known:
            if other != self._identity:
                raise RunError(_difference(self.file, other, self._identity))
        note.write_text(self._identity, encoding="utf-8")


def read_identity(file: Path) -> str:
    """The plan that a run's file was made by, as JSON; a RunError if it is no such file."""
    try:
        metadata = pl.read_parquet_metadata(file)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise RunError(f"'{file}' is not a file of `deadwood simulate`: {error}") from error
    if PLAN not in metadata:
        raise RunError(f"'{file}' was not made by `deadwood simulate`; name another file.")
    return metadata[PLAN]


class SeatLine(msgspec.Struct, frozen=True):
    """How a seat did in a run."""

    seat: int
    bot: str
    won: Share
    score: float


def seat_lines(file: Path) -> list[SeatLine]:
    """How all seats did in the games that came to an end."""
    games = (
        pl.scan_parquet(file)
        .filter(~pl.col("cut_off"))
        .select("bots", "won", "scores", seat=pl.int_ranges(pl.col("bots").list.len()))
    )
    seats = (
        games.explode("bots", "won", "scores", "seat")
        .group_by("seat", "bots")
        .agg(pl.len().alias("games"), pl.sum("won"), pl.mean("scores"))
    )
    return [
        SeatLine(row["seat"], row["bots"], share_of(row["won"], row["games"]), row["scores"])
        for row in seats.sort("seat").collect().iter_rows(named=True)
    ]


def _play_chunk(plan: Plan, games: list[int]) -> tuple[pl.DataFrame, pl.DataFrame]:
    rows, decisions = play_games(plan, games)
    return games_frame(rows), decisions_frame(decisions)


def _identity(plan: Plan) -> str:
    """What must be equal in two plans whose games may stand in one file."""
    deck = deck_name(choose_deck(plan.options, plan.deck))
    board = choose_board(plan.board).fingerprint
    options = msgspec.to_builtins(plan.options) | {"deck": deck}
    described = {
        "format": FORMAT,
        "version": __version__,
        "seats": list(plan.seats),
        "seed": plan.seed,
        "limit": plan.limit,
        "decisions": plan.decisions,
        "board": board,
        **options,
    }
    return msgspec.json.encode(described, order="sorted").decode()


def _difference(file: Path, known: str, wanted: str) -> str:
    old, new = msgspec.json.decode(known), msgspec.json.decode(wanted)
    names = sorted(name for name in old.keys() | new.keys() if old.get(name) != new.get(name))
    differing = "; ".join(f"{name} {_shown(old.get(name))} there, {_shown(new.get(name))} here" for name in names)
    return (
        f"'{file}' holds a run of other games ({differing}); continue it with its own settings, or name another file."
    )


def _shown(value: object) -> str:
    return ",".join(value) if isinstance(value, list) else str(value)


def _write(frame: pl.LazyFrame, file: Path, identity: str | None = None) -> None:
    """Put a whole file in place of whatever is there, once it is on the disk."""
    unfinished = file.with_name(file.name + ".unfinished")
    frame.sink_parquet(unfinished, metadata={PLAN: identity} if identity else None)
    with unfinished.open("rb+") as stream:
        os.fsync(stream.fileno())
    unfinished.replace(file)


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Only one process at a time works on a run."""
    try:
        with FileLock(folder / "lock").acquire(blocking=False):
            yield
    except Timeout:
        raise RunError("Another process is working on this run; wait for it, or name another file.") from None
