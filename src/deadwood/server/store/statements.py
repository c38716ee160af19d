"""What the statements of several modules share. SQLite and PostgreSQL differ in INSERT … ON CONFLICT."""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct, structs
from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite

from .writing import Work

Inserted = Any  # sqlite.Insert | postgresql.Insert, which have the same methods but no common type
INSERT: dict[str, Callable[[Table], Inserted]] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}


def upsert(connection: Connection, table: Table, rows: Iterable[Struct]) -> None:
    """Add rows, or update existing ones; if several have the same key, the last one counts."""
    keys = [column.name for column in table.primary_key]
    latest = {tuple(getattr(row, key) for key in keys): structs.asdict(row) for row in rows}
    if latest:
        insert = INSERT[connection.dialect.name](table)
        changed = {name: insert.excluded[name] for name in table.c.keys() if name not in keys}  # noqa: SIM118
        statement = insert.on_conflict_do_update(index_elements=keys, set_=changed)
        connection.execute(statement, [latest[key] for key in sorted(latest)])


def committing(*statements: Any) -> Work[None]:
    """A transaction of these statements."""

    def run(connection: Connection) -> None:
        for statement in statements:
            connection.execute(statement)
        connection.commit()

    return run
