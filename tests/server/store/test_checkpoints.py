"""The contents of SQLite's WAL move into the file itself while commits go on."""

import asyncio
import contextlib
import shutil
import sqlite3
from pathlib import Path

from sqlalchemy import text

from deadwood.server.store import checkpoints
from deadwood.server.store.checkpoints import Checkpoints
from deadwood.server.store.database import DatabaseStore

from ..people import together
from .changes import change, opened


def wal_of(url):
    return Path(url.removeprefix("sqlite:///") + "-wal")


def entries_in_the_file_alone(url, tmp_path):
    copy = shutil.copy(url.removeprefix("sqlite:///"), tmp_path / "copy")
    with contextlib.closing(sqlite3.connect(copy)) as connection:
        return connection.execute("SELECT count(*) FROM log").fetchone()[0]


@together
async def test_no_commit_makes_a_checkpoint_itself(sqlite_url, tmp_path):
    async with opened(DatabaseStore.open(sqlite_url)) as store:
        await asyncio.wrap_future(store._checkpoints.start())
        await store.commit([change(seq) for seq in range(1, 500)])
        after = await store.administer(lambda connection: connection.scalar(text("PRAGMA wal_autocheckpoint")))
        assert (after, entries_in_the_file_alone(sqlite_url, tmp_path)) == (0, 0)


@together
async def test_after_enough_entries_the_file_has_them(sqlite_url, tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoints, "MOST_ENTRIES", 20)
    async with opened(DatabaseStore.open(sqlite_url)) as store:
        await store.commit([change(seq) for seq in range(1, 20)])
        assert store._checkpoints._last is None
        await store.commit([change(20)])
        await asyncio.wrap_future(store._checkpoints._last)
        assert entries_in_the_file_alone(sqlite_url, tmp_path) == 20


@together
async def test_the_wal_is_written_from_its_beginning_again(sqlite_url):
    async with opened(DatabaseStore.open(sqlite_url)) as store:
        await store.commit([change(seq) for seq in range(1, 500)])
        size = wal_of(sqlite_url).stat().st_size
        await asyncio.wrap_future(store._checkpoints.start())
        await store.commit([change(500)])
        assert wal_of(sqlite_url).stat().st_size == size


@together
async def test_a_long_wal_gives_its_space_back(sqlite_url, monkeypatch):
    monkeypatch.setattr(checkpoints, "MOST_BYTES", 1_000)
    async with opened(DatabaseStore.open(sqlite_url)) as store:
        await store.commit([change(seq) for seq in range(1, 500)])
        await asyncio.wrap_future(store._checkpoints.start())
        assert wal_of(sqlite_url).stat().st_size == 0


@together
async def test_commits_go_on_while_a_reader_holds_up_a_checkpoint(sqlite_url, monkeypatch):
    monkeypatch.setattr(checkpoints, "_PATIENCE", 0.0)
    async with opened(DatabaseStore.open(sqlite_url)) as store:
        await store.commit([change(1)])
        async with store._engine.connect() as reader:
            await reader.exec_driver_sql("BEGIN")
            assert (await reader.execute(text("SELECT count(*) FROM log"))).scalar() == 1
            await store.commit([change(2)])
            await asyncio.wrap_future(store._checkpoints.start())
            assert await store.commit([change(3)]) == [True]
            assert (await reader.execute(text("SELECT count(*) FROM log"))).scalar() == 1


def test_a_checkpoint_that_fails_is_logged(tmp_path, caplog):
    failing = Checkpoints(tmp_path / "no folder" / "x")
    failing.start().result()
    failing.close()
    assert "a checkpoint failed: unable to open database file" in caplog.text
