"""Runs: many games of one plan in a Parquet file. An interrupted run can be continued."""

import hashlib
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import polars as pl

from ..engine import rules
from ..engine.chance import FastDice
from ..engine.refusal import DeadwoodError
from ..extras import needs
from ..files import replacing
from ..interruption import restore_ctrl_c
from ..locks import lock_or_raise
from ..phrases import first_line
from .batches import Batches
from .frames import decisions_frame, games_frame
from .playing import Plan, play_games, seat_names
from .run_file import DECISIONS_HEADER, HEADER, WANTED, RunError, difference, header_of, read_metadata
from .statistics import ShareEstimate, share_of
from .workers import Progress, done_by

PlayedBatch = tuple[pl.DataFrame, pl.DataFrame, float]  # games, their decisions, seconds taken
NO_DECISIONS = decisions_frame([])


class SeatLine(msgspec.Struct, frozen=True):
    """The results of a seat in the finished games."""

    seat: int
    bot: str
    won: ShareEstimate
    score: float


class Summary(msgspec.Struct, frozen=True):
    """The state of a run: games requested, stored in total, played just now and cut off, and results by seat."""

    games: int
    kept: int
    played: int
    cut_off: int
    stopped: bool
    seats: tuple[SeatLine, ...] = ()


class Run:
    """A run's file and, during play, a folder next to it with one part per batch.

    Parts are renamed into place when complete, so a crash leaves no partial ones. Games that were in progress are
    played again, with the same result.
    """

    def __init__(self, plan: Plan, games: int, file: Path) -> None:
        self.plan, self.games, self.file = plan, games, file
        self.decisions_file = file.with_suffix(".decisions" + file.suffix)
        self._parts = file.with_name(file.name + ".parts")
        self._note = self._parts / "plan.json"
        self._header = header_of(plan).text

    def go_on(self, jobs: int, ray: str | None = None, progress: Progress = lambda _done, _all: None) -> Summary:
        """Play the missing games. An interrupt keeps those that are finished."""
        restore_ctrl_c()
        rules.start(seat_names(self.plan), self.plan.options, FastDice(0), board=self.plan.board, deck=self.plan.deck)
        with _locked(self.file):
            self._check_files()
            self._parts.mkdir(parents=True, exist_ok=True)
            try:
                return self._go_on(jobs, ray, progress)
            finally:
                if not any(self._parts.glob("*.games")):
                    shutil.rmtree(self._parts)

    def _go_on(self, jobs: int, ray: str | None, progress: Progress) -> Summary:
        with replacing(self._note) as draft:
            draft.write_text(self._header, encoding="utf-8")
        in_file = _games_in(self.file)
        kept = in_file.union(*map(_games_in, self._parts.glob("*.games")))
        try:
            self._play_missing(kept, jobs, ray, progress)
        except KeyboardInterrupt:
            return self._combine(in_file, len(kept), stopped=True)
        except DeadwoodError as error:
            now_kept = self._combine(in_file, len(kept), stopped=True).kept
            if not now_kept:
                raise
            raise RunError(f"{error} {now_kept:,} games are kept; run the same command to continue.") from error
        return self._combine(in_file, len(kept), stopped=False)

    def _play_missing(self, kept: set[int], jobs: int, ray: str | None, progress: Progress) -> None:
        missing = self.games - sum(game < self.games for game in kept)
        done = 0
        progress(done, missing)
        for games, decisions, _ in self._played(kept, jobs, ray):
            self._write_part(games, decisions)
            done += len(games)
            progress(done, missing)

    def _played(self, kept: set[int], jobs: int, ray: str | None) -> Iterator[PlayedBatch]:
        missing = (game for game in range(self.games) if game not in kept)
        if self.plan.vector:  # uses all cores by itself
            vector_runs = _vector_runs()
            for batch in vector_runs.missing_batches(missing):
                yield vector_runs.play_batch(self.plan, batch), NO_DECISIONS, 0.0
            return
        batches = Batches(missing)
        for played in done_by(partial(_play_batch, self.plan), batches, jobs, ray):
            batches.learn(len(played[0]), played[2])
            yield played

    def _write_part(self, games: pl.DataFrame, decisions: pl.DataFrame) -> None:
        name = f"{games['game'][0]:09d}"
        if self.plan.decisions:
            _write(decisions.lazy(), self._parts / f"{name}.decisions")
        _write(games.lazy(), self._parts / f"{name}.games")  # last: this file marks the part as complete

    def _combine(self, in_file: set[int], before: int, stopped: bool) -> Summary:
        """Move the parts into the run's files, decisions first, so that no game is ever without its decisions."""
        if self.plan.decisions:
            known = _games_in(self.decisions_file)
            self._append("decisions", self.decisions_file, known, ["game", "decision"], DECISIONS_HEADER)
        self._append("games", self.file, in_file, ["game"], HEADER)
        for part in self._parts.glob("*.*"):
            part.unlink()
        return self._summary(before, stopped)

    def _append(self, kind: str, file: Path, known: set[int], order: list[str], key: str) -> None:
        """Append the parts, except those already in the file after a crash before they were deleted."""
        games = sorted(self._parts.glob("*.games"))
        parts = [part.with_suffix(f".{kind}") for part in games if int(part.stem) not in known]
        if parts:
            files = [*([file] if file.exists() else []), *parts]
            whole = pl.concat([pl.scan_parquet(one, glob=False) for one in files])
            _write(whole.sort(order), file, {key: self._header, WANTED: str(self.games)})

    def _summary(self, before: int, stopped: bool) -> Summary:
        if not self.file.exists():
            return Summary(self.games, 0, 0, 0, stopped)
        rows = _by_seat(pl.scan_parquet(self.file, glob=False))
        finished = [row for row in rows if row["games"] > row["cut_off"]]
        return Summary(
            games=self.games,
            kept=rows[0]["games"],
            played=rows[0]["games"] - before,
            cut_off=rows[0]["cut_off"],
            stopped=stopped,
            seats=tuple(
                SeatLine(row["seat"], row["bots"], share_of(row["won"], row["games"] - row["cut_off"]), row["score"])
                for row in finished
            ),
        )

    def _check_files(self) -> None:
        """Refuse to mix games with different headers."""
        for file, key in ((self.file, HEADER), (self.decisions_file, DECISIONS_HEADER)):
            if file.exists() and (self.plan.decisions or key == HEADER):
                self._check(file, read_metadata(file, key)[key])
        if any(self._parts.glob("*.games")):
            self._check(self._parts, self._note.read_text(encoding="utf-8") if self._note.exists() else "")

    def _check(self, file: Path, other: str) -> None:
        if other != self._header:
            raise RunError(difference(file, other, self._header))


def _by_seat(games: pl.LazyFrame) -> list[dict[str, Any]]:
    """For each seat: its games, those cut off, and its wins and mean score in the others."""
    lists = games.select("cut_off", "bots", "won", "scores", seat=pl.int_ranges(pl.col("bots").list.len()))
    rows = lists.explode("bots", "won", "scores", "seat")
    ended = ~pl.col("cut_off")
    seats = rows.group_by("seat", "bots").agg(
        games=pl.len(),
        cut_off=pl.sum("cut_off"),
        won=pl.col("won").filter(ended).sum(),
        score=pl.col("scores").filter(ended).mean(),
    )
    return seats.sort("seat").collect().to_dicts()


def _play_batch(plan: Plan, games: list[int]) -> PlayedBatch:
    began = time.perf_counter()
    rows, decisions = play_games(plan, games)
    return games_frame(rows), decisions_frame(decisions), time.perf_counter() - began


def _vector_runs() -> ModuleType:
    with needs("The vector engine", "jax"):
        from . import vector_runs  # noqa: PLC0415 - JAX is slow to import, and only the vector engine needs it
    return vector_runs


def _games_in(file: Path) -> set[int]:
    return set(pl.read_parquet(file, columns=["game"], glob=False)["game"].unique()) if file.exists() else set()


def _write(frame: pl.LazyFrame, file: Path, metadata: dict[str, str] | None = None) -> None:
    """Write a file atomically."""
    try:
        with replacing(file) as draft:
            frame.sink_parquet(draft, metadata=metadata)
    except pl.exceptions.PolarsError as error:
        raise RunError(f"'{file}' could not be written: {first_line(error)}") from error


@contextmanager
def _locked(file: Path) -> Iterator[None]:
    """Lock a run against other processes. The lock file is elsewhere, so that the run's folder can be deleted."""
    name = hashlib.sha256(str(file.absolute()).encode()).hexdigest()
    refusal = RunError("Another process is working on this run; wait until it is done, or choose another file.")
    lock = lock_or_raise(Path(tempfile.gettempdir()) / f"deadwood-{name}.lock", refusal)
    try:
        yield
    finally:
        lock.release()
