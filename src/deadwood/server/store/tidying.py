"""Tidying: what a server removes bit by bit, so that no transaction is long, however much there is.

A table is deleted at once for everybody, but its log is not. First its entries are emptied; a day later they are
deleted, the last numbers first: as long as the first is taken, nobody can open a table with the same code. A row of
`deletions` says how far that is, so that any process can go on with it.
"""

from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, exists, func, select, update

from ..tables.log import Deleted, encode_body
from .administration import REMEMBERED, forget_bans
from .schema import deletions, leases, log, outbox, subscriptions, tables, talk, touched
from .statements import INSERT
from .talk import expire

SLICE = 2_000  # rows in one transaction
SLICES = 10  # transactions, before others get a turn
REST = 0.01  # seconds between them, in which another process can write to SQLite
_ONE_TABLE = 20  # rows: the price of the statements for one table
_EMPTY = {"by": 0, "command": "", "body": encode_body(Deleted()).decode()}


def tidy_some(now: float, connection: Connection) -> bool:
    """Remove some of what nobody needs any more; whether there may be more."""
    forget_bans(connection, now)
    left = SLICE
    for step in (_empty_logs, expire, _forget_changes, _forget_logs):
        left -= step(connection, now, left) if left > 0 else 0
    connection.commit()
    return left <= 0


def remember_deletion(connection: Connection, code: str, filled: int, at: float) -> None:
    """From now on, a table is being deleted; its entries up to this number are not empty yet."""
    insert = INSERT[connection.dialect.name](deletions)
    connection.execute(insert.values(code=code, at=at, filled=filled).on_conflict_do_nothing())


def _empty_logs(connection: Connection, _now: float, most: int) -> int:
    done = 0
    while done < most and (found := _next(connection, deletions.c.filled > 0, deletions.c.filled)):
        filled = max(0, found.filled - (most - done))
        slice_of = *_gone(found.code), log.c.seq > filled, log.c.seq <= found.filled
        connection.execute(update(log).where(*slice_of).values(_EMPTY))
        connection.execute(update(deletions).where(deletions.c.code == found.code).values(filled=filled))
        done += _ONE_TABLE + found.filled - filled
    return done


def _forget_changes(connection: Connection, now: float, most: int) -> int:
    """Forget changes that all servers have known for a long time. Earlier versions noted deletions only there."""
    wanted = select(touched).where(touched.c.at < now - REMEMBERED).order_by(touched.c.at, touched.c.id).limit(most)
    old = connection.execute(wanted).all()
    if old:
        codes = {row.code: row.at for row in old}
        present = set(connection.scalars(select(tables.c.code).where(tables.c.code.in_(codes))))
        for code in sorted(codes.keys() - present):
            remember_deletion(connection, code, 0, codes[code])
        connection.execute(delete(touched).where(touched.c.id.in_([row.id for row in old])))
    return len(old)


def _forget_logs(connection: Connection, now: float, most: int) -> int:
    done, old = 0, deletions.c.at < now - REMEMBERED
    while done < most and (found := _next(connection, old, deletions.c.at)):
        done += _ONE_TABLE + _forget_log(connection, found.code, most - done)
    return done


def _forget_log(connection: Connection, code: str, most: int) -> int:
    last = connection.scalar(select(func.max(log.c.seq)).where(*_gone(code))) or 0
    left = max(0, last - most)
    connection.execute(delete(log).where(*_gone(code), log.c.seq > left))
    if not left:
        for table in (leases, talk, subscriptions, outbox):  # some may have come in while the table was deleted
            connection.execute(delete(table).where(table.c.code == code, _no_table(code)))
        connection.execute(delete(deletions).where(deletions.c.code == code))
    return last - left


def _next(connection: Connection, wanted: ColumnElement[bool], first: ColumnElement[Any]) -> Any:
    """The deletion to go on with. Other processes wait: they take the same order, so there is no deadlock."""
    return connection.execute(
        select(deletions).where(wanted).order_by(first, deletions.c.code).limit(1).with_for_update()
    ).first()


def _gone(code: str) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    """Entries of a table that is not there, to be on the safe side."""
    return log.c.code == code, _no_table(code)


def _no_table(code: str) -> ColumnElement[bool]:
    """One index look-up for a whole statement. `NOT IN` would read all tables, perhaps once for every entry."""
    return ~exists().where(tables.c.code == code)
