"""What operators read from a database and tell servers, as transactions for `DatabaseStore.administer`.

A server reads `touched`, `bans` and `switches` every few seconds. If an operator changed a table, it reads that log
again. It would find out anyway: the change is an entry of the log, with the number that the server needs next.
"""

import secrets
from typing import Any

from msgspec import Struct
from sqlalchemy import Connection, and_, delete, func, insert, or_, select, text, tuple_

from ..protocol.views import Status
from ..tables.ports import MOST_CHANGES, GameRow, Listing, Orders
from .schema import bans, games, log, metadata, switches, tables, touched
from .writing import Work

REMEMBERED = 86_400.0  # seconds for which servers can learn that a table was changed or deleted
MOST_BANS = 10_000
READ_ONLY = "read_only"
# of a table, whatever the length of its log
last_at = select(log.c.at).where(log.c.code == tables.c.code).order_by(log.c.seq.desc()).limit(1).scalar_subquery()
_SIZES = {
    "sqlite": text("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"),
    "postgresql": text("SELECT pg_database_size(current_database())"),
}


class TableRow(Struct, frozen=True):
    """A table, how many entries its log has, and when the last one was made."""

    listing: Listing
    entries: int
    last: float


class Ban(Struct, frozen=True):
    """A banned address or network; the ban may end at a set time."""

    network: str
    reason: str
    since: float
    until: float | None


class Storage(Struct, frozen=True):
    """How many rows every database table has, and the tables with the longest logs."""

    rows: dict[str, int]
    by_status: dict[str, int]
    longest: tuple[tuple[str, int], ...]


# --- lists and sizes


def finished_games(after: tuple[str, int], limit: int) -> Work[list[GameRow]]:
    """Finished games of all tables, in order, starting after this one."""
    wanted = select(games).where(games.c.summary.is_not(None), tuple_(games.c.code, games.c.number) > after)
    page = wanted.order_by(games.c.code, games.c.number).limit(limit)
    return lambda connection: [GameRow(*row) for row in connection.execute(page)]


def listed_tables(status: Status | None, limit: int, before: float | None = None) -> Work[list[TableRow]]:
    """Tables with the length of their logs, the newest first.

    With a moment, only tables where nothing has happened since then, those that have been idle longest first.
    """
    logs = select(log.c.code, func.count().label("entries"), func.max(log.c.at).label("last")).group_by(log.c.code)
    wanted = select(tables).limit(limit)
    wanted = (
        wanted.order_by(tables.c.number.desc()) if before is None else wanted.where(last_at < before).order_by(last_at)
    )
    if status is not None:
        wanted = wanted.where(tables.c.status == status)
    found = wanted.subquery()
    sizes = logs.where(log.c.code.in_(select(found.c.code))).subquery()
    rows_of = select(found, sizes.c.entries, sizes.c.last).join(sizes, sizes.c.code == found.c.code)
    in_order = rows_of.order_by(found.c.number.desc() if before is None else sizes.c.last)

    def run(connection: Connection) -> list[TableRow]:
        rows = connection.execute(in_order).all()
        return [TableRow(Listing(*row[:-2]), row[-2], row[-1]) for row in rows]

    return run


def codes_after(code: str, limit: int) -> Work[list[str]]:
    """The codes of tables, in order, starting after this one."""
    wanted = select(tables.c.code).where(tables.c.code > code).order_by(tables.c.code).limit(limit)
    return lambda connection: list(connection.scalars(wanted))


def storage(connection: Connection) -> Storage:
    """What fills the database."""
    names = sorted(metadata.tables)
    rows = {name: connection.scalar(select(func.count()).select_from(metadata.tables[name])) or 0 for name in names}
    statuses = connection.execute(select(tables.c.status, func.count()).group_by(tables.c.status))
    longest = select(log.c.code, func.count()).group_by(log.c.code).order_by(func.count().desc(), log.c.code).limit(5)
    return Storage(rows, dict(map(tuple, statuses)), tuple(map(tuple, connection.execute(longest))))


def size(connection: Connection) -> int:
    """The bytes of the database; of SQLite, without its WAL."""
    found = connection.scalar(_SIZES[connection.dialect.name])
    connection.rollback()  # a server keeps the connection
    return found or 0


# --- orders for servers


def orders(connection: Connection, now: float) -> Orders:
    """What a server must know."""
    latest = select(touched).order_by(touched.c.at.desc()).limit(MOST_CHANGES)
    changes = {row.id: row.code for row in connection.execute(latest)}
    banned = connection.scalars(select(bans.c.network).where(_holds(now)).limit(MOST_BANS))
    read_only = connection.scalar(select(switches.c.name).where(switches.c.name == READ_ONLY))
    return Orders(changes, tuple(banned), read_only is not None)


def touch(connection: Connection, code: str, now: float) -> None:
    """Let servers know that a table was changed."""
    connection.execute(insert(touched).values(id=secrets.token_hex(8), code=code, at=now))


def forget_bans(connection: Connection, now: float) -> None:
    """Forget bans that have ended."""
    connection.execute(delete(bans).where(~_holds(now)))


def touch_table(code: str, now: float) -> Work[None]:
    """`touch` as a transaction."""

    def run(connection: Connection) -> None:
        touch(connection, code, now)
        connection.commit()

    return run


def set_read_only(on: bool, now: float) -> Work[None]:
    """Make servers read-only, or let them change tables again."""

    def run(connection: Connection) -> None:
        connection.execute(delete(switches).where(switches.c.name == READ_ONLY))
        if on:
            connection.execute(insert(switches).values(name=READ_ONLY, since=now))
        connection.commit()

    return run


def ban(new: Ban) -> Work[bool]:
    """Ban a network, or change its ban; False if there are too many bans already."""

    def run(connection: Connection) -> bool:
        connection.execute(delete(bans).where(or_(bans.c.network == new.network, ~_holds(new.since))))
        free = (connection.scalar(select(func.count()).select_from(bans)) or 0) < MOST_BANS
        if free:
            values = {"network": new.network, "reason": new.reason, "since": new.since, "until": new.until}
            connection.execute(insert(bans).values(values))
        connection.commit()
        return free

    return run


def unban(network: str) -> Work[bool]:
    """Lift a ban. Returns False if the network was not banned."""

    def run(connection: Connection) -> bool:
        lifted = connection.execute(delete(bans).where(bans.c.network == network)).rowcount > 0
        connection.commit()
        return lifted

    return run


def banned(now: float) -> Work[list[Ban]]:
    """All bans in force."""
    wanted = select(bans).where(_holds(now)).order_by(bans.c.since)
    return lambda connection: [Ban(*row) for row in connection.execute(wanted)]


def _holds(now: float) -> Any:
    return or_(bans.c.until.is_(None), and_(bans.c.until.is_not(None), bans.c.until > now))
