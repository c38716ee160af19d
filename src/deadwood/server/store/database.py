"""The store on SQLite or PostgreSQL, with SQLAlchemy."""

import asyncio
import os
from functools import partial
from pathlib import Path
from typing import Self, TypeVar

from sqlalchemy import Connection, delete, select, update

from ..metrics import Counters
from ..protocol.views import Status
from ..tables.local_peers import LocalPeers
from ..tables.log import Entry
from ..tables.ports import MOST_ANSWERS, Age, Answers, Append, GameRow, Listing, Orders, Peers
from ..tables.shared_peers import SharedPeers
from ..tables.uptime import Run
from . import administration, removal
from .bundles import DatabaseBundles
from .checkpoints import Checkpoints
from .commits import Commits, first_of_each_number, key_of
from .connections import Connections
from .entries import decoded
from .exchange import PostgresExchange
from .opening import PATIENCE, connect
from .outbox import DatabaseOutbox
from .schema import games, log, runs, tables
from .statements import committing, upsert
from .talk import DatabaseTalk
from .tidying import REST, SLICES, tidy_some
from .writing import Work

T = TypeVar("T")
_ERASE_WAIT = 50  # milliseconds for which writers may be held up
_ERASE_TRIES, _ERASE_PAUSE = 40, 0.25  # seconds
MOST_RUNS = 10_000  # runs that are remembered: a year of restarts every hour


class DatabaseStore:
    """SQLite or PostgreSQL; they differ in the dialect of INSERT … ON CONFLICT, and in the thread that writes."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._engine = connections.engine
        self._is_sqlite = self._engine.dialect.name == "sqlite"
        self._checkpoints = Checkpoints(Path(str(self._engine.url.database))) if self._is_sqlite else None
        self._commits = Commits(self._checkpoints)
        self.outbox = DatabaseOutbox(connections)
        self.talk = DatabaseTalk(connections)
        self.bundles = DatabaseBundles(connections)

    @classmethod
    async def open(cls, url: str, patience: float = PATIENCE, *, migrates: bool = True) -> Self:
        """Connect, and migrate the database to the current schema. No later call takes longer than `patience`."""
        return cls(await connect(url, patience, migrates))

    @property
    def failures(self) -> int:
        return self._connections.failures

    def peers(self, counters: Counters) -> Peers:
        """The other processes on the same database; with SQLite there are none."""
        return LocalPeers() if self._is_sqlite else SharedPeers(PostgresExchange(self._engine), os.urandom, counters)

    async def close(self) -> None:
        if self._checkpoints is not None:
            self._checkpoints.close()
        await self._connections.close()

    # --- tables, their logs and games

    async def commit(self, appends: list[Append]) -> list[bool]:
        """Store entries in one transaction; one whose number is taken is left out and does not affect the others."""
        first = first_of_each_number(appends)
        stored = await self._connections.write(partial(self._commits.write, first))
        return [first[key_of(append)] is append and key_of(append) in stored for append in appends]

    async def listing(self, code: str) -> Listing | None:
        found = await self._connections.rows(select(tables).where(tables.c.code == code))
        return Listing(*found[0]) if found else None

    async def listings(self, status: Status, before: int | None, limit: int) -> list[Listing]:
        wanted = select(tables).where(tables.c.public, tables.c.status == status)
        if before is not None:
            wanted = wanted.where(tables.c.number < before)
        found = await self._connections.rows(wanted.order_by(tables.c.number.desc()).limit(limit))
        return [Listing(*row) for row in found]

    async def entries(self, code: str, first: int, last: int | None = None) -> list[Entry]:
        wanted = select(log).where(log.c.code == code, log.c.seq >= first)
        if last is not None:
            wanted = wanted.where(log.c.seq <= last)
        return await decoded(code, await self._connections.rows(wanted.order_by(log.c.seq)), first)

    async def games(self, code: str, before: int | None, limit: int) -> list[GameRow]:
        wanted = select(games).where(games.c.code == code)
        if before is not None:
            wanted = wanted.where(games.c.number < before)
        found = await self._connections.rows(wanted.order_by(games.c.number.desc()).limit(limit))
        return [GameRow(*row) for row in found]

    async def game(self, code: str, number: int) -> GameRow | None:
        found = await self._connections.rows(select(games).where(games.c.code == code, games.c.number == number))
        return GameRow(*found[0]) if found else None

    async def answers(self, code: str, before: int) -> Answers:
        wanted = select(log.c.by, log.c.command, log.c.seq)
        lately = (log.c.seq < before) & (log.c.seq >= before - MOST_ANSWERS)
        found = await self._connections.rows(wanted.where(log.c.code == code, lately, log.c.command != ""))
        return {(by, command): seq for by, command, seq in found}

    async def due(self, now: float, limit: int) -> list[Listing]:
        wanted = select(tables).where(tables.c.due <= now).order_by(tables.c.due).limit(limit)
        return [Listing(*row) for row in await self._connections.rows(wanted)]

    async def postpone(self, listing: Listing, since: float, due: float) -> None:
        same = (tables.c.code == listing.code) & (tables.c.since == listing.since) & (tables.c.due == listing.due)
        await self._connections.write(committing(update(tables).where(same).values(since=since, due=due)))

    # --- the runs of servers

    async def runs(self) -> list[Run]:
        found = await self._connections.rows(select(runs).order_by(runs.c.started.desc()).limit(MOST_RUNS))
        if len(found) == MOST_RUNS:
            await self._connections.write(committing(delete(runs).where(runs.c.started < found[-1].started)))
        return [Run(*row) for row in found]

    async def beat(self, run: Run) -> None:
        await self._connections.write(partial(_beat, run))
        self._commits.beat()

    # --- operators

    async def orders(self, now: float) -> Orders:
        return await self._connections.read(lambda connection: connection.run_sync(administration.orders, now))

    async def delete_old(self, age: Age, now: float, limit: int) -> list[str]:
        if age.keys is not None:
            await self._connections.write_beside(removal.delete_unused_keys(age.keys))
        if age.unstarted is age.finished is None:
            return []
        old = await self._connections.read(lambda connection: connection.run_sync(removal.old_tables(age, limit)))
        return [code for code in old if await self._connections.write_beside(removal.delete_if_old(code, age, now))]

    async def tidy(self, now: float) -> bool:
        for _ in range(SLICES):
            if not await self._connections.write_beside(partial(tidy_some, now)):
                return False
            await asyncio.sleep(REST)
        return True

    async def administer(self, work: Work[T]) -> T:
        """Run a transaction of an operator. It ends at once, even if it only read: PostgreSQL kills idle ones."""
        return await self._connections.write(partial(_ended, work))

    async def erase(self) -> bool:
        """Remove deleted data from SQLite's WAL. False if somebody, such as a backup, reads it all the time."""
        if not self._is_sqlite:
            return True
        for _ in range(_ERASE_TRIES):
            if await self._connections.write(_truncate_wal):
                return True
            await asyncio.sleep(_ERASE_PAUSE)
        return False


def _beat(run: Run, connection: Connection) -> None:
    upsert(connection, runs, [run])
    connection.commit()


def _ended(work: Work[T], connection: Connection) -> T:
    found = work(connection)
    connection.rollback()
    return found


def _truncate_wal(connection: Connection) -> bool:
    """Truncate the WAL; False if somebody was reading. It blocks writers while it waits, so it gives up soon."""
    patience = connection.exec_driver_sql("PRAGMA busy_timeout").scalar()
    connection.exec_driver_sql(f"PRAGMA busy_timeout={_ERASE_WAIT}")
    busy, *_ = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()
    connection.exec_driver_sql(f"PRAGMA busy_timeout={patience}")
    connection.commit()
    return not busy
