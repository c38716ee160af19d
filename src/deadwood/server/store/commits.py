"""Commits: entries, and everything that is stored with them, in one transaction."""

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import Connection, select
from sqlalchemy.dialects import postgresql

from ..tables.ports import Append
from . import driver
from .checkpoints import Checkpoints
from .entries import entry_row
from .outbox import write_notices
from .schema import games, leases, log, tables
from .statements import upsert

FEW_COMMITS = 100  # between two heartbeats: a quiet moment, in which SQLite's WAL can be checkpointed
Key = tuple[str, int]  # of an entry: its table and its number
_INSERT_LOG = postgresql.insert(log).on_conflict_do_nothing().returning(log.c.code, log.c.seq)


def key_of(append: Append) -> Key:
    """Which number of which table an entry wants."""
    return append.entry.code, append.entry.seq


def first_of_each_number(appends: Iterable[Append]) -> dict[Key, Append]:
    """The first of the entries that want the same number."""
    first: dict[Key, Append] = {}
    for append in appends:
        first.setdefault(key_of(append), append)
    return first


class Commits:
    """Writes entries in the transaction of a connection. This is the hot path of a server."""

    def __init__(self, checkpoints: Checkpoints | None) -> None:
        self._checkpoints = checkpoints
        self._since_beat = 0

    def write(self, appends: Mapping[Key, Append], connection: Connection) -> set[Key]:
        """Write entries and commit. Returns those whose numbers were free.

        Rows are inserted in the order of their keys, so that two processes never deadlock.
        """
        ordered = unfenced(connection, [appends[key] for key in sorted(appends)])
        if not ordered:
            connection.rollback()
            return set()
        stored = _insert(connection, [entry_row(append.entry) for append in ordered])
        won = [append for append in ordered if key_of(append) in stored]
        upsert(connection, tables, [append.listing for append in won if append.listing])
        upsert(connection, games, [append.game for append in won if append.game])
        write_notices(connection, won)
        connection.commit()
        self._since_beat += 1
        if self._checkpoints is not None:
            self._checkpoints.count(len(stored))
        return stored

    def beat(self) -> None:
        """Begin a checkpoint, if there were few commits since the last beat."""
        if self._since_beat < FEW_COMMITS and self._checkpoints is not None:
            self._checkpoints.start()
        self._since_beat = 0


def _insert(connection: Connection, rows: list[dict[str, Any]]) -> set[Key]:
    if connection.dialect.name == "sqlite":
        return driver.insert_entries(connection, rows)
    return {(code, seq) for code, seq in connection.execute(_INSERT_LOG, rows)}


def unfenced(connection: Connection, appends: list[Append]) -> list[Append]:
    """All but those made under a lease that has ended. Nobody can take over a lease before this is committed."""
    codes = [append.entry.code for append in appends if append.fence]
    if not codes:
        return appends
    numbers = select(leases.c.code, leases.c.number).where(leases.c.code.in_(codes))
    found = connection.execute(numbers.order_by(leases.c.code).with_for_update(read=True))
    valid = {(code, number) for code, number in found}
    return [one for one in appends if not one.fence or (one.entry.code, one.fence) in valid]
