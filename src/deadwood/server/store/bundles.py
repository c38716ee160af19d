"""What personal keys carry, on SQLite or PostgreSQL."""

from functools import partial

from msgspec import structs
from sqlalchemy import Connection, delete, select, update

from ..tables.ports import BundleRow
from .connections import Connections
from .schema import bundles
from .statements import INSERT, committing


class DatabaseBundles:
    """Part of a store, whose connections it uses."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    async def find(self, id: str) -> BundleRow | None:
        found = await self._connections.rows(select(bundles).where(bundles.c.id == id))
        return BundleRow(*found[0]) if found else None

    async def swap(self, row: BundleRow) -> bool:
        return await self._connections.write(partial(_swap, row))

    async def use(self, id: str, used: float) -> None:
        await self._connections.write(committing(update(bundles).where(bundles.c.id == id).values(used=used)))

    async def drop(self, id: str) -> None:
        await self._connections.write(committing(delete(bundles).where(bundles.c.id == id)))


def _swap(row: BundleRow, connection: Connection) -> bool:
    new = structs.asdict(row)
    before = (bundles.c.id == row.id) & (bundles.c.version == row.version - 1)
    first = INSERT[connection.dialect.name](bundles).values(new).on_conflict_do_nothing()
    swap = update(bundles).where(before).values(new) if row.version > 1 else first
    stored = connection.execute(swap.returning(bundles.c.id)).first() is not None
    connection.commit()
    return stored
