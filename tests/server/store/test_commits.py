"""What one commit stores, in every store: SQLite, PostgreSQL, and the one in memory that the simulation uses."""

import asyncio
import contextlib
import shutil
import sqlite3

from deadwood.server.store.database import DatabaseStore
from deadwood.server.tables.ports import Append, GameRow, Listing
from deadwood.server.tables.uptime import Run

from ..people import together
from .changes import CODE, OTHER, change, entry, opened


@together
async def test_a_number_is_taken_once(opening):
    async with opened(opening()) as store:
        assert await store.commit([change(1, command="first")]) == [True]
        assert await store.commit([change(1, command="second"), change(2)]) == [False, True]
        assert [line.command for line in await store.entries(CODE, 1)] == ["first", ""]


@together
async def test_the_first_of_two_entries_in_a_commit_gets_the_number(opening):
    async with opened(opening()) as store:
        kept = await store.commit([change(1, command="first"), change(1, command="second"), change(1, code=OTHER)])
        assert kept == [True, False, True]
        assert [line.command for line in await store.entries(CODE, 1)] == ["first"]


@together
async def test_lists_change_with_their_entry_or_not_at_all(opening):
    async with opened(opening()) as store:
        shown = Listing(CODE, 5, True, "waiting", "{}")
        assert await store.commit([Append(entry(1), shown, GameRow(CODE, 1, 1))]) == [True]
        late = Listing(CODE, 5, True, "finished", "{}")
        assert await store.commit([Append(entry(1), late, GameRow(CODE, 1, 1, 9, "{}"))]) == [False]
        assert await store.listing(CODE) == shown
        assert await store.game(CODE, 1) == GameRow(CODE, 1, 1)
        assert await store.commit([Append(entry(2), late, GameRow(CODE, 1, 1, 2, "{}"))]) == [True]
        assert await store.listing(CODE) == late
        assert await store.game(CODE, 1) == GameRow(CODE, 1, 1, 2, "{}")
        assert await store.game(CODE, 2) is None
        assert await store.listing(OTHER) is None


@together
async def test_in_quiet_times_an_sqlite_file_holds_everything_itself(sqlite_url, tmp_path):
    """Otherwise a copy of the file without its WAL would hold nothing."""
    async with opened(DatabaseStore.open(sqlite_url)) as store:
        await store.commit([change(seq) for seq in range(1, 8)])
        await store.beat(Run("a", 1.0, 2.0))
        await asyncio.wrap_future(store._checkpoints.start())  # waits for the checkpoint that is running
        copy = shutil.copy(sqlite_url.removeprefix("sqlite:///"), tmp_path / "copy")
        with contextlib.closing(sqlite3.connect(copy)) as connection:
            assert connection.execute("SELECT count(*) FROM log").fetchone() == (7,)
