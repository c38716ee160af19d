"""What people said at tables, on SQLite or PostgreSQL."""

from collections.abc import Collection
from functools import partial
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Delete, bindparam, delete, select

from ..protocol.talk import TalkLine
from ..tables.ports import MOST_TALK, TALK_DAYS, TalkRow
from .connections import Connections
from .schema import talk
from .statements import INSERT, committing

_PER_SECOND = 1_000_000  # numbers of lines
_TALK_FOR = TALK_DAYS * 86_400 * _PER_SECOND
_decode_line = msgspec.json.Decoder(TalkLine).decode
_SPECTATORS_TALK = talk.c.line.contains('"voice":"')  # inside a text, JSON would escape the quotes


def _older(channel: ColumnElement[bool]) -> Delete:
    """All but the last lines of a table in a channel."""
    lines = select(talk.c.number).where(talk.c.code == bindparam("of"), channel).order_by(talk.c.number.desc())
    oldest = lines.limit(1).offset(MOST_TALK - 1).scalar_subquery()
    return delete(talk).where(talk.c.code == bindparam("of"), channel, talk.c.number < oldest)


_OLDER = (_older(_SPECTATORS_TALK), _older(~_SPECTATORS_TALK))


def expire(connection: Connection, now: float, most: int) -> int:
    """Delete some lines that are too old, in a transaction of the connection; returns how many."""
    old = talk.c.number < round(now * _PER_SECOND) - _TALK_FOR
    last = connection.scalar(select(talk.c.number).where(old).order_by(talk.c.number).offset(most - 1).limit(1))
    return connection.execute(delete(talk).where(old if last is None else talk.c.number <= last)).rowcount


class DatabaseTalk:
    """Part of a store, whose connections it uses."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    async def lines(self, code: str) -> list[TalkRow]:
        found = await self._connections.rows(select(talk).where(talk.c.code == code).order_by(talk.c.number))
        return [TalkRow(row.code, row.command, _decode_line(row.line)) for row in found]

    async def keep(self, rows: list[TalkRow]) -> None:
        await self._connections.write(partial(_keep, rows))

    async def forget(self, code: str, number: int) -> None:
        await self._connections.write(committing(delete(talk).where(talk.c.code == code, talk.c.number <= number)))

    async def forget_names(self, code: str, names: Collection[str]) -> None:
        numbers = [row.line.number for row in await self.lines(code) if row.line.name in names]
        theirs = delete(talk).where(talk.c.code == code, talk.c.number.in_(numbers))
        await self._connections.write(committing(theirs))


def _keep(rows: list[TalkRow], connection: Connection) -> None:
    insert = INSERT[connection.dialect.name](talk).on_conflict_do_nothing()
    connection.execute(insert, [_row(row) for row in rows])
    for older in _OLDER:
        connection.execute(older, [{"of": code} for code in sorted({row.code for row in rows})])
    connection.commit()


def _row(row: TalkRow) -> dict[str, Any]:
    line = msgspec.json.encode(row.line).decode()
    return {"code": row.code, "number": row.line.number, "command": row.command, "line": line}
