"""One suite for every store: SQLite, PostgreSQL, and the one in memory that the simulation uses."""

import asyncio
import contextlib
import shutil
import sqlite3
import sys
import threading

import pytest
from sqlalchemy import text

from deadwood.extras import ExtraMissing
from deadwood.server.protocol.talk import TalkLine
from deadwood.server.store import database
from deadwood.server.store.administration import REMEMBERED, Ban, ban, finished_games
from deadwood.server.store.database import DatabaseStore, DatabaseUnusable
from deadwood.server.store.removal import delete_table
from deadwood.server.tables.log import decode_body
from deadwood.server.tables.ports import (
    MOST_ANSWERS,
    MOST_TALK,
    TALK_DAYS,
    Append,
    BundleRow,
    GameRow,
    Listing,
    TalkRow,
)
from deadwood.server.tables.uptime import Run

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
async def test_what_operators_read_leaves_no_transaction_open(postgres_url):
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
async def test_expired_bans_and_deleted_tables_go_with_a_heartbeat(sqlite_url):
    async with opened(DatabaseStore.open(sqlite_url)) as store:
        await store.administer(ban(Ban("203.0.113.9", "", 0.0, 10.0)))
        await store.administer(ban(Ban("203.0.113.10", "", 0.0, None)))
        await store.commit([Append(entry(1), Listing(CODE, 1, True, "open", "{}"))])
        await store.administer(delete_table(CODE, 0.0))
        await store.beat(Run("a", 0.0, REMEMBERED - 1))
        assert len(await rows(store, "bans")) == 1
        assert len(await rows(store, "log")) > 0
        await store.beat(Run("a", 0.0, REMEMBERED + 1))
        assert await rows(store, "log") == []
        assert await rows(store, "touched") == []


async def rows(store, table):
    async with store._engine.connect() as connection:
        return (await connection.execute(text(f"SELECT * FROM {table}"))).all()


@together
async def test_a_long_log_is_decoded_beside_the_event_loop(sqlite_url, monkeypatch):
    """Anybody at a table can make its log long by voting for and against something all day."""
    threads = set()

    def noting(body):
        threads.add(threading.current_thread())
        return decode_body(body)

    monkeypatch.setattr(database, "decode_body", noting)
    async with opened(DatabaseStore.open(sqlite_url)) as store:
        lines = [entry(seq) for seq in range(1, database.MOST_AT_ONCE + 2)]
        await store.commit([Append(line) for line in lines])
        assert await store.entries(CODE, 1) == lines
        assert threading.main_thread() not in threads
        assert await store.entries(CODE, 2) == lines[1:]
        assert threading.main_thread() in threads


@together
async def test_a_number_is_taken_once(opening):
    async with opened(opening()) as store:
        assert await store.commit([change(1, command="first")]) == [True]
        assert await store.commit([change(1, command="second"), change(2)]) == [False, True]
        assert [line.command for line in await store.entries(CODE, 1)] == ["first", ""]


@together
async def test_of_two_in_one_commit_the_first_gets_the_number(opening):
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
async def test_a_log_with_much_in_it_is_decoded_beside_the_event_loop(sqlite_url, monkeypatch):
    """An entry may hold a deck."""
    monkeypatch.setattr(database, "MOST_CHARACTERS", 10)
    main = []
    monkeypatch.setattr(
        database, "decode_body", lambda body: main.append(threading.current_thread()) or decode_body(body)
    )
    async with opened(DatabaseStore.open(sqlite_url)) as store:
        await store.commit([change(1)])
        await store.entries(CODE, 1)
    assert threading.main_thread() not in main


def line(number, code=CODE, text="Howdy 🤠"):
    return TalkRow(code, f"c{number}", TalkLine(number=number, name="Zoë", chair=1, text=text))


@together
async def test_the_last_lines_of_a_table_are_kept_until_they_are_deleted(opening):
    async with opened(opening()) as store:
        others = TalkRow(OTHER, "x", TalkLine(number=7, name="Bo", voice="ab12", reaction="mug"))
        rows = [line(number) for number in range(1, MOST_TALK + 8)]
        await store.keep_talk([others, *rows[:50]])
        assert await store.talk(CODE) == rows[:50]
        await store.keep_talk(rows[50:])
        assert await store.talk(CODE) == rows[-MOST_TALK:]
        await store.forget_talk(CODE, MOST_TALK)
        assert await store.talk(CODE) == rows[MOST_TALK:]
        assert await store.talk(OTHER) == [others]


@together
async def test_players_and_those_who_watch_have_lines_of_their_own(opening):
    async with opened(opening()) as store:
        said = TalkRow(CODE, "x", TalkLine(number=1, name="Bo", chair=1, text='"voice":"ab12"'))
        watched = [
            TalkRow(CODE, f"c{number}", TalkLine(number=number, name="Zoë", voice="ab12", text="Howdy"))
            for number in range(2, MOST_TALK + 5)
        ]
        await store.keep_talk([said, *watched])
        assert await store.talk(CODE) == [said, *watched[-MOST_TALK:]]
        await store.forget_names(CODE, {"Zoë"})
        assert await store.talk(CODE) == [said]


@together
async def test_no_line_is_kept_for_longer_than_a_month(opening):
    """Even if nobody ever says anything again."""
    async with opened(opening()) as store:
        month = TALK_DAYS * 86_400
        await store.keep_talk([line(1_000_000), line(5_000_000, OTHER)])
        await store.beat(Run("a", 0.0, month + 3.0))
        assert await store.talk(CODE) == []
        assert [row.line.number for row in await store.talk(OTHER)] == [5_000_000]


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


@together
async def test_a_reopened_store_has_what_was_committed(opening):
    async with opened(opening()) as store:
        assert await store.commit([change(1)]) == [True]
    async with opened(opening()) as store:
        assert len(await store.entries(CODE, 1)) == 1
        assert await store.commit([change(1)]) == [False]


@together
async def test_a_bundle_is_swapped_only_for_the_version_before(opening):
    async with opened(opening()) as store:
        first, second = BundleRow("a" * 64, 1, "one", 5.5), BundleRow("a" * 64, 2, "two", 6.5)
        assert await store.bundle(first.id) is None
        assert not await store.swap_bundle(second)
        assert await store.swap_bundle(first)
        assert not await store.swap_bundle(BundleRow("a" * 64, 1, "late", 9.0))
        assert not await store.swap_bundle(BundleRow("a" * 64, 3, "early", 9.0))
        assert await store.bundle(first.id) == first
        assert await store.swap_bundle(second)
        await store.use_bundle(first.id, 7.5)
        assert await store.swap_bundle(BundleRow("b" * 64, 1, "other", 1.5))
        assert await store.bundle(first.id) == BundleRow("a" * 64, 2, "two", 7.5)
        await store.drop_bundle(first.id)
        assert await store.bundle(first.id) is None
        assert await store.bundle("b" * 64) is not None


@together
async def test_of_many_swaps_at_once_one_succeeds(opening):
    async with opened(opening()) as store:
        for version in (1, 2):
            rows = [BundleRow("a" * 64, version, f"{number}", 1.0) for number in range(8)]
            assert sum(await asyncio.gather(*map(store.swap_bundle, rows))) == 1


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
