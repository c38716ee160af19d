"""Migrations bring a database to the schema that the code declares.

Holds `server.store.schema`.
"""

import asyncio

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from deadwood.server.store.database import DatabaseStore
from deadwood.server.store.migrate import configuration
from deadwood.server.store.schema import metadata

from ..people import together
from .changes import change, opened


@together
async def test_migrations_make_the_schema_of_the_code(database):
    async with opened(DatabaseStore.open(database)) as store, store._engine.connect() as connection:
        differing = await connection.run_sync(lambda sync: compare_metadata(MigrationContext.configure(sync), metadata))
        assert differing == []


@together
async def test_servers_that_start_at_the_same_moment_migrate_once(postgres_url):
    for store in await asyncio.gather(*(DatabaseStore.open(postgres_url) for _ in range(4))):
        await store.close()


@together
async def test_migrations_go_back_and_forth(database):
    async with opened(DatabaseStore.open(database)) as store, store._engine.begin() as connection:
        await connection.run_sync(lambda sync: command.downgrade(configuration(sync), "base"))
    async with opened(DatabaseStore.open(database)) as store:
        assert await store.commit([change(1)]) == [True]
