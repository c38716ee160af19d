"""Which databases can be opened, what is said of the others, and how durable they are."""

import sys

import pytest
from sqlalchemy import text

from deadwood.extras import ExtraMissing
from deadwood.server.store.database import DatabaseStore
from deadwood.server.store.opening import DatabaseUnusable

from ..people import together
from .changes import opened


@together
async def test_a_new_sqlite_file_is_for_nobody_else(sqlite_url, tmp_path):
    """It holds the seeds of running games."""
    async with opened(DatabaseStore.open(sqlite_url)):
        assert {file.name: file.stat().st_mode & 0o077 for file in tmp_path.glob("games.sqlite3*")} == {
            "games.sqlite3": 0,
            "games.sqlite3-shm": 0,
            "games.sqlite3-wal": 0,
        }


@together
async def test_sqlite_is_durable(sqlite_url):
    async with opened(DatabaseStore.open(sqlite_url)) as store, store._engine.connect() as connection:
        found = [
            (await connection.execute(text(f"PRAGMA {name}"))).scalar() for name in ("journal_mode", "synchronous")
        ]
        assert found == ["wal", 2]  # 2 is FULL


@pytest.mark.parametrize("url", ["mysql://x", "no url", "sqlite:////no/such/folder/x.db", "postgresql://127.0.0.1:1/x"])
@together
async def test_the_refusal_of_an_unusable_database_says_why(url):
    with pytest.raises(DatabaseUnusable, match=r"use|URL"):
        await DatabaseStore.open(url)


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:"])
@together
async def test_a_database_in_memory_is_refused(url):
    with pytest.raises(DatabaseUnusable, match="lost with the server"):
        await DatabaseStore.open(url)


@together
async def test_a_file_that_is_not_a_database_is_refused(tmp_path):
    (tmp_path / "x.db").write_text("This is a text, long enough to be taken for a database. " * 9)
    with pytest.raises(DatabaseUnusable, match="not a database"):
        await DatabaseStore.open(f"sqlite:///{tmp_path}/x.db")


@together
async def test_a_missing_driver_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    with pytest.raises(ExtraMissing, match=r"deadwood-game\[postgres\]"):
        await DatabaseStore.open("postgresql://localhost/x")
