"""The statements of every commit, sent straight to SQLite's driver: SQLAlchemy takes up to four times as long."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import closing
from sqlite3 import Connection as Driver
from typing import Any

from sqlalchemy import Connection

from .schema import log, subscriptions

_COLUMNS = [column.name for column in log.c]
_INSERT = f"""INSERT INTO {log.name} ({", ".join(f'"{name}"' for name in _COLUMNS)})
    VALUES ({", ".join(f":{name}" for name in _COLUMNS)}) ON CONFLICT DO NOTHING"""


def insert_entries(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> set[tuple[str, int]]:
    """Add rows to the log in a transaction of the connection, and say whose number was free."""
    if not connection.in_transaction():
        connection.begin()  # for SQLAlchemy; the driver begins with the first row
    with closing(_driver(connection).cursor()) as cursor:  # an open one would keep a lock after a failure
        return {(row["code"], row["seq"]) for row in rows if cursor.execute(_INSERT, row).rowcount}


def any_subscribed(connection: Connection, codes: Collection[str]) -> bool:
    """Whether anybody wants notices from one of these tables."""
    statement = f"SELECT 1 FROM {subscriptions.name} WHERE code IN ({', '.join('?' * len(codes))}) LIMIT 1"
    with closing(_driver(connection).cursor()) as cursor:
        return cursor.execute(statement, [*codes]).fetchone() is not None


def _driver(connection: Connection) -> Driver:
    driver = connection.connection.driver_connection
    assert isinstance(driver, Driver)
    return driver
