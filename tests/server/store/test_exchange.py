"""How processes on one store reach each other, on PostgreSQL and in memory. A lost lease stores nothing.

Holds `server.store.statements`.
"""

import asyncio
from contextlib import asynccontextmanager

import asyncpg
import pytest
from msgspec.structs import replace
from sqlalchemy import make_url

from deadwood.server.metrics import Counters
from deadwood.server.protocol.refusals import StoreFailed
from deadwood.server.store.commits import unfenced
from deadwood.server.store.database import DatabaseStore
from deadwood.server.store.exchange import PostgresExchange
from deadwood.server.tables.local_peers import LocalPeers
from deadwood.server.tables.ports import Append, Listing
from deadwood.server.tables.shared_peers import MOST_ADOPTED

from ..memory import MemoryExchange, MemoryStore
from ..people import together, until
from .changes import CODE, OTHER, change, entry, opened

LONG = 3600.0  # seconds


@pytest.fixture(params=["postgres", "memory"])
def exchanging(request):
    """A function that opens a store, and a function that makes exchanges on it."""

    @asynccontextmanager
    async def on_postgres():
        url = request.getfixturevalue("postgres_url")
        async with opened(DatabaseStore.open(url)) as store:
            yield store, lambda: PostgresExchange(store._engine)

    @asynccontextmanager
    async def in_memory():
        store = MemoryStore()
        yield store, lambda: MemoryExchange(store)

    return on_postgres if request.param == "postgres" else in_memory


@asynccontextmanager
async def connected(exchange, receive=lambda text: None):
    await exchange.open(receive)
    try:
        yield exchange
    finally:
        await exchange.close()


@together
async def test_everybody_hears_what_is_sent_in_order(exchanging):
    heard, echo = [], []
    async with (
        exchanging() as (_, make),
        connected(make(), heard.append),
        connected(make(), echo.append) as telling,
    ):
        texts = [f"{number} 'Zoë' 🤠 {{}}" for number in range(100)]
        await telling.send(texts[:50])
        await telling.send(texts[50:])
        await until(lambda: len(heard) == len(echo) == 100)
        assert heard == echo == texts


@pytest.fixture
def stranger(postgres):
    """A role that may connect, as every role may unless somebody forbids it, and nothing else."""
    postgres.psql("CREATE ROLE stranger LOGIN;")
    yield "stranger"
    postgres.psql("DROP ROLE stranger;")


@together
async def test_a_role_that_may_only_connect_cannot_listen_or_send(stranger, postgres_url):
    """Bulletins name tables, whose codes let people in, and other processes believe them."""
    found, heard, overheard = make_url(postgres_url), [], []
    async with opened(DatabaseStore.open(postgres_url)) as store:
        exchange = PostgresExchange(store._engine)
        eavesdropper = await asyncpg.connect(host=found.query["host"], user=stranger, database=found.database)
        async with connected(exchange, heard.append):
            await eavesdropper.add_listener("deadwood", lambda *message: overheard.append(message))
            await eavesdropper.execute("NOTIFY deadwood, 'forged'")
            await exchange.send(["a code"])
            await until(lambda: heard)
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await eavesdropper.fetch("SELECT value FROM server_keys")
            await eavesdropper.close()
    assert heard == ["a code"]
    assert [payload for *_, payload in overheard] == ["forged"]


@together
async def test_a_life_lasts_as_long_as_it_is_renewed(exchanging):
    async with exchanging() as (_, make), connected(make()) as exchange:
        await exchange.enter("a", "", LONG)
        await exchange.enter("b", "", LONG)
        await exchange.enter("late", "", 0.0)
        assert await exchange.living() == {"a", "b"}
        assert await exchange.renew("a", LONG)
        assert not await exchange.renew("late", LONG)
        assert not await exchange.renew("unheard-of", LONG)
        await exchange.enter("c", "a", LONG)
        assert await exchange.living() == {"b", "c"}
        await exchange.part("b")
        assert await exchange.living() == {"c"}


@together
async def test_a_lease_has_one_owner_who_lives(exchanging):
    async with exchanging() as (_, make), connected(make()) as exchange:
        await exchange.enter("a", "", LONG)
        await exchange.enter("b", "", LONG)
        assert await exchange.claim("a", [CODE, OTHER]) == {CODE: 1, OTHER: 1}
        assert await exchange.claim("b", [CODE, OTHER]) == {}
        assert (await exchange.fence("a", CODE), await exchange.fence("b", CODE)) == (1, None)
        await exchange.release("a", [CODE])
        await exchange.release("b", [OTHER])  # a lease that b does not have
        assert await exchange.claim("b", [CODE, OTHER]) == {CODE: 2}
        assert await exchange.orphans(10) == []
        await exchange.part("a")
        assert await exchange.orphans(10) == [OTHER]
        assert await exchange.claim("b", [OTHER]) == {OTHER: 2}
        assert await exchange.orphans(10) == []
        assert await exchange.claim("b", []) == {}


@together
async def test_a_thousand_leases_are_taken_at_once(exchanging):
    """As many as a dead process may leave behind, in one call."""
    codes = {f"T{number:07}" for number in range(MOST_ADOPTED)}
    async with exchanging() as (_, make), connected(make()) as exchange:
        for life in ("a", "b"):
            await exchange.enter(life, "", LONG)
        assert (await exchange.claim("a", codes)).keys() == codes
        await exchange.part("a")
        lost = await exchange.orphans(MOST_ADOPTED)
        assert set(lost) == codes
        assert await exchange.claim("b", lost) == dict.fromkeys(codes, 2)


@together
async def test_a_repeated_claim_of_a_lease_succeeds(exchanging):
    """The first answer may have been lost."""
    async with exchanging() as (_, make), connected(make()) as exchange:
        await exchange.enter("a", "", LONG)
        await exchange.claim("a", [CODE])
        claimed = await exchange.claim("a", [CODE])
        assert claimed == {CODE: await exchange.fence("a", CODE)}


@together
async def test_only_one_of_many_simultaneous_claims_gets_a_lease(exchanging):
    async with exchanging() as (_, make), connected(make()) as one, connected(make()) as other:
        codes = [f"C{number:07}" for number in range(20)]
        await one.enter("a", "", LONG)
        await other.enter("b", "", LONG)
        ours, theirs = await asyncio.gather(one.claim("a", codes), other.claim("b", codes))
        assert not ours.keys() & theirs.keys()
        assert ours.keys() | theirs.keys() == set(codes)


@together
async def test_an_entry_of_a_lost_lease_is_not_stored(exchanging):
    """The other entries in the commit are stored."""
    async with exchanging() as (store, make), connected(make()) as exchange:
        await exchange.enter("a", "", LONG)
        await exchange.enter("b", "", LONG)
        old = (await exchange.claim("a", [CODE]))[CODE]
        await exchange.part("a")
        new = (await exchange.claim("b", [CODE]))[CODE]
        stale = replace(change(1, command="stale"), fence=old)
        assert await store.commit([stale]) == [False]
        assert await store.commit([stale, change(1, code=OTHER)]) == [False, True]
        assert await store.entries(CODE, 1) == []
        valid = replace(change(1, command="valid"), fence=new)
        assert await store.commit([valid, change(2)]) == [True, True]
        assert [one.command for one in await store.entries(CODE, 1)] == ["valid", ""]


@together
async def test_nobody_takes_a_lease_over_in_the_middle_of_a_commit(postgres_url):
    """Otherwise an entry of the old owner could come after one of the new owner."""
    async with (
        opened(DatabaseStore.open(postgres_url)) as store,
        connected(PostgresExchange(store._engine)) as exchange,
        store._engine.connect() as commit,
    ):
        await exchange.enter("a", "", LONG)
        await exchange.enter("b", "", LONG)
        fence = (await exchange.claim("a", [CODE]))[CODE]
        await exchange.part("a")
        append = replace(change(1), fence=fence)
        assert await commit.run_sync(lambda sync: unfenced(sync, [append])) == [append]
        taking = asyncio.create_task(exchange.claim("b", [CODE]))
        waiting = (
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
        )
        async with store._engine.connect() as looking:
            while not (await looking.exec_driver_sql(waiting)).scalar():
                await looking.rollback()
        assert not taking.done()
        await commit.rollback()
        assert await taking == {CODE: 2}


@together
async def test_a_process_that_freezes_in_the_middle_of_a_commit_holds_up_nobody_for_long(postgres_url):
    async with (
        opened(DatabaseStore.open(postgres_url)) as store,
        connected(PostgresExchange(store._engine)) as exchange,
    ):
        frozen = await store._engine.connect()
        await exchange.enter("a", "", LONG)
        await exchange.enter("b", "", LONG)
        append = replace(change(1), fence=(await exchange.claim("a", [CODE]))[CODE])
        await frozen.run_sync(lambda sync: unfenced(sync, [append]))
        await exchange.part("a")
        assert await exchange.claim("b", [CODE]) == {CODE: 2}
        await frozen.invalidate()
        await frozen.close()


@together
async def test_how_far_logs_go(exchanging):
    async with exchanging() as (store, make), connected(make()) as exchange:
        for code, last in ((CODE, 3), (OTHER, 1)):
            lines = [
                Append(entry(seq, code=code), Listing(code, 1, False, "waiting", "{}")) for seq in range(1, last + 1)
            ]
            await store.commit(lines)
        assert await exchange.latest([CODE, "K7RM4TXC"]) == {CODE: 3}


@together
async def test_without_a_connection_everything_fails_in_the_same_way(exchanging):
    async with exchanging() as (_, make):
        exchange = make()
        with pytest.raises(StoreFailed):
            await exchange.send(["x"])
        async with connected(exchange):
            await exchange.send(["x"])
        with pytest.raises(StoreFailed):
            await exchange.living()


@together
async def test_a_connection_that_broke_is_opened_again(postgres, postgres_url):
    name, heard = make_url(postgres_url).database, []
    async with opened(DatabaseStore.open(postgres_url)) as store:
        exchange = PostgresExchange(store._engine)
        async with connected(exchange, heard.append):
            postgres.psql(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}';")
            with pytest.raises(StoreFailed):
                await exchange.send(["lost"])
            await exchange.open(heard.append)
            await exchange.send(["found"])
            await until(lambda: heard == ["found"])


@together
async def test_processes_that_start_together_migrate_once(postgres_url):
    stores = await asyncio.gather(*(DatabaseStore.open(postgres_url) for _ in range(4)))
    for store in stores:
        assert await store.runs() == []
        await store.close()


@together
async def test_sqlite_has_no_peers(sqlite_url):
    async with opened(DatabaseStore.open(sqlite_url)) as store:
        assert isinstance(store.peers(Counters()), LocalPeers)
