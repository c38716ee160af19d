"""Tables are deleted at once, and their logs bit by bit: nobody waits for it, and any process goes on with it."""

import asyncio

import pytest
from sqlalchemy import event, func, select, text

from deadwood.server.protocol.refusals import ServerRefused, StoreFailed
from deadwood.server.protocol.talk import TalkLine
from deadwood.server.store import tidying
from deadwood.server.store.administration import REMEMBERED, touch
from deadwood.server.store.database import DatabaseStore
from deadwood.server.store.removal import delete_table
from deadwood.server.store.schema import deletions, leases, log, subscriptions, tables, talk, touched
from deadwood.server.tables.log import Deleted, Entry, Readied
from deadwood.server.tables.ports import Age, Append, GameRow, Listing, Subscription, TalkRow
from deadwood.server.tables.sitting import sitting_of
from deadwood.server.tables.uptime import Run

from ..people import PATIENCE, together
from .changes import BODIES, opened

LONG, SHORT, PLAYED = "CCCCFFFF", "HHHHJJJJ", "KKKKLLLL"
OLD = Age(finished=10.0)
NOW = 20.0
LATER = NOW + REMEMBERED + 1


@pytest.fixture
def slices(monkeypatch):
    """Two transactions of ten rows at a time."""
    for name, value in {"SLICE": 10, "_ONE_TABLE": 1, "REST": 0.0}.items():
        monkeypatch.setattr(tidying, name, value)
    for name, value in {"SLICES": 2, "REST": 0.0}.items():
        monkeypatch.setattr(f"deadwood.server.store.database.{name}", value)


async def finished(store, code, entries):
    """A table where nothing has happened for a long time."""
    listing, game = Listing(code, 1, False, "finished", "{}"), GameRow(code, 1, 1, entries, "{}")
    await store.commit([Append(Entry(code, 1, 1.0, 0, "", BODIES[0]), listing, game)])
    await store.commit([Append(Entry(code, seq, 1.0, 1, "x", Readied(1, None))) for seq in range(2, entries + 1)])


def played(seq):
    """What a player does meanwhile at another table."""
    return [Append(Entry(PLAYED, seq, NOW, 1, "x", Readied(1, None)))]


async def count(store, table, *conditions):
    ((found,),) = await store._connections.rows(select(func.count()).select_from(table).where(*conditions))
    return found


async def held(store, code):
    """How many entries still hold what they held."""
    return sum(not isinstance(entry.body, Deleted) for entry in await store.entries(code, 1))


@together
async def test_a_table_is_gone_at_once_and_its_log_bit_by_bit(database, slices):
    async with opened(DatabaseStore.open(database)) as store:
        await finished(store, LONG, 45)
        assert await store.delete_old(OLD, NOW, 50) == [LONG]
        assert (await store.listing(LONG), await store.games(LONG, None, 1)) == (None, [])
        more, left = True, []
        while more:
            more = await store.tidy(NOW)
            left.append(await held(store, LONG))
        assert left == [45 - 20, 45 - 40, 0]
        assert await count(store, log) == 46  # all numbers stay taken
        assert (await store.delete_old(OLD, NOW, 50), await store.tidy(NOW)) == ([], False)


@together
async def test_nobody_gets_half_a_table(database, slices):
    async with opened(DatabaseStore.open(database)) as store:
        await finished(store, LONG, 45)
        await store.administer(delete_table(LONG, NOW))
        assert await store.tidy(NOW)
        assert 0 < await held(store, LONG) < 45
        for first, last in ((1, None), (1, 45), (30, 45)):
            with pytest.raises(ServerRefused, match="table unknown"):
                sitting_of(await store.entries(LONG, first, last))


@together
async def test_another_process_goes_on_where_one_died(database, slices):
    async with opened(DatabaseStore.open(database)) as store:
        await finished(store, LONG, 45)
        await finished(store, SHORT, 3)
        assert sorted(await store.delete_old(OLD, NOW, 50)) == [LONG, SHORT]
        assert await store.tidy(NOW)
    async with opened(DatabaseStore.open(database)) as other:
        while await other.tidy(NOW):
            pass
        assert [await held(other, code) for code in (LONG, SHORT)] == [0, 0]


@together
async def test_after_a_day_the_log_goes_too_the_first_number_last(database, slices):
    """While the first number is taken, nobody can open a table with this code."""
    async with opened(DatabaseStore.open(database)) as store:
        await finished(store, LONG, 45)
        await store.administer(delete_table(LONG, NOW))
        left = []
        while await store.tidy(LATER):
            left.append([entry.seq for entry in await store.entries(LONG, 1)])
            assert await store.commit([Append(Entry(LONG, 1, LATER, 0, "", BODIES[0]))]) == [False]
        assert len(left) > 1
        assert all(seqs == list(range(1, len(seqs) + 1)) for seqs in left)
        assert [await count(store, one) for one in (log, touched, deletions)] == [0, 0, 0]
        assert await store.commit([Append(Entry(LONG, 1, LATER, 0, "", BODIES[0]))]) == [True]


@together
async def test_a_table_with_the_same_code_is_left_alone(database, slices):
    async with opened(DatabaseStore.open(database)) as store:
        await finished(store, LONG, 5)
        await store.administer(lambda connection: _remember(connection, LONG, 5))
        await store.tidy(LATER)
        assert await held(store, LONG) == 5
        assert [await count(store, one) for one in (tables, leases, deletions)] == [1, 1, 0]


@together
async def test_what_comes_in_while_a_table_is_deleted_goes_with_its_log(database):
    """A line that was said just before, or a subscription whose address had to be looked up first."""
    async with opened(DatabaseStore.open(database)) as store:
        await finished(store, LONG, 5)
        await store.administer(delete_table(LONG, NOW))
        for code in (LONG, SHORT):
            await store.talk.keep([TalkRow(code, "x", TalkLine(number=round(NOW * 10**6), name="Bo", chair=1))])
            await store.outbox.subscribe(Subscription(code, code, 1, "h", "push", code, "", "en", NOW), 1)
        await store.tidy(LATER)
        assert [await count(store, one) for one in (log, talk, subscriptions)] == [0, 1, 1]


def _remember(connection, code, filled):
    tidying.remember_deletion(connection, code, filled, NOW)
    connection.execute(leases.insert().values(code=code, owner="", number=1))
    connection.commit()


@together
async def test_tables_deleted_by_an_earlier_version_are_tidied_too(database, slices):
    """It emptied the whole log at once, and noted that only in `touched`."""
    async with opened(DatabaseStore.open(database)) as store:
        await finished(store, LONG, 25)
        await store.administer(_delete_as_before)
        while await store.tidy(LATER):
            pass
        assert [await count(store, one) for one in (log, leases, touched, deletions)] == [0, 0, 0, 0]


def _delete_as_before(connection):
    for name in ("tables", "games"):
        connection.execute(text(f"DELETE FROM {name}"))
    connection.execute(leases.insert().values(code=LONG, owner="", number=1))
    touch(connection, LONG, NOW)
    connection.commit()


@together
async def test_a_heartbeat_removes_nothing(database, slices):
    """Whether a server is ready must not depend on how much there is to remove."""
    async with opened(DatabaseStore.open(database)) as store:
        await finished(store, LONG, 45)
        await store.administer(delete_table(LONG, NOW))
        await store.beat(Run("a", 0.0, LATER))
        assert (await count(store, log), await count(store, touched)) == (46, 1)


@together
@pytest.mark.parametrize("work", ["delete", "empty", "forget"])
async def test_with_postgres_no_commit_waits_for_a_deletion(postgres_url, work):
    """Somebody holds up the deletion; players notice nothing."""
    async with (
        opened(DatabaseStore.open(postgres_url, 60.0)) as store,
        opened(DatabaseStore.open(postgres_url)) as other,
    ):
        await finished(store, LONG, 45)
        if work != "delete":
            await store.administer(delete_table(LONG, NOW))
        async with other._engine.connect() as connection:
            held_up = tables if work == "delete" else log
            await connection.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
            await connection.execute(select(held_up).where(held_up.c.code == LONG).with_for_update())
            removing = {
                "delete": lambda: store.delete_old(OLD, NOW, 50),
                "empty": lambda: store.tidy(NOW),
                "forget": lambda: store.tidy(LATER),
            }
            task = asyncio.create_task(removing[work]())
            await _until_one_waits(other)
            assert await store.commit(played(1)) == [True]
            await store.beat(Run("a", 0.0, LATER))
            assert not task.done()
        assert await task == ([LONG] if work == "delete" else False)


async def _until_one_waits(store):
    async with asyncio.timeout(PATIENCE):
        while not (await store._connections.rows(text("SELECT 1 FROM pg_locks WHERE NOT granted"))):
            pass


@together
async def test_with_sqlite_a_commit_waits_for_one_slice_at_most(sqlite_url, slices):
    async with opened(DatabaseStore.open(sqlite_url)) as store:
        await finished(store, LONG, 45)
        await store.delete_old(OLD, NOW, 50)
        order = []
        removing = asyncio.create_task(_noting(order, "removed", store.tidy(NOW)))
        await _noting(order, "played", store.commit(played(1)))
        await removing
        assert order == ["played", "removed"]
        assert await held(store, LONG) == 25


async def _noting(order, what, work):
    await work
    order.append(what)


@together
async def test_with_postgres_no_statement_looks_at_all_tables(postgres_url):
    """There may be more than a statement can keep in memory. It would compare each of them with each entry."""
    async with opened(DatabaseStore.open(postgres_url)) as store:
        await finished(store, LONG, 45)
        await store.administer(delete_table(LONG, NOW))
        await store.administer(_add_many_tables)
        plans = await store.administer(_plans_of_tidying)
        assert sum("Delete on log" in plan or "Update on log" in plan for plan in plans) == 2
        for plan in plans:
            assert not any(words in plan for words in ("SubPlan", "Seq Scan on tables")), plan


def _add_many_tables(connection):
    codes = "SELECT lpad(n::text, 8, '0'), n, false, 'waiting', '{}' FROM generate_series(1, 5000) AS n"
    connection.execute(text(f"INSERT INTO tables (code, number, public, status, summary) {codes}"))
    connection.execute(text("ANALYZE"))
    connection.commit()


def _plans_of_tidying(connection):
    """How PostgreSQL carries out every statement of one slice, with little memory."""
    statements = []
    event.listen(connection, "before_execute", lambda _connection, statement, *_: statements.append(statement))
    tidying.tidy_some(LATER, connection)
    connection.exec_driver_sql("SET LOCAL work_mem = '64kB'")
    written = [one.compile(connection, compile_kwargs={"literal_binds": True}) for one in statements]
    return ["\n".join(connection.exec_driver_sql(f"EXPLAIN {one}").scalars()) for one in written]


@together
async def test_a_deletion_of_many_tables_that_fails_keeps_those_that_are_gone(database, monkeypatch):
    """Otherwise the next try would begin with the same tables, and fail again."""
    async with opened(DatabaseStore.open(database)) as store:
        await finished(store, LONG, 3)
        await finished(store, SHORT, 3)
        original, begun = tidying.remember_deletion, []

        def fail_at_the_second(connection, code, *given):
            begun.append(code)
            if len(begun) == 2:
                raise OSError("the disk is full")
            original(connection, code, *given)

        monkeypatch.setattr("deadwood.server.store.removal.remember_deletion", fail_at_the_second)
        with pytest.raises(StoreFailed, match="the disk is full"):
            await store.delete_old(OLD, NOW, 50)
        assert await count(store, tables) == 1
