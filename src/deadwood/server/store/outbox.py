"""The outbox on SQLite or PostgreSQL: notices that wait, and where to send them."""

from collections.abc import Iterable
from functools import partial
from typing import Any

from msgspec import structs
from sqlalchemy import Connection, and_, delete, func, select, tuple_, update

from ..tables.ports import Append, Subscription, Unsent
from . import driver
from .connections import Connections
from .schema import outbox, server_keys, subscriptions
from .statements import INSERT, committing, upsert


def write_notices(connection: Connection, appends: Iterable[Append]) -> None:
    """Write the notices of entries in their transaction. Most tables have no subscriptions: one query finds out."""
    appends = [one for one in appends if one.notices or one.given_up]
    if not appends:
        return
    codes = {one.entry.code for one in appends}
    if connection.dialect.name == "sqlite" and not driver.any_subscribed(connection, codes):
        return
    found = connection.execute(select(subscriptions).where(subscriptions.c.code.in_(codes)))
    asked = [Subscription(*row) for row in found]
    if asked:
        for append in appends:
            _give_up(connection, append)
        upsert(connection, outbox, [one for append in appends for one in _unsent(append, asked)])


def _give_up(connection: Connection, append: Append) -> None:
    for table in (subscriptions, outbox) if append.given_up else ():
        chairs = and_(table.c.code == append.entry.code, table.c.chair.in_(append.given_up))
        connection.execute(delete(table).where(chairs))


def _unsent(append: Append, asked: Iterable[Subscription]) -> Iterable[Unsent]:
    by_holder: dict[tuple[str, int, str], list[Subscription]] = {}
    for one in asked:
        by_holder.setdefault((one.code, one.chair, one.holder), []).append(one)
    for notice in append.notices:
        for one in by_holder.get((notice.code, notice.chair, notice.holder), ()):
            yield Unsent(one.id, notice.code, notice.chair, notice.kind, notice.tag, notice.at, notice.due)


class DatabaseOutbox:
    """Notices that wait in a store; it uses the connections of the store."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    async def subscribe(self, subscription: Subscription, most: int) -> bool:
        return await self._connections.write(partial(_subscribe, subscription, most))

    async def unsubscribe(self, id: str) -> None:
        forgotten = delete(subscriptions).where(subscriptions.c.id == id)
        unsent = delete(outbox).where(outbox.c.subscription == id)
        await self._connections.write(committing(forgotten, unsent))

    async def subscription(self, id: str) -> Subscription | None:
        found = await self._connections.rows(select(subscriptions).where(subscriptions.c.id == id))
        return Subscription(*found[0]) if found else None

    async def subscriptions(self, code: str, chair: int) -> list[Subscription]:
        own = select(subscriptions).where(subscriptions.c.code == code, subscriptions.c.chair == chair)
        found = await self._connections.rows(own.order_by(subscriptions.c.asked, subscriptions.c.id))
        return [Subscription(*row) for row in found]

    async def redirect(self, was: str, target: str, keys: str) -> int:
        return await self._connections.write(partial(_redirect, was, target, keys))

    async def due(self, now: float, limit: int) -> list[Unsent]:
        wanted = select(outbox).where(outbox.c.due <= now).order_by(outbox.c.due).limit(limit)
        return [Unsent(*row) for row in await self._connections.rows(wanted)]

    async def reschedule(self, unsent: Unsent, due: float, attempts: int) -> bool:
        return await self._connections.write(partial(_reschedule, unsent, due, attempts))

    async def settle(self, unsent: Unsent) -> None:
        await self._connections.write(committing(delete(outbox).where(_is(unsent))))

    async def forget(self, asked_before: float) -> None:
        await self._connections.write(committing(delete(subscriptions).where(subscriptions.c.asked < asked_before)))

    async def size(self) -> int:
        return int((await self._connections.rows(select(func.count()).select_from(outbox)))[0][0])

    async def key(self, name: str, made: str) -> str:
        return await self._connections.write(partial(_key, name, made))


def _subscribe(new: Subscription, most: int, connection: Connection) -> bool:
    own = and_(subscriptions.c.code == new.code, subscriptions.c.chair == new.chair)
    connection.execute(delete(subscriptions).where(own, subscriptions.c.holder != new.holder))
    same = connection.scalar(select(subscriptions.c.id).where(own, subscriptions.c.target == new.target))
    count = connection.scalar(select(func.count()).select_from(subscriptions).where(own)) or 0
    allowed = same is not None or count < most
    if allowed:
        upsert(connection, subscriptions, [structs.replace(new, id=same or new.id)])
    connection.commit()
    return allowed


def _redirect(was: str, target: str, keys: str, connection: Connection) -> int:
    """Change the address. A chair that has the new one already keeps only one of the two."""
    old = and_(subscriptions.c.target == was, subscriptions.c.kind == "push")
    there = select(subscriptions.c.code, subscriptions.c.chair).where(subscriptions.c.target == target)
    doubled = tuple_(subscriptions.c.code, subscriptions.c.chair).in_(there)
    if was != target:
        connection.execute(delete(subscriptions).where(old, doubled))
    moved = connection.execute(update(subscriptions).where(old).values(target=target, keys=keys))
    connection.commit()
    return moved.rowcount


def _reschedule(unsent: Unsent, due: float, attempts: int, connection: Connection) -> bool:
    same = and_(_is(unsent), outbox.c.due == unsent.due, outbox.c.attempts == unsent.attempts)
    changed = connection.execute(update(outbox).where(same).values(due=due, attempts=attempts))
    connection.commit()
    return changed.rowcount == 1


def _key(name: str, made: str, connection: Connection) -> str:
    insert = INSERT[connection.dialect.name](server_keys)
    connection.execute(insert.values(name=name, value=made).on_conflict_do_nothing())
    found: str = connection.execute(select(server_keys.c.value).where(server_keys.c.name == name)).scalar_one()
    connection.commit()
    return found


def _is(unsent: Unsent) -> Any:
    """A condition for exactly this notice, not for one that has replaced it: after an undo, a turn comes again."""
    return and_(outbox.c.subscription == unsent.subscription, outbox.c.tag == unsent.tag, outbox.c.at == unsent.at)
