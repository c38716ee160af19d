"""Backups of an SQLite database, taken while a server uses it; and putting one back."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import chain, count
from pathlib import Path

from sqlalchemy.engine import URL

from ...engine.refusal import DeadwoodError
from ...files import replacing
from .files import database_file, lock_file, locked
from .migrate import check_schema
from .opening import database_url

_BESIDE = ("", "-wal", "-shm")  # the files that make up a database


class BackupFailed(DeadwoodError):
    """A backup that cannot be taken, or cannot be put back."""


def back_up(url: str, target: Path) -> int:
    """Copy the database as it is at one moment into a file, and check the copy; returns its size in bytes.

    SQLite copies it in one read transaction, so the copy is consistent and a running server does not wait.
    """
    source = database_file(url)
    if source is None:
        raise BackupFailed(f"PostgreSQL brings its own tool: pg_dump --format=custom --file={target} {_shown(url)}")
    if target.resolve() == source:
        raise BackupFailed(f"{target} is the database itself; name another file for the backup.")
    with replacing(target) as draft:
        draft.chmod(0o600)  # it holds secrets
        _copy(source, draft)
        _check(draft, target)
        return draft.stat().st_size


def restore(backup: Path, url: str, *, replace: bool) -> Path | None:
    """Replace a database that no server uses with a backup. Returns where the old one was put, if there was one."""
    target = database_file(url)
    if target is None:
        raise BackupFailed(f"PostgreSQL brings its own tool: pg_restore --clean --if-exists -d {_shown(url)} {backup}")
    if backup.resolve() == target:
        raise BackupFailed(f"{backup} is the database itself; name the file of a backup.")
    _check(backup, backup)
    with locked(url):
        if target.exists() and not replace:
            raise BackupFailed(f"{target} exists; --replace puts the backup in its place and keeps it beside.")
        with replacing(target, private=not target.exists()) as draft:
            _copy(backup, draft)
            _give_to_owner(target.parent, draft, lock_file(target))
            return _put_aside(target)


def _give_to_owner(folder: Path, *files: Path) -> None:
    """Give files to the owner of the folder: root may restore what a server runs under another user."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        owner = folder.stat()
        for file in files:
            os.chown(file, owner.st_uid, owner.st_gid)


def _put_aside(target: Path) -> Path | None:
    """Rename a database together with its WAL, which SQLite finds by its name."""
    if not target.exists():
        return None
    aside = _free_name(target)
    for ending in _BESIDE:
        old = target.with_name(target.name + ending)
        if old.exists():
            old.replace(aside.with_name(aside.name + ending))
    return aside


def _free_name(target: Path) -> Path:
    """A name that no earlier restore has used: whoever restores the wrong backup needs the first one."""
    endings = chain([""], (f"-{number}" for number in count(2)))
    names = (target.with_name(f"{target.name}.replaced{ending}") for ending in endings)
    return next(name for name in names if not any(name.with_name(name.name + ending).exists() for ending in _BESIDE))


def _copy(source: Path, target: Path) -> None:
    with _opened(source) as original, closing(sqlite3.connect(target)) as copy:
        original.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")  # one file, without a WAL beside it


@contextmanager
def _opened(file: Path) -> Iterator[sqlite3.Connection]:
    """Open a database that exists; a plain connection would create a missing one."""
    if not file.is_file():
        raise BackupFailed(f"There is no database {file}.")
    try:
        with closing(sqlite3.connect(file, timeout=10)) as connection:
            yield connection
    except sqlite3.Error as error:
        raise BackupFailed(f"{file} cannot be copied: {error}.") from error


def _check(file: Path, shown: Path) -> None:
    """Check that a file is a sound database of a server, with a schema that we know."""
    with _opened(file) as connection:
        try:
            found = connection.execute("SELECT version_num FROM alembic_version").fetchone()
            sound = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        except sqlite3.Error as error:
            raise BackupFailed(f"{shown} is not the database of a Deadwood server: {error}.") from error
    if sound != "ok":
        raise BackupFailed(f"{shown} is damaged: {sound}.")
    check_schema(found[0] if found else None)


def _shown(url: str) -> str:
    """A URL as PostgreSQL's tools take it, without the password."""
    found = database_url(url)
    return str(URL.create("postgresql", found.username, None, found.host, found.port, found.database))
