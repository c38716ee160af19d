"""Runs: many games of one plan, kept in a Parquet file as they are played, and continued where they stopped."""

import hashlib
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import ModuleType

import msgspec
import polars as pl
from filelock import FileLock, Timeout

from ..engine import rules
from ..engine.chance import FastDice
from ..engine.refusal import DeadwoodError
from ..extras import needs
from ..files import replacing
from .batches import Portions
from .fingerprint import DECISIONS_PLAN, PLAN, WANTED, RunError, difference, first_line, identity, read_metadata
from .playing import Plan, play_games, seat_names
from .rows import decisions_frame, games_frame
from .statistics import Share, share_of
from .workers import done_by

Played = tuple[pl.DataFrame, pl.DataFrame, float]  # games, decisions, and the seconds they took
Progress = Callable[[int, int], None]  # games done now, of how many that were missing
NO_DECISIONS = decisions_frame([])


class Summary(msgspec.Struct, frozen=True):
    """How a run ended: games asked for, kept in all, played now, cut off among all, and whether it was stopped."""

    games: int
    kept: int
    played: int
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
        self._note = self._parts / "plan.json"
        self._identity = identity(plan)

    def go_on(self, jobs: int, ray: str | None = None, progress: Progress = lambda _done, _all: None) -> Summary:
        """Play what is missing; an interrupt keeps what is done."""
        rules.start(seat_names(self.plan), self.plan.options, FastDice(0), board=self.plan.board, deck=self.plan.deck)
        with _alone_with(self.file):
            self._check_files()
            self._parts.mkdir(parents=True, exist_ok=True)
            try:
                return self._go_on(jobs, ray, progress)
            finally:
                if not any(self._parts.glob("*.games")):
                    shutil.rmtree(self._parts)

    def _go_on(self, jobs: int, ray: str | None, progress: Progress) -> Summary:
        with replacing(self._note) as draft:
            draft.write_text(self._identity, encoding="utf-8")
        before = len(self._games_kept())
        try:
            stopped = self._is_stopped_playing(jobs, ray, progress)
        except DeadwoodError as error:
            kept = self._combine(before, stopped=True).kept
            if not kept:
                raise
            raise RunError(f"{error} {kept:,} games are kept; the same command goes on.") from error
        return self._combine(before, stopped)

    def _is_stopped_playing(self, jobs: int, ray: str | None, progress: Progress) -> bool:
        kept = self._games_kept()
        missing = self.games - sum(game < self.games for game in kept)
        done = 0
        try:
            progress(done, missing)
            for games, decisions, _ in self._played(kept, jobs, ray):
                self._keep(games, decisions)
                done += len(games)
                progress(done, missing)
        except KeyboardInterrupt:
            return True
        return False

    def _played(self, kept: set[int], jobs: int, ray: str | None) -> Iterator[Played]:
        """The vector engine uses all cores by itself."""
        missing = (game for game in range(self.games) if game not in kept)
        if self.plan.vector:
            blocks = _blocks()
            for block in blocks.missing_blocks(missing):
                yield blocks.play_block(self.plan, block), NO_DECISIONS, 0.0
            return
        portions = Portions(missing)
        for played in done_by(partial(_play_portion, self.plan), portions, jobs, ray):
            portions.learn(len(played[0]), played[2])
            yield played

    def _keep(self, games: pl.DataFrame, decisions: pl.DataFrame) -> None:
        name = f"{games['game'][0]:09d}"
        if self.plan.decisions:
            _write(decisions.lazy(), self._parts / f"{name}.decisions")
        _write(games.lazy(), self._parts / f"{name}.games")  # the last: games are done when this is there

    def _games_kept(self) -> set[int]:
        return {game for file in (*self._parts.glob("*.games"), self.file) for game in _games_in(file)}

    def _combine(self, before: int, stopped: bool) -> Summary:
        """Move the parts into the run's file; decisions first, so that no game is ever there without its own."""
        if self.plan.decisions:
            self._gather("decisions", self.decisions_file, ["game", "decision"], DECISIONS_PLAN)
        self._gather("games", self.file, ["game"], PLAN)
        for part in self._parts.glob("*.*"):
            part.unlink()
        if not self.file.exists():
            return Summary(self.games, 0, 0, 0, stopped)
        cut_off = pl.read_parquet(self.file, columns=["cut_off"], glob=False)["cut_off"]
        return Summary(self.games, len(cut_off), len(cut_off) - before, int(cut_off.sum()), stopped)

    def _gather(self, kind: str, file: Path, order: list[str], plan: str) -> None:
        """Parts that the file holds already, because a crash came before they were removed, are left out."""
        known = _games_in(file)
        games = sorted(self._parts.glob("*.games"))
        parts = [part.with_suffix(f".{kind}") for part in games if int(part.stem) not in known]
        if parts:
            files = [*([file] if file.exists() else []), *parts]
            whole = pl.concat([pl.scan_parquet(one, glob=False) for one in files])
            _write(whole.sort(order), file, {plan: self._identity, WANTED: str(self.games)})

    def _check_files(self) -> None:
        """Refuse to mix games of different plans."""
        known = {self.file: PLAN, self.decisions_file: DECISIONS_PLAN} if self.plan.decisions else {self.file: PLAN}
        for file, key in known.items():
            if file.exists():
                self._check(file, read_metadata(file, key)[key])
        if any(self._parts.glob("*.games")):
            self._check(self._parts, self._note.read_text(encoding="utf-8") if self._note.exists() else "")

    def _check(self, file: Path, other: str) -> None:
        if other != self._identity:
            raise RunError(difference(file, other, self._identity))


class SeatLine(msgspec.Struct, frozen=True):
    """How a seat did in a run."""

    seat: int
    bot: str
    won: Share
    score: float


def seat_lines(file: Path) -> list[SeatLine]:
    """How all seats did in the games that came to an end."""
    games = pl.scan_parquet(file, glob=False).filter(~pl.col("cut_off"))
    lists = games.select("bots", "won", "scores", seat=pl.int_ranges(pl.col("bots").list.len()))
    rows = lists.explode("bots", "won", "scores", "seat")
    seats = rows.group_by("seat", "bots").agg(pl.len().alias("games"), pl.sum("won"), pl.mean("scores"))
    return [
        SeatLine(row["seat"], row["bots"], share_of(row["won"], row["games"]), row["scores"])
        for row in seats.sort("seat").collect().iter_rows(named=True)
    ]


def _play_portion(plan: Plan, games: list[int]) -> Played:
    began = time.perf_counter()
    rows, decisions = play_games(plan, games)
    return games_frame(rows), decisions_frame(decisions), time.perf_counter() - began


def _blocks() -> ModuleType:
    with needs("The vector engine", "jax"):
        from . import vector_runs  # noqa: PLC0415 - JAX takes its time, and only the vector engine needs it
    return vector_runs


def _games_in(file: Path) -> set[int]:
    return set(pl.read_parquet(file, columns=["game"], glob=False)["game"].unique()) if file.exists() else set()


def _write(frame: pl.LazyFrame, file: Path, metadata: dict[str, str] | None = None) -> None:
    """Put a whole file in place of whatever is there."""
    try:
        with replacing(file) as draft:
            frame.sink_parquet(draft, metadata=metadata)
    except pl.exceptions.PolarsError as error:
        raise RunError(f"'{file}' could not be written: {first_line(error)}") from error


@contextmanager
def _alone_with(file: Path) -> Iterator[None]:
    """Only one process at a time works on a run; the lock lies apart, so that the run's folder can be removed."""
    name = hashlib.sha256(str(file.absolute()).encode()).hexdigest()
    try:
        with FileLock(Path(tempfile.gettempdir()) / f"deadwood-{name}.lock").acquire(blocking=False):
            yield
    except Timeout:
        raise RunError("Another process is working on this run; wait for it, or name another file.") from None
