"""Migrations bring a database to the schema that the code declares.

Holds `server.store.schema`.
"""

import asyncio

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from deadwood.server.store.database import DatabaseStore
from deadwood.server.store.migrate import configuration
from deadwood.server.store.opening import database_url
from deadwood.server.store.schema import metadata

from ..commands import run
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


READING = [("admin", "tables"), ("admin", "games", "K7RM4TXC"), ("admin", "storage"), ("admin", "bans"), ("export",)]


@together
@pytest.mark.parametrize("words", READING, ids=" ".join)
@pytest.mark.parametrize(
    ("schema", "sentence"),
    [
        ("0007", "The database has schema 0007, and this version of Deadwood reads schema 0"),
        ("9999", "The database has schema 9999, and this version of Deadwood knows schemas up to 0"),
        (None, "The database is empty; `deadwood serve` prepares it."),
    ],
)
async def test_commands_that_only_read_do_not_migrate(sqlite_url, tmp_path, schema, sentence, words):
    """An older server may be using the database."""
    async with opened(DatabaseStore.open(sqlite_url)) as store, store._engine.begin() as connection:
        await connection.execute(text("DELETE FROM alembic_version"))
        if schema is not None:
            await connection.execute(text(f"INSERT INTO alembic_version VALUES ('{schema}')"))
    given = [tmp_path / "games.zip"] if words == ("export",) else []
    done = await asyncio.to_thread(run, *words, *given, "--database", sqlite_url)
    assert (done.exit_code, sentence in done.output) == (1, True), done.output
    assert await _schema(sqlite_url) == schema


@together
async def test_commands_that_change_something_migrate(sqlite_url):
    async with opened(DatabaseStore.open(sqlite_url)) as store, store._engine.begin() as connection:
        await connection.run_sync(lambda sync: command.downgrade(configuration(sync), "0007"))
    assert (await asyncio.to_thread(run, "admin", "ban", "203.0.113.9", "--database", sqlite_url)).exit_code == 0
    assert await _schema(sqlite_url) == ScriptDirectory.from_config(configuration()).get_current_head()


async def _schema(url):
    engine = create_async_engine(database_url(url))
    async with engine.connect() as connection:
        found = await connection.scalar(text("SELECT version_num FROM alembic_version"))
    await engine.dispose()
    return found
