"""The file of an SQLite database: where it is by default, and the lock of the one server that uses it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import BaseFileLock
from platformdirs import user_data_path

from ...locks import lock_or_raise
from ..settings import SettingsWrong
from .opening import DatabaseUnusable, database_url


def default_database() -> str:
    """The URL of the database that is used if none is named."""
    return f"sqlite:///{user_data_path('deadwood') / 'server.sqlite3'}"


def database_file(url: str) -> Path | None:
    """The file of an SQLite database, however it is linked; None for PostgreSQL."""
    parsed = database_url(url)
    return Path(str(parsed.database)).resolve() if parsed.get_backend_name() == "sqlite" else None


def existing_file(url: str) -> Path | None:
    """The same for a database that must exist: opening one that does not would create it."""
    file = database_file(url)
    if file is not None and not file.exists():
        raise DatabaseUnusable(f"There is no database {file}.")
    return file


def lock_file(database: Path) -> Path:
    """The file that a server locks while it uses a database."""
    return database.with_name(database.name + ".lock")


@contextmanager
def locked(url: str) -> Iterator[None]:
    """Lock the database: SQLite allows only one server process. PostgreSQL allows any number, and needs no lock."""
    path = database_file(url)
    if path is None:
        yield
        return
    lock = _lock(path)
    try:
        yield
    finally:
        lock.release()


def _lock(path: Path) -> BaseFileLock:
    in_use = SettingsWrong(f"Another server uses {path}; only PostgreSQL can be shared.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return lock_or_raise(lock_file(path), in_use)
    except OSError as error:
        raise SettingsWrong(f"The database {path} cannot be written: {error.strerror}.") from error
