"""One suite for every store: SQLite, PostgreSQL, and the one in memory that the simulation uses.

Holds `server.store.connections`, `server.store.driver`, `server.tables.log` and `server.tables.ports`.
"""

import contextlib
import sqlite3

from sqlalchemy import text

from deadwood.server.store import database
from deadwood.server.store.administration import REMEMBERED, Ban, ban, finished_games
from deadwood.server.store.database import DatabaseStore
from deadwood.server.store.removal import delete_table
from deadwood.server.tables.ports import MOST_ANSWERS, Append, GameRow, Listing

from ..people import together
from .changes import BODIES, CODE, OTHER, change, entry, opened


@together
async def test_every_kind_of_entry_comes_back_as_it_was(opening):
    async with opened(opening()) as store:
        lines = [entry(seq, body, command=f"c{seq}", by=seq) for seq, body in enumerate(BODIES, 1)]
        assert await store.commit([Append(line) for line in lines]) == [True] * len(lines)
        assert await store.entries(CODE, 1) == lines
        assert await store.entries(CODE, 3, 5) == lines[2:5]
        assert await store.entries(OTHER, 1) == []


@together
async def test_public_tables_are_listed_in_pages(opening):
    async with opened(opening()) as store:
        codes = [f"C{number:07}" for number in range(10)]
        for number, code in enumerate(codes):
            status = "running" if number == 4 else "waiting"
            listing = Listing(code, 100 + number, number != 2, status, "{}")
            await store.commit([Append(entry(1, code=code), listing)])
        first = await store.listings("waiting", None, 5)
        assert [one.number for one in first] == [109, 108, 107, 106, 105]
        assert [one.number for one in await store.listings("waiting", 105, 5)] == [103, 101, 100]
        assert [one.number for one in await store.listings("running", None, 5)] == [104]


@together
async def test_games_are_listed_the_latest_first(opening):
    async with opened(opening()) as store:
        for number in range(1, 6):
            await store.commit([Append(entry(number), None, GameRow(CODE, number, number))])
        assert [game.number for game in await store.games(CODE, None, 3)] == [5, 4, 3]
        assert [game.number for game in await store.games(CODE, 3, 3)] == [2, 1]


@together
async def test_commands_are_found_again(opening):
    async with opened(opening()) as store:
        await store.commit([change(1, command="a", by=1), change(2, command="a", by=2), change(3), change(4, by=2)])
        await store.commit([change(5, command="b", by=1)])
        assert await store.answers(CODE, 5) == {(1, "a"): 1, (2, "a"): 2}
        assert await store.answers("K7RM4TXC", 5) == {}


@together
async def test_commands_of_long_ago_are_forgotten(opening):
    """Nobody repeats them any more, and a table that has been used for years would take long to wake."""
    async with opened(opening()) as store:
        await store.commit([change(seq, command=f"c{seq}", by=1) for seq in range(1, 6)])
        assert await store.answers(CODE, MOST_ANSWERS + 4) == {(1, "c4"): 4, (1, "c5"): 5}


@together
async def test_a_reopened_store_has_what_was_committed(opening):
    async with opened(opening()) as store:
        assert await store.commit([change(1)]) == [True]
    async with opened(opening()) as store:
        assert len(await store.entries(CODE, 1)) == 1
        assert await store.commit([change(1)]) == [False]


@together
async def test_reading_as_an_operator_leaves_no_transaction_open(postgres_url):
    """PostgreSQL ends a connection that stays in a transaction without a word, as during a long export."""
    async with opened(DatabaseStore.open(postgres_url)) as store:
        await store.administer(finished_games(("", 0), 10))
        async with store._engine.connect() as other:
            ours = "datname = current_database() AND state = 'idle in transaction'"
            idle = text(f"SELECT count(*) FROM pg_stat_activity WHERE {ours}")
            assert await other.scalar(idle) == 0


@together
async def test_erasing_gives_way_to_a_reader_and_holds_up_no_writer(tmp_path, sqlite_url, monkeypatch):
    monkeypatch.setattr(database, "_ERASE_TRIES", 2)
    async with opened(DatabaseStore.open(sqlite_url, patience=600.0)) as store:
        await store.commit([Append(entry(1))])
        with contextlib.closing(sqlite3.connect(tmp_path / "games.sqlite3")) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM log").fetchone()
            await store.commit([Append(entry(2))])
            assert not await store.erase()
            assert await store.commit([Append(entry(3))]) == [True]
        assert await store.erase()
        assert (tmp_path / "games.sqlite3-wal").stat().st_size == 0


@together
async def test_expired_bans_and_deleted_tables_go(sqlite_url):
    async with opened(DatabaseStore.open(sqlite_url)) as store:
        await store.administer(ban(Ban("203.0.113.9", "", 0.0, 10.0)))
        await store.administer(ban(Ban("203.0.113.10", "", 0.0, None)))
        await store.commit([Append(entry(1), Listing(CODE, 1, True, "open", "{}"))])
        await store.administer(delete_table(CODE, 0.0))
        await store.tidy(REMEMBERED - 1)
        assert len(await rows(store, "bans")) == 1
        assert len(await rows(store, "log")) > 0
        await store.tidy(REMEMBERED + 1)
        assert await rows(store, "log") == []
        assert await rows(store, "touched") == []


async def rows(store, table):
    async with store._engine.connect() as connection:
        return (await connection.execute(text(f"SELECT * FROM {table}"))).all()
