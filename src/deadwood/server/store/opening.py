"""Opening a database: its URL, its file, and engines whose commits survive a power cut."""

import os
import re
import sqlite3
from contextlib import closing, suppress
from functools import partial
from typing import Any

from sqlalchemy import create_engine, event, make_url
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from ...engine.refusal import DeadwoodError
from ...extras import needs
from .connections import Connections
from .migrate import SchemaDiffers, demand_current, upgrade
from .writing import LoopWriting, ThreadWriting, Writing

DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}
PATIENCE = 5.0  # seconds for any call
_FOR_LOCKS = 0.8  # of that, SQLite may wait for another connection: then it can still say so
# PostgreSQL ends a transaction that is idle for this many milliseconds: others wait for its locks
_UNFROZEN = {"idle_in_transaction_session_timeout": "1500"}


class DatabaseUnusable(DeadwoodError):
    """The database cannot be opened."""


async def connect(url: str, patience: float, migrates: bool = True) -> Connections:
    """Connect, and migrate the database to the current schema, or demand that it has it."""
    parsed = database_url(url)
    _check_file(parsed)
    engine = _engine(parsed, patience)
    try:
        async with engine.begin() as connection:
            await connection.run_sync(upgrade if migrates else demand_current)
    except Exception as error:
        await engine.dispose()
        if isinstance(error, SchemaDiffers):
            raise
        raise DatabaseUnusable(f"The database cannot be used: {error}") from error
    return Connections(engine, _writing(engine, patience), patience)


def database_url(url: str) -> URL:
    """The URL with our driver."""
    try:
        parsed = make_url(url)
    except Exception as error:
        shown = re.sub(r"//.*@", "//…@", url)  # without a password
        raise DatabaseUnusable(f"'{shown}' is not the URL of a database, as in sqlite:///games.db") from error
    kind = parsed.get_backend_name()
    if kind not in DRIVERS:
        raise DatabaseUnusable(f"{kind} is not supported; use sqlite or postgresql.")
    if kind == "sqlite" and parsed.database in (None, "", ":memory:"):
        raise DatabaseUnusable("A database in memory is lost with the server; name a file, as in sqlite:///games.db")
    return parsed.set(drivername=DRIVERS[kind])


def _check_file(url: URL) -> None:
    """Try to open an SQLite file outside a thread: a thread that fails to connect would outlive its loop.

    Only the owner may read a new file: it holds the seeds of running games.
    """
    if url.get_backend_name() == "sqlite":
        with suppress(OSError):  # SQLite's own error is clearer
            os.close(os.open(str(url.database), os.O_CREAT | os.O_RDWR, 0o600))
        try:
            with closing(sqlite3.connect(str(url.database))) as connection:
                connection.execute("PRAGMA schema_version").fetchone()
        except sqlite3.Error as error:
            raise DatabaseUnusable(f"The database {url.database} cannot be used: {error}") from error


def _engine(url: URL, patience: float) -> AsyncEngine:
    connecting = {"timeout": patience, "server_settings": _UNFROZEN} if url.get_backend_name() == "postgresql" else {}
    with needs("PostgreSQL", "postgres"):
        engine = create_async_engine(
            url,
            pool_pre_ping=True,
            connect_args=connecting,
            hide_parameters=True,  # which hold seeds and salts
        )
    if engine.dialect.name == "sqlite":
        event.listen(engine.sync_engine, "connect", partial(_make_durable, patience))
    return engine


def _writing(engine: AsyncEngine, patience: float) -> Writing:
    if engine.dialect.name != "sqlite":
        return LoopWriting(engine)
    writer = create_engine(engine.url.set(drivername="sqlite"), hide_parameters=True)
    event.listen(writer, "connect", partial(_make_durable, patience))
    return ThreadWriting(writer)


def _make_durable(patience: float, connection: Any, _record: object) -> None:
    """WAL with FULL: a commit survives a power cut, and readers never wait for the writer. Commits never checkpoint.

    Deleted data is overwritten.
    """
    cursor = connection.cursor()
    busy = int(1000 * patience * _FOR_LOCKS)
    waiting = (f"busy_timeout={busy}", "wal_autocheckpoint=0")
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "secure_delete=ON", *waiting):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
