"""The user's saved games, and locks on those that are being played."""

import hashlib
from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache
from pathlib import Path

from filelock import BaseFileLock
from msgspec import Struct
from msgspec.structs import replace
from platformdirs import user_data_path

from ..engine.board import kebab
from ..engine.game import read_record
from ..engine.options import Options
from ..engine.record import Record, parse_record
from ..engine.refusal import DeadwoodError, RecordError
from ..engine.scoring import recorded_winners
from ..engine.seats import Seat
from ..locks import lock_or_raise

ENDING = ".deadwood"


class GameInUse(DeadwoodError):
    """Another program is playing this game."""


class Saved(Struct, frozen=True):
    """A saved game, as a list shows it; a file that is not a record has no players."""

    file: Path
    players: tuple[str, ...]
    finished: bool
    when: datetime
    seats: tuple[Seat, ...] = ()
    options: Options | None = None
    winners: tuple[str, ...] = ()  # none before the end, or if the game was called off

    @property
    def can_continue(self) -> bool:
        """Whether there is a game that is not over."""
        return bool(self.players) and not self.finished


def folder() -> Path:
    """The folder of the user's games."""
    return user_data_path("deadwood") / "games"


def new_file(names: tuple[str, ...]) -> Path:
    """A path for a new game that no file has yet."""
    stem = f"{datetime.now():%Y-%m-%d-%H%M%S}-{kebab('-'.join(names))[:60]}".rstrip("-")
    return next(path for path in _numbered(folder() / stem) if not path.exists())


def _numbered(path: Path) -> Iterator[Path]:
    yield path.with_name(path.name + ENDING)
    number = 2
    while True:
        yield path.with_name(f"{path.name}-{number}{ENDING}")
        number += 1


def saved_games() -> list[Saved]:
    """All saved games, the latest first; files that cannot be read are left out."""
    found = [saved for path in folder().glob(f"*{ENDING}") if (saved := _saved(path))]
    return sorted(found, key=lambda saved: (saved.when, saved.file.name), reverse=True)


def latest_unfinished() -> Path | None:
    """The game to continue."""
    return next((saved.file for saved in saved_games() if saved.can_continue), None)


def _saved(path: Path) -> Saved | None:
    try:
        status = path.stat()
        record = _record(path, status.st_mtime_ns, status.st_size)
    except OSError:  # a folder, unreadable, or gone in the meantime
        return None
    when = datetime.fromtimestamp(status.st_mtime)
    if record is None:
        return Saved(path, (), False, when)
    return Saved(
        path,
        record.players,
        record.result is not None or record.called_off,
        when,
        record.seats or (),
        record.options,
        recorded_winners(record.result, record.options.ties) if record.result else (),
    )


@lru_cache(maxsize=4096)
def _record(path: Path, _changed: int, _size: int) -> Record | None:
    """What a list needs of a record; read again only when the file has changed."""
    try:
        return replace(parse_record(read_record(path)), lines=(), attached={}, numbers={})
    except RecordError:  # explained when the file is opened
        return None


def lock(file: Path) -> BaseFileLock:
    """Lock a game for this program, until the lock is released or the program ends."""
    locks = user_data_path("deadwood") / "locks"
    locks.mkdir(parents=True, exist_ok=True)
    name = hashlib.sha256(bytes(file.resolve())).hexdigest()[:32]
    refusal = GameInUse(f"{file} is being played by another program; quit there first, or play another game.")
    return lock_or_raise(locks / f"{name}.lock", refusal)
