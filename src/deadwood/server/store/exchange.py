"""The exchange on PostgreSQL: LISTEN and NOTIFY on a separate connection, and who has which lease."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from typing import Any, TypeVar

from sqlalchemy import Float, cast, delete, exists, extract, func, or_, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from ...phrases import first_line
from ..protocol.refusals import StoreFailed
from .schema import leases, log, server_keys, servers, tables

PATIENCE = 2.0  # seconds for any call: less than a life, after which others take over
FORGOTTEN = 3600.0  # seconds after which an ended process without leases is deleted
T = TypeVar("T")

_NOW = cast(extract("epoch", func.clock_timestamp()), Float)  # all processes go by the database's clock
_LIVING = select(servers.c.id).where(servers.c.until > _NOW)
_CHANNEL = "channel"  # in `server_keys`
_NOTIFY = text("SELECT pg_notify(:channel, letter) FROM unnest(CAST(:letters AS text[])) AS letter")
_LATEST = select(func.max(log.c.seq)).where(log.c.code == tables.c.code).scalar_subquery()


class PostgresExchange:
    """One connection that commits every statement, so that it never waits for entries, nor entries for it.

    PostgreSQL lets every role that can connect listen and send on any channel whose name it knows. So the name is
    random, and only roles that can read our database tables know it.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._connection: AsyncConnection | None = None
        self._driver: Any = None
        self._channel = ""
        self._one_at_a_time = asyncio.Lock()

    async def open(self, receive: Callable[[str], None]) -> None:
        await self.close()
        await self._limited(self._open, receive)

    async def _open(self, receive: Callable[[str], None]) -> None:
        self._connection = await self._engine.connect()
        await self._connection.execution_options(isolation_level="AUTOCOMMIT")
        self._driver = (await self._connection.get_raw_connection()).driver_connection
        await self._run(insert(server_keys).values(name=_CHANNEL, value=_new_channel()).on_conflict_do_nothing())
        found = await self._run(select(server_keys.c.value).where(server_keys.c.name == _CHANNEL))
        self._channel = found[0].value
        await self._driver.add_listener(self._channel, lambda _connection, _pid, _channel, letter: receive(letter))

    async def send(self, texts: Collection[str]) -> None:
        await self._execute(_NOTIFY, {"channel": self._channel, "letters": list(texts)})

    async def enter(self, server: str, before: str, seconds: float) -> None:
        await self._execute(insert(servers).values(id=server, until=_NOW + seconds))
        await self.part(before)
        idle = ~exists().where(leases.c.owner == servers.c.id)
        await self._execute(delete(servers).where(servers.c.until < _NOW - FORGOTTEN, idle))

    async def renew(self, server: str, seconds: float) -> bool:
        alive = update(servers).where(servers.c.id == server, servers.c.until > _NOW)
        return bool(await self._execute(alive.values(until=_NOW + seconds).returning(servers.c.id)))

    async def living(self) -> set[str]:
        return {row.id for row in await self._execute(_LIVING)}

    async def part(self, server: str) -> None:
        await self._execute(update(servers).where(servers.c.id == server).values(until=0.0))

    async def claim(self, server: str, codes: Collection[str]) -> dict[str, int]:
        if not codes:
            return {}
        held = leases.c.owner.in_(_LIVING) & (leases.c.owner != server)
        taken = await self._execute(select(leases.c.code).where(leases.c.code.in_(codes), held))
        free = sorted(set(codes).difference(row.code for row in taken))
        return await self._claim(server, free) if free else {}

    async def _claim(self, server: str, codes: list[str]) -> dict[str, int]:
        """Another process may be quicker, so the condition is checked again with the row locked."""
        new = insert(leases)
        free = or_(leases.c.owner == server, leases.c.owner == "", leases.c.owner.not_in(_LIVING))
        changed = {"owner": server, "number": leases.c.number + 1}
        claim = new.on_conflict_do_update(index_elements=["code"], set_=changed, where=free)
        rows = [{"code": code, "owner": server, "number": 1} for code in codes]
        found = await self._execute(claim.returning(leases.c.code, leases.c.number), rows)
        return {row.code: row.number for row in found}

    async def release(self, server: str, codes: Collection[str]) -> None:
        own = leases.c.code.in_(codes) & (leases.c.owner == server)
        await self._execute(update(leases).where(own).values(owner=""))

    async def fence(self, server: str, code: str) -> int | None:
        own = select(leases.c.number).where(leases.c.code == code, leases.c.owner == server)
        return next((row.number for row in await self._execute(own)), None)

    async def orphans(self, limit: int) -> list[str]:
        """In any order, so that several processes share them."""
        ended = leases.join(servers, servers.c.id == leases.c.owner)
        lost = select(leases.c.code).select_from(ended).where(servers.c.until <= _NOW)
        return [row.code for row in await self._execute(lost.order_by(func.random()).limit(limit))]

    async def latest(self, codes: Collection[str]) -> dict[str, int]:
        found = await self._execute(select(tables.c.code, _LATEST.label("seq")).where(tables.c.code.in_(codes)))
        return {row.code: row.seq for row in found}

    async def close(self) -> None:
        """Disconnect at once: a frozen database would not answer."""
        connection, driver = self._connection, self._driver
        self._connection = self._driver = None
        with suppress(Exception):
            if driver is not None:
                driver.terminate()
            if connection is not None:
                await connection.invalidate()
                await connection.close()

    async def _execute(self, statement: Any, *values: Any) -> list[Any]:
        return await self._limited(self._run, statement, *values)

    async def _run(self, statement: Any, *values: Any) -> list[Any]:
        if self._connection is None:
            raise StoreFailed("There is no connection to the other processes.")
        result = await self._connection.execute(statement, *values)
        return list(result.all()) if result.returns_rows else []

    async def _limited(self, work: Callable[..., Awaitable[T]], *given: Any) -> T:
        async with self._one_at_a_time:
            try:
                async with asyncio.timeout(PATIENCE):
                    return await work(*given)
            except BaseException as error:
                await self.close()
                if isinstance(error, StoreFailed) or not isinstance(error, Exception):
                    raise
                raise StoreFailed(f"The exchange of processes failed: {first_line(error)}") from error


def _new_channel() -> str:
    return f"deadwood_{secrets.token_hex(16)}"
