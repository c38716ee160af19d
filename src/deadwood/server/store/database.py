"""The store on SQLite or PostgreSQL, with SQLAlchemy."""

import asyncio
import logging
import os
import re
import sqlite3
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any, Self, TypeVar

import msgspec
from msgspec import Struct, structs
from sqlalchemy import (
    ColumnElement,
    Connection,
    Delete,
    Table,
    bindparam,
    create_engine,
    delete,
    event,
    make_url,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from ...engine.refusal import DeadwoodError
from ...extras import needs
from ...phrases import first_line
from ..protocol.refusals import ServerRefused, StoreFailed, StoreGone, refuse
from ..protocol.talk import TalkLine
from ..protocol.views import Status
from ..tables.local_peers import LocalPeers
from ..tables.log import Entry, decode_body, encode_body
from ..tables.ports import (
    MOST_ANSWERS,
    MOST_TALK,
    TALK_DAYS,
    Age,
    Answers,
    Append,
    BundleRow,
    GameRow,
    Listing,
    Orders,
    Peers,
    TalkRow,
)
from ..tables.shared_peers import SharedPeers
from ..tables.uptime import Run
from . import administration, driver
from .checkpoints import Checkpoints
from .exchange import PostgresExchange
from .migrate import SchemaUnknown, upgrade
from .outbox import DatabaseOutbox
from .removal import delete_old
from .schema import bundles, games, leases, log, runs, tables, talk
from .writing import LoopWriting, ThreadWriting, Work, Writing

DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}
T = TypeVar("T")
logger = logging.getLogger("deadwood.server")
PATIENCE = 5.0  # seconds for any call
_FOR_LOCKS = 0.8  # of that, SQLite may wait for another connection: then it can still say so
CLOSING = 1.0  # seconds to close the writing connection, and as many for the reading ones
_PER_SECOND = 1_000_000  # numbers of lines
_TALK_FOR = TALK_DAYS * 86_400 * _PER_SECOND
MOST_AT_ONCE = 500  # entries to decode; more would hold up everybody else
MOST_CHARACTERS = 200_000  # of them together: an entry may hold a deck
FEW_COMMITS = 100  # between two beats: then there is time to move what is in SQLite's WAL into the file itself
_ERASE_WAIT = 50  # milliseconds for which writers may be held up
_ERASE_TRIES, _ERASE_PAUSE = 40, 0.25  # seconds
MOST_RUNS = 10_000  # runs that are remembered: a year of restarts every hour
# PostgreSQL ends a transaction that is idle for this many milliseconds: others wait for its locks
_UNFROZEN = {"idle_in_transaction_session_timeout": "1500"}
Key = tuple[str, int]  # of an entry: its table and its number
Inserted = Any  # sqlite.Insert | postgresql.Insert, which have the same methods but no common type


_decode_line = msgspec.json.Decoder(TalkLine).decode
_WATCHERS_TALK = talk.c.line.contains('"voice":"')  # inside a text, JSON would escape the quotes


def _older_talk(channel: ColumnElement[bool]) -> Delete:
    """All but the last lines of a table in a channel."""
    lines = select(talk.c.number).where(talk.c.code == bindparam("of"), channel).order_by(talk.c.number.desc())
    oldest = lines.limit(1).offset(MOST_TALK - 1).scalar_subquery()
    return delete(talk).where(talk.c.code == bindparam("of"), channel, talk.c.number < oldest)


_OLDER_TALK = (_older_talk(_WATCHERS_TALK), _older_talk(~_WATCHERS_TALK))


class DatabaseUnusable(DeadwoodError):
    """The database cannot be opened."""


class DatabaseStore:
    """SQLite or PostgreSQL; they differ in the dialect of INSERT … ON CONFLICT, and in the thread that writes."""

    def __init__(
        self, engine: AsyncEngine, writing: Writing, patience: float, checkpoints: Checkpoints | None = None
    ) -> None:
        self._engine = engine
        self._writing = writing
        self._patience = patience
        self._checkpoints = checkpoints
        self._one_writer = asyncio.Lock()
        self.failures = 0
        self._commits = 0  # since the last beat
        self._insert = sqlite.insert if engine.dialect.name == "sqlite" else postgresql.insert
        self._insert_log: Inserted = self._insert(log).on_conflict_do_nothing().returning(log.c.code, log.c.seq)
        self.outbox = DatabaseOutbox(engine.dialect.name, self._run, self._rows, self._upsert)

    def peers(self) -> Peers:
        """The other processes on the same database; with SQLite there are none."""
        if self._engine.dialect.name == "sqlite":
            return LocalPeers()
        return SharedPeers(PostgresExchange(self._engine), os.urandom)

    @classmethod
    async def open(cls, url: str, patience: float = PATIENCE) -> Self:
        """Connect, and migrate the database to the current schema. No later call takes longer than `patience`."""
        parsed = database_url(url)
        _check_file(parsed)
        engine = _engine(parsed, patience)
        try:
            async with engine.begin() as connection:
                await connection.run_sync(upgrade)
        except Exception as error:
            await engine.dispose()
            if isinstance(error, SchemaUnknown):
                raise
            raise DatabaseUnusable(f"The database cannot be used: {error}") from error
        checkpoints = Checkpoints(Path(str(parsed.database))) if engine.dialect.name == "sqlite" else None
        return cls(engine, _writing(engine, patience), patience, checkpoints)

    async def commit(self, appends: list[Append]) -> list[bool]:
        """Store entries in one transaction; one whose number is taken is left out and does not affect the others.

        Rows are inserted in the order of their keys, so that two processes never deadlock.
        """
        first = _first_of_each_number(appends)
        stored = await self._run(partial(self._write, first))
        return [first[_key(append)] is append and _key(append) in stored for append in appends]

    async def _run(self, work: Work[T]) -> T:
        """Run a transaction on the writing connection. After a timeout, it is unknown whether it was committed."""
        try:
            async with asyncio.timeout(self._patience), self._one_writer:
                await self._connect()
                return await self._transaction(work)
        except TimeoutError as error:
            raise self._late() from error

    async def _transaction(self, work: Work[T]) -> T:
        try:
            return await self._writing.run(work)
        except BaseException as error:
            await self._writing.drop()
            if isinstance(error, Exception):
                self.failures += 1
                raise StoreFailed(f"A commit failed: {first_line(error)}") from error
            raise

    def _late(self) -> StoreGone:
        self.failures += 1
        return StoreGone(f"The database did not answer within {self._patience:g} s.")

    async def administer(self, work: Work[T]) -> T:
        """Run a transaction of an operator. It ends at once, even if it only read: PostgreSQL kills idle ones."""
        return await self._run(partial(_ended, work))

    async def erase(self) -> bool:
        """Remove deleted data from SQLite's WAL. False if somebody, such as a backup, reads it all the time."""
        if self._engine.dialect.name != "sqlite":
            return True
        for _ in range(_ERASE_TRIES):
            if await self._run(_truncate_wal):
                return True
            await asyncio.sleep(_ERASE_PAUSE)
        return False

    async def _connect(self) -> None:
        try:
            await self._writing.connect()
        except Exception as error:
            self.failures += 1
            raise StoreGone(f"There is no connection to the database: {first_line(error)}") from error

    def _write(self, appends: Mapping[Key, Append], connection: Connection) -> set[Key]:
        ordered = self._unfenced(connection, [appends[key] for key in sorted(appends)])
        if not ordered:
            connection.rollback()
            return set()
        rows = [_entry_row(append.entry) for append in ordered]
        stored = self._insert_entries(connection, rows)
        won = [append for append in ordered if _key(append) in stored]
        self._upsert(connection, tables, [append.listing for append in won if append.listing])
        self._upsert(connection, games, [append.game for append in won if append.game])
        self.outbox.write(connection, won)
        connection.commit()
        self._commits += 1
        if self._checkpoints is not None:
            self._checkpoints.count(len(stored))
        return stored

    def _insert_entries(self, connection: Connection, rows: list[dict[str, Any]]) -> set[Key]:
        if connection.dialect.name == "sqlite":
            return driver.insert_entries(connection, rows)
        return {(code, seq) for code, seq in connection.execute(self._insert_log, rows)}

    def _unfenced(self, connection: Connection, appends: list[Append]) -> list[Append]:
        """All but those made under a lease that has ended. Nobody can take over a lease before this is committed."""
        codes = [append.entry.code for append in appends if append.fence]
        if not codes:
            return appends
        numbers = select(leases.c.code, leases.c.number).where(leases.c.code.in_(codes))
        found = connection.execute(numbers.order_by(leases.c.code).with_for_update(read=True))
        valid = {(code, number) for code, number in found}
        return [one for one in appends if not one.fence or (one.entry.code, one.fence) in valid]

    def _upsert(self, connection: Connection, table: Table, rows: Iterable[Struct]) -> None:
        keys = [column.name for column in table.primary_key]
        latest = {tuple(getattr(row, key) for key in keys): structs.asdict(row) for row in rows}
        if latest:
            insert: Inserted = self._insert(table)
            changed = {name: insert.excluded[name] for name in table.c.keys() if name not in keys}  # noqa: SIM118
            upsert = insert.on_conflict_do_update(index_elements=keys, set_=changed)
            connection.execute(upsert, [latest[key] for key in sorted(latest)])

    async def _rows(self, statement: Any) -> Sequence[Any]:
        async def rows(connection: AsyncConnection) -> Sequence[Any]:
            return (await connection.execute(statement)).all()

        return await self._read(rows)

    async def _read(self, work: Callable[[AsyncConnection], Awaitable[T]]) -> T:
        try:
            async with asyncio.timeout(self._patience), self._engine.connect() as connection:
                return await work(connection)
        except TimeoutError as error:
            raise self._late() from error
        except Exception as error:
            self.failures += 1
            raise StoreFailed(f"The database cannot be read: {first_line(error)}") from error

    async def listing(self, code: str) -> Listing | None:
        found = await self._rows(select(tables).where(tables.c.code == code))
        return Listing(*found[0]) if found else None

    async def listings(self, status: Status, before: int | None, limit: int) -> list[Listing]:
        wanted = select(tables).where(tables.c.public, tables.c.status == status)
        if before is not None:
            wanted = wanted.where(tables.c.number < before)
        return [Listing(*row) for row in await self._rows(wanted.order_by(tables.c.number.desc()).limit(limit))]

    async def entries(self, code: str, first: int, last: int | None = None) -> list[Entry]:
        wanted = select(log).where(log.c.code == code, log.c.seq >= first)
        if last is not None:
            wanted = wanted.where(log.c.seq <= last)
        found = await self._rows(wanted.order_by(log.c.seq))
        try:
            return await asyncio.to_thread(_entries, found, first) if _is_much(found) else _entries(found, first)
        except ServerRefused as error:
            logger.error("the log of table %s: %s", code, error)
            raise

    async def games(self, code: str, before: int | None, limit: int) -> list[GameRow]:
        wanted = select(games).where(games.c.code == code)
        if before is not None:
            wanted = wanted.where(games.c.number < before)
        return [GameRow(*row) for row in await self._rows(wanted.order_by(games.c.number.desc()).limit(limit))]

    async def game(self, code: str, number: int) -> GameRow | None:
        found = await self._rows(select(games).where(games.c.code == code, games.c.number == number))
        return GameRow(*found[0]) if found else None

    async def answers(self, code: str, before: int) -> Answers:
        wanted = select(log.c.by, log.c.command, log.c.seq)
        lately = (log.c.seq < before) & (log.c.seq >= before - MOST_ANSWERS)
        found = await self._rows(wanted.where(log.c.code == code, lately, log.c.command != ""))
        return {(by, command): seq for by, command, seq in found}

    async def due(self, now: float, limit: int) -> list[Listing]:
        wanted = select(tables).where(tables.c.due <= now).order_by(tables.c.due).limit(limit)
        return [Listing(*row) for row in await self._rows(wanted)]

    async def postpone(self, listing: Listing, since: float, due: float) -> None:
        same = (tables.c.code == listing.code) & (tables.c.since == listing.since) & (tables.c.due == listing.due)
        await self._run(_committing(update(tables).where(same).values(since=since, due=due)))

    async def runs(self) -> list[Run]:
        found = await self._rows(select(runs).order_by(runs.c.started.desc()).limit(MOST_RUNS))
        if len(found) == MOST_RUNS:
            await self._run(_committing(delete(runs).where(runs.c.started < found[-1].started)))
        return [Run(*row) for row in found]

    async def beat(self, run: Run) -> None:
        await self._run(partial(self._beat, run))
        if self._commits < FEW_COMMITS and self._checkpoints is not None:
            self._checkpoints.start()
        self._commits = 0

    def _beat(self, run: Run, connection: Connection) -> None:
        self._upsert(connection, runs, [run])
        connection.execute(delete(talk).where(talk.c.number < round(run.alive * _PER_SECOND) - _TALK_FOR))
        administration.forget_expired(connection, run.alive)
        connection.commit()

    async def talk(self, code: str) -> list[TalkRow]:
        found = await self._rows(select(talk).where(talk.c.code == code).order_by(talk.c.number))
        return [TalkRow(row.code, row.command, _decode_line(row.line)) for row in found]

    async def keep_talk(self, rows: list[TalkRow]) -> None:
        await self._run(partial(self._keep_talk, rows))

    def _keep_talk(self, rows: list[TalkRow], connection: Connection) -> None:
        connection.execute(self._insert(talk).on_conflict_do_nothing(), [_talk_row(row) for row in rows])
        for older in _OLDER_TALK:
            connection.execute(older, [{"of": code} for code in sorted({row.code for row in rows})])
        connection.commit()

    async def forget_talk(self, code: str, number: int) -> None:
        await self._run(_committing(delete(talk).where(talk.c.code == code, talk.c.number <= number)))

    async def forget_names(self, code: str, names: Collection[str]) -> None:
        numbers = [row.line.number for row in await self.talk(code) if row.line.name in names]
        await self._run(_committing(delete(talk).where(talk.c.code == code, talk.c.number.in_(numbers))))

    async def bundle(self, id: str) -> BundleRow | None:
        found = await self._rows(select(bundles).where(bundles.c.id == id))
        return BundleRow(*found[0]) if found else None

    async def swap_bundle(self, row: BundleRow) -> bool:
        return await self._run(partial(self._swap_bundle, row))

    def _swap_bundle(self, row: BundleRow, connection: Connection) -> bool:
        new = structs.asdict(row)
        before = (bundles.c.id == row.id) & (bundles.c.version == row.version - 1)
        swap = update(bundles).where(before).values(new) if row.version > 1 else self._first_bundle(new)
        stored = connection.execute(swap.returning(bundles.c.id)).first() is not None
        connection.commit()
        return stored

    def _first_bundle(self, new: dict[str, Any]) -> Inserted:
        return self._insert(bundles).values(new).on_conflict_do_nothing()

    async def use_bundle(self, id: str, used: float) -> None:
        await self._run(_committing(update(bundles).where(bundles.c.id == id).values(used=used)))

    async def drop_bundle(self, id: str) -> None:
        await self._run(_committing(delete(bundles).where(bundles.c.id == id)))

    async def orders(self, now: float) -> Orders:
        return await self._read(lambda connection: connection.run_sync(administration.orders, now))

    async def delete_old(self, age: Age, now: float, limit: int) -> list[str]:
        return await self._run(delete_old(age, now, limit))

    async def close(self) -> None:
        if self._checkpoints is not None:
            self._checkpoints.close()
        for close in (self._writing.close, self._engine.dispose):
            with suppress(Exception):  # do not wait for a database that does not answer
                async with asyncio.timeout(CLOSING):
                    await close()


def _is_much(rows: Sequence[Any]) -> bool:
    return len(rows) > MOST_AT_ONCE or sum(len(row.body) for row in rows) > MOST_CHARACTERS


def _entries(rows: Sequence[Any], first: int) -> list[Entry]:
    """Entries without a gap, or a refusal."""
    if [row.seq for row in rows] != list(range(first, first + len(rows))):
        raise refuse("log_unreadable")
    return [Entry(row.code, row.seq, row.at, row.by, row.command, decode_body(row.body)) for row in rows]


def _committing(statement: Any) -> Work[None]:
    def run(connection: Connection) -> None:
        connection.execute(statement)
        connection.commit()

    return run


def _ended(work: Work[T], connection: Connection) -> T:
    found = work(connection)
    connection.rollback()
    return found


def _truncate_wal(connection: Connection) -> bool:
    """Whether it was possible. While it waits for readers it holds the lock of writers, so it gives up soon."""
    patience = connection.exec_driver_sql("PRAGMA busy_timeout").scalar()
    connection.exec_driver_sql(f"PRAGMA busy_timeout={_ERASE_WAIT}")
    busy = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    connection.exec_driver_sql(f"PRAGMA busy_timeout={patience}")
    connection.commit()
    return not busy


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


def _key(append: Append) -> Key:
    return append.entry.code, append.entry.seq


def _first_of_each_number(appends: Iterable[Append]) -> dict[Key, Append]:
    first: dict[Key, Append] = {}
    for append in appends:
        first.setdefault(_key(append), append)
    return first


def _talk_row(row: TalkRow) -> dict[str, Any]:
    line = msgspec.json.encode(row.line).decode()
    return {"code": row.code, "number": row.line.number, "command": row.command, "line": line}


def _entry_row(entry: Entry) -> dict[str, Any]:
    return {
        "code": entry.code,
        "seq": entry.seq,
        "at": entry.at,
        "by": entry.by,
        "command": entry.command,
        "body": encode_body(entry.body).decode(),
    }
