"""One suite for every store: SQLite, PostgreSQL, and the one in memory that the simulation uses."""

import asyncio
import random
import sys

import pytest
from sqlalchemy import text

from deadwood import Options
from deadwood.extras import ExtraMissing
from deadwood.server.store.database import DatabaseStore, DatabaseUnusable
from deadwood.server.store.rows import Change, GameRow, Listing, StoreFailed, StoreGone
from deadwood.server.store.writer import Writer
from deadwood.server.tables.log import Chair, Chosen, Entry, Left, Opened, Played, Readied, Sat, Started, Undone

from .memory import MemoryStore

CODE, OTHER = "CCCCFFFF", "HHHHJJJJ"
CHAIR = Chair(1, "Zoë 🎬", "red", token="a" * 64, salt="b" * 64)
BODIES = [
    Opened(1, True, Options(days=2, layout="G'M/CH"), "5" * 64, 1, (CHAIR, Chair(2, "Bo", "blue", bot="regular")), 3),
    Sat(CHAIR),
    Left(1, kicked=True),
    Chosen(Options(first="Zoë 🎬")),
    Readied(1, None),
    Started(),
    Played("move saloon", "card 17"),
    Undone(),
]


@pytest.fixture(params=["sqlite", "postgres", "memory"])
def opening(request):
    """How to open a store, again and again."""
    if request.param == "memory":
        store = MemoryStore()
        return lambda: asyncio.sleep(0, store)
    url = request.getfixturevalue(f"{request.param}_url")
    return lambda: DatabaseStore.open(url)


def with_store(opening, work):
    async def run():
        store = await opening()
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(asyncio.wait_for(run(), 60))


def entry(seq, body=BODIES[6], code=CODE, command="", by=0):
    return Entry(code, seq, 1.5, by, command, body)


def change(seq, *args, **more):
    return Change(entry(seq, *args, **more))


def test_every_kind_of_entry_comes_back_as_it_was(opening):
    async def work(store):
        lines = [entry(seq, body, command=f"c{seq}", by=seq) for seq, body in enumerate(BODIES, 1)]
        assert await store.commit([Change(line) for line in lines]) == [True] * len(lines)
        assert await store.entries(CODE, 1) == lines
        assert await store.entries(CODE, 3, 5) == lines[2:5]
        assert await store.entries(OTHER, 1) == []

    with_store(opening, work)


def test_a_number_is_taken_once(opening):
    async def work(store):
        assert await store.commit([change(1, command="first")]) == [True]
        assert await store.commit([change(1, command="second"), change(2)]) == [False, True]
        assert [line.command for line in await store.entries(CODE, 1)] == ["first", ""]

    with_store(opening, work)


def test_of_two_in_one_commit_the_first_has_the_number(opening):
    async def work(store):
        kept = await store.commit([change(1, command="first"), change(1, command="second"), change(1, code=OTHER)])
        assert kept == [True, False, True]
        assert [line.command for line in await store.entries(CODE, 1)] == ["first"]

    with_store(opening, work)


def test_lists_change_with_their_entry_or_not_at_all(opening):
    async def work(store):
        shown = Listing(CODE, 5, True, "waiting", "{}")
        assert await store.commit([Change(entry(1), shown, GameRow(CODE, 1, 1))]) == [True]
        late = Listing(CODE, 5, True, "finished", "{}")
        assert await store.commit([Change(entry(1), late, GameRow(CODE, 1, 1, 9, "{}"))]) == [False]
        assert await store.listing(CODE) == shown
        assert await store.game(CODE, 1) == GameRow(CODE, 1, 1)
        assert await store.commit([Change(entry(2), late, GameRow(CODE, 1, 1, 2, "{}"))]) == [True]
        assert await store.listing(CODE) == late
        assert await store.game(CODE, 1) == GameRow(CODE, 1, 1, 2, "{}")
        assert await store.game(CODE, 2) is None
        assert await store.listing(OTHER) is None

    with_store(opening, work)


def test_public_tables_are_listed_in_pages(opening):
    async def work(store):
        codes = [f"C{number:07}" for number in range(10)]
        for number, code in enumerate(codes):
            status = "running" if number == 4 else "waiting"
            listing = Listing(code, 100 + number, number != 2, status, "{}")
            await store.commit([Change(entry(1, code=code), listing)])
        first = await store.listings("waiting", None, 5)
        assert [one.number for one in first] == [109, 108, 107, 106, 105]
        assert [one.number for one in await store.listings("waiting", 105, 5)] == [103, 101, 100]
        assert [one.number for one in await store.listings("running", None, 5)] == [104]

    with_store(opening, work)


def test_games_are_listed_the_latest_first(opening):
    async def work(store):
        for number in range(1, 6):
            await store.commit([Change(entry(number), None, GameRow(CODE, number, number))])
        assert [game.number for game in await store.games(CODE, None, 3)] == [5, 4, 3]
        assert [game.number for game in await store.games(CODE, 3, 3)] == [2, 1]

    with_store(opening, work)


def test_commands_are_found_again(opening):
    async def work(store):
        await store.commit([change(1, command="a", by=1), change(2, command="a", by=2), change(3), change(4, by=2)])
        await store.commit([change(5, command="b", by=1)])
        assert await store.answers(CODE, 5) == {(1, "a"): 1, (2, "a"): 2}
        assert await store.answers("K7RM4TXC", 5) == {}

    with_store(opening, work)


def test_what_was_kept_is_there_after_opening_again(opening):
    async def write(store):
        await store.ping()
        assert await store.commit([change(1)]) == [True]

    async def read(store):
        assert len(await store.entries(CODE, 1)) == 1
        assert await store.commit([change(1)]) == [False]

    with_store(opening, write)
    with_store(opening, read)


@pytest.mark.parametrize("stores", [1, 2])
def test_many_writers_take_every_number_once(opening, stores):
    """Two writers stand for two processes. They meet at the same numbers, in another order each."""

    async def run():
        opened = [await opening() for _ in range(stores)]
        writers = [Writer(store) for store in opened]
        numbers = [(code, seq, name) for code in (CODE, OTHER) for seq in range(1, 41) for name in "abc"]
        random.Random(1).shuffle(numbers)
        try:
            changes = [change(seq, code=code, command=name) for code, seq, name in numbers]
            kept = await asyncio.gather(*(writers[at % stores].append(one) for at, one in enumerate(changes)))
            won = {(one.entry.code, one.entry.seq): one.entry for one, was in zip(changes, kept, strict=True) if was}
            assert sum(kept) == len(won) == 80
            for code in (CODE, OTHER):
                assert await opened[0].entries(code, 1) == [won[code, seq] for seq in range(1, 41)]
        finally:
            for writer in writers:
                await writer.close()
            for store in opened:
                await store.close()

    asyncio.run(asyncio.wait_for(run(), 60))


def test_what_waits_together_is_committed_together(sqlite_url):
    async def run():
        sizes = []
        store = await DatabaseStore.open(sqlite_url)
        writer = Writer(store, sizes.append)
        assert all(await asyncio.gather(*(writer.append(change(seq)) for seq in range(1, 1201))))
        await writer.close()
        await store.close()
        return sizes

    sizes = asyncio.run(run())
    assert sum(sizes) == 1200
    assert len(sizes) <= 4


def test_closing_a_writer_writes_what_was_handed_in(sqlite_url):
    async def run():
        store = await DatabaseStore.open(sqlite_url)
        writer = Writer(store)
        waiting = [asyncio.create_task(writer.append(change(seq))) for seq in range(1, 50)]
        await asyncio.sleep(0)
        await writer.close()
        assert await asyncio.gather(*waiting) == [True] * 49
        await store.close()

    asyncio.run(run())


def test_a_failed_commit_is_told_and_the_next_one_works(database):
    """An entry that the database cannot take spoils its own commit alone."""

    async def run():
        store = await DatabaseStore.open(database)
        writer = Writer(store)
        with pytest.raises(Exception, match=r".+"):
            await writer.append(change(1, command=None))
        assert await writer.append(change(1)) is True
        await writer.close()
        await store.close()

    asyncio.run(asyncio.wait_for(run(), 60))


def test_a_change_that_cannot_be_kept_does_not_fail_its_neighbours(database):
    async def run():
        store = await DatabaseStore.open(database)
        writer = Writer(store)
        changes = [change(seq, command=None if seq == 2 else "") for seq in range(1, 5)]
        kept = await asyncio.gather(*map(writer.append, changes), return_exceptions=True)
        await writer.close()
        await store.close()
        return kept

    first, failed, *others = asyncio.run(asyncio.wait_for(run(), 60))
    assert isinstance(failed, StoreFailed)
    assert [first, *others] == [True] * 3


def test_without_a_database_nothing_is_tried_one_by_one():
    class Gone(MemoryStore):
        tried = 0

        async def commit(self, changes):
            self.tried += 1
            raise StoreGone("no connection")

    async def run():
        store = Gone()
        writer = Writer(store)
        kept = await asyncio.gather(*(writer.append(change(seq)) for seq in range(1, 9)), return_exceptions=True)
        await writer.close()
        assert [type(one) for one in kept] == [StoreGone] * 8
        assert store.tried == 1

    asyncio.run(asyncio.wait_for(run(), 60))


def test_a_cancelled_append_does_not_end_the_writer(sqlite_url):
    async def run():
        store = await DatabaseStore.open(sqlite_url)
        writer = Writer(store)
        waiting = asyncio.create_task(writer.append(change(1)))
        failing = asyncio.create_task(writer.append(change(2, command=None)))
        await asyncio.sleep(0)
        waiting.cancel()
        failing.cancel()
        async with asyncio.timeout(10):
            assert await writer.append(change(3)) is True
            assert await writer.append(change(1)) is False  # it counts all the same
        await writer.close()
        await store.close()

    asyncio.run(asyncio.wait_for(run(), 60))


def test_sqlite_is_durable(sqlite_url):
    async def run():
        store = await DatabaseStore.open(sqlite_url)
        async with store._engine.connect() as connection:
            found = [
                (await connection.execute(text(f"PRAGMA {name}"))).scalar() for name in ("journal_mode", "synchronous")
            ]
        await store.close()
        return found

    assert asyncio.run(run()) == ["wal", 2]  # 2 is FULL


def test_the_schema_of_the_migrations_is_the_schema_of_the_code(database):
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    from deadwood.server.store.schema import metadata

    async def run():
        store = await DatabaseStore.open(database)
        async with store._engine.connect() as connection:
            found = await connection.run_sync(lambda sync: compare_metadata(MigrationContext.configure(sync), metadata))
        await store.close()
        return found

    assert asyncio.run(run()) == []


def test_migrations_go_back_and_forth(database):
    from alembic import command

    from deadwood.server.store.migrate import configuration

    async def run():
        store = await DatabaseStore.open(database)
        async with store._engine.begin() as connection:
            await connection.run_sync(lambda sync: command.downgrade(configuration(sync), "base"))
        await store.close()
        store = await DatabaseStore.open(database)
        assert await store.commit([change(1)]) == [True]
        await store.close()

    asyncio.run(run())


@pytest.mark.parametrize("url", ["mysql://x", "no url", "sqlite:////no/such/folder/x.db", "postgresql://127.0.0.1:1/x"])
def test_a_database_that_cannot_be_used_is_told(url):
    with pytest.raises(DatabaseUnusable, match=r"use|URL"):
        asyncio.run(DatabaseStore.open(url))


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:"])
def test_a_database_in_memory_is_refused(url):
    with pytest.raises(DatabaseUnusable, match="lost with the server"):
        asyncio.run(DatabaseStore.open(url))


def test_a_file_that_is_no_database_is_told(tmp_path):
    (tmp_path / "x.db").write_text("This is no database, but a text that is long enough to be taken for one. " * 9)
    with pytest.raises(DatabaseUnusable, match="not a database"):
        asyncio.run(DatabaseStore.open(f"sqlite:///{tmp_path}/x.db"))


def test_a_missing_driver_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    with pytest.raises(ExtraMissing, match=r"pip install 'deadwood-game\[postgres\]'"):
        asyncio.run(DatabaseStore.open("postgresql://localhost/x"))
