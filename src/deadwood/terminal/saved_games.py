"""Where games are kept on this machine, and who is playing them just now."""

import hashlib
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from filelock import FileLock, Timeout
from msgspec import Struct
from platformdirs import user_data_path

from ..engine.board import kebab
from ..engine.refusal import DeadwoodError

ENDING = ".deadwood"


class GameInUse(DeadwoodError):
    """Another program plays this game at the moment."""


class Saved(Struct, frozen=True):
    """A kept game, as a list shows it."""

    file: Path
    players: tuple[str, ...]
    finished: bool
    when: datetime


def folder() -> Path:
    """The folder of all games that were not put elsewhere."""
    return user_data_path("deadwood") / "games"


def new_file(names: tuple[str, ...]) -> Path:
    """A name for a new game's file that is not in use."""
    stem = f"{datetime.now():%Y-%m-%d-%H%M%S}-{kebab('-'.join(names))[:60]}".rstrip("-")
    return next(path for path in _numbered(folder() / stem) if not path.exists())


def _numbered(path: Path) -> Iterator[Path]:
    yield path.with_name(path.name + ENDING)
    number = 2
    while True:
        yield path.with_name(f"{path.name}-{number}{ENDING}")
        number += 1


def saved_games() -> list[Saved]:
    """All kept games, the latest first; what cannot be read is none."""
    found = [saved for path in folder().glob(f"*{ENDING}") if (saved := _saved(path))]
    return sorted(found, key=lambda saved: (saved.when, saved.file.name), reverse=True)


def latest_unfinished() -> Path | None:
    """The game to go on with."""
    return next((saved.file for saved in saved_games() if not saved.finished and saved.players), None)


def _saved(path: Path) -> Saved | None:
    """Read no more than a list needs; what is wrong with a file is told when it is opened."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").rstrip().split("\n")
        when = datetime.fromtimestamp(path.stat().st_mtime)
    except OSError:  # a folder, not ours to read, or gone in the meantime
        return None
    players = next((line.partition(":")[2] for line in lines[:9] if line.startswith("players:")), "")
    names = tuple(name.strip() for name in players.split(";") if name.strip())
    return Saved(path, names, lines[-1].startswith("result:"), when)


def lock(file: Path) -> FileLock:
    """Hold a game for this program until it is released or the program ends, however that happens."""
    locks = user_data_path("deadwood") / "locks"
    locks.mkdir(parents=True, exist_ok=True)
    held = FileLock(locks / f"{hashlib.sha256(bytes(file.resolve())).hexdigest()[:32]}.lock")
    try:
        held.acquire(timeout=0)
    except Timeout:
        raise GameInUse(f"{file} is being played by another program; quit there first, or play another game.") from None
    return held
