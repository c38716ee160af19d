"""Deleting tables and forgetting people, whether a server is running or not.

Each operation adds its own entry to the log, with the number that a running server would take next. Only one of the
two can have it: either the server loses, and reads the log again, or we lose, and retry.
"""

from collections.abc import Callable
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Select, and_, delete, func, or_, select, update

from ...engine.seats import compared_name
from ..protocol.refusals import StoreFailed
from ..protocol.talk import TalkLine
from ..tables.forgetting import NAMING, Naming, Rename, forgetting, people, renamed
from ..tables.listing import NUMBERS_PER_SECOND
from ..tables.log import Deleted, Rewritten, decode_body, encode_body
from ..tables.ports import Age
from ..tables.summaries import rename_game, rename_table
from .administration import last_at, touch
from .schema import bundles, games, log, outbox, subscriptions, tables, talk
from .statements import INSERT, committing
from .tidying import remember_deletion
from .writing import Work

_MOST_KEYS = 1_000  # to delete in one transaction
_TRIES = 10  # to take a number before a server does; more than one is rare
_decode_line = msgspec.json.Decoder(TalkLine).decode


class NumbersTaken(StoreFailed):
    """A server was quicker, again and again."""


def delete_table(code: str, now: float) -> Work[bool]:
    """Delete a table and everything about it. Returns False if there was no such table."""

    def run(connection: Connection) -> bool:
        found = connection.scalar(select(tables.c.code).where(tables.c.code == code)) is not None
        if found:
            _retry(lambda: _delete(connection, code, _last(connection, code), now))
        connection.commit()
        return found

    return run


def delete_unused_keys(before: float) -> Work[None]:
    """Delete some of the keys that nobody has used since then."""
    unused = select(bundles.c.id).where(bundles.c.used < before).limit(_MOST_KEYS)
    return committing(delete(bundles).where(bundles.c.id.in_(unused)))


def old_tables(age: Age, limit: int) -> Work[list[str]]:
    """The codes of tables that are too old."""
    return lambda connection: list(connection.scalars(_old(age).limit(limit)))


def delete_if_old(code: str, age: Age, now: float) -> Work[bool]:
    """Delete a table if it is old. If somebody starts a game meanwhile, they take the number that our entry needs."""

    def run(connection: Connection) -> bool:
        last = _last(connection, code)
        is_old = connection.scalar(_old(age).where(tables.c.code == code)) is not None
        deleted = is_old and _delete(connection, code, last, now)
        connection.commit()
        return deleted

    return run


def forget_person(name: str, code: str, now: float) -> Work[str | None]:
    """Give a person at a table another name, and forget what they said and where they get notices; returns that name.

    For somebody who only watched and talked, it is "". None if nobody at this table ever had the old name.
    """

    def run(connection: Connection) -> str | None:
        sat = forgetting(name, _naming(connection, code).values()) is not None
        if not sat and not _said(connection, code, [], name):
            return None
        _retry(lambda: _append(connection, code, _last(connection, code), Rewritten(), now))
        if connection.scalar(select(tables.c.code).where(tables.c.code == code)) is None:  # deleted just before
            connection.rollback()
            return None
        bodies = _naming(connection, code)  # read again, now that no server can add any
        rename = forgetting(name, bodies.values())
        chairs = [] if rename is None else _rename_everywhere(connection, code, bodies, rename)
        said = _said(connection, code, chairs, name)
        connection.execute(delete(talk).where(talk.c.code == code, talk.c.number.in_(said)))
        for table in (subscriptions, outbox):
            connection.execute(delete(table).where(table.c.code == code, table.c.chair.in_(chairs)))
        touch(connection, code, now)
        connection.commit()
        return "" if rename is None else rename(name)

    return run


# --- deleting


def _delete(connection: Connection, code: str, last: int, now: float) -> bool:
    """Delete a table whose last entry has this number; False if there is a later one.

    Nobody can see or change it from now on. Its entries are emptied later, because there may be very many (`tidying`).
    All numbers stay taken for a day: a process that is far behind must not get one of them.
    """
    if not _append(connection, code, last, Deleted(), now):
        return False
    for table in (tables, games, talk, subscriptions, outbox):
        connection.execute(delete(table).where(table.c.code == code))
    remember_deletion(connection, code, last, now)
    touch(connection, code, now)
    return True


def _old(age: Age) -> Select[Any]:
    """Tables that are too old: no game is running there, and nothing has happened for too long."""
    played = select(games.c.code).where(games.c.code == tables.c.code, games.c.summary.is_not(None)).exists()
    waiting, finished = tables.c.status == "waiting", tables.c.status == "finished"
    conditions = []
    if age.unstarted is not None:
        conditions.append(and_(waiting, ~played, _opened_before(age.unstarted), last_at < age.unstarted))
    if age.finished is not None:
        over = or_(finished, and_(waiting, played))
        conditions.append(and_(over, _opened_before(age.finished), last_at < age.finished))
    return select(tables.c.code).where(or_(*conditions)).order_by(tables.c.number)


def _opened_before(moment: float) -> ColumnElement[bool]:
    """Whether a table was opened before a moment. An index answers this, so newer tables cost nothing."""
    return tables.c.number < round(moment * NUMBERS_PER_SECOND)


# --- forgetting


def _naming(connection: Connection, code: str) -> dict[int, Naming]:
    """The entries of a table that hold names, by their numbers."""
    wanted = select(log.c.seq, log.c.body).where(log.c.code == code)
    naming = wanted.where(or_(*(log.c.body.startswith(start) for start in NAMING))).order_by(log.c.seq)
    found = ((row.seq, decode_body(row.body)) for row in connection.execute(naming))
    return {seq: body for seq, body in found if isinstance(body, Naming)}


def _rename_everywhere(connection: Connection, code: str, bodies: dict[int, Naming], rename: Rename) -> list[int]:
    """Replace a name in the log and in the lists; returns the chairs of those who had it."""
    _rename_log(connection, code, bodies, rename)
    _rename_lists(connection, code, rename)
    return [id for id, known in people(bodies.values()).items() if rename(known) != known]


def _rename_log(connection: Connection, code: str, bodies: dict[int, Naming], rename: Rename) -> None:
    for seq, body in bodies.items():
        new = renamed(body, rename)
        if new != body:
            entry = and_(log.c.code == code, log.c.seq == seq)
            connection.execute(update(log).where(entry).values(body=encode_body(new).decode()))


def _rename_lists(connection: Connection, code: str, rename: Rename) -> None:
    for row in connection.execute(select(tables).where(tables.c.code == code)).all():
        summary = rename_table(row.summary, rename)
        connection.execute(update(tables).where(tables.c.code == code).values(summary=summary))
    for row in connection.execute(select(games).where(games.c.code == code, games.c.summary.is_not(None))).all():
        own = and_(games.c.code == code, games.c.number == row.number)
        connection.execute(update(games).where(own).values(summary=rename_game(row.summary, rename)))


def _said(connection: Connection, code: str, chairs: list[int], name: str) -> list[int]:
    """The numbers of the lines that chairs, or people with a name, have said."""
    lines = map(_decode_line, connection.scalars(select(talk.c.line).where(talk.c.code == code)))
    wanted = compared_name(name)
    return [line.number for line in lines if line.chair in chairs or compared_name(line.name) == wanted]


# --- numbers


def _append(connection: Connection, code: str, last: int, body: Rewritten | Deleted, now: float) -> bool:
    """Add an entry after the one with this number; False if a server was quicker."""
    insert = INSERT[connection.dialect.name](log)
    entry = {"code": code, "seq": last + 1, "at": now, "by": 0, "command": "", "body": encode_body(body).decode()}
    return connection.execute(insert.values(entry).on_conflict_do_nothing().returning(log.c.seq)).first() is not None


def _last(connection: Connection, code: str) -> int:
    return connection.scalar(select(func.max(log.c.seq)).where(log.c.code == code)) or 0


def _retry(attempt: Callable[[], bool]) -> None:
    if not any(attempt() for _ in range(_TRIES)):
        raise NumbersTaken("The table is too busy to be changed; try again.")
