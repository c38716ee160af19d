"""The server survives a lost database, and leaves neither processes nor waiting clients behind."""

import asyncio
from contextlib import contextmanager
from unittest.mock import ANY

import psutil
import pytest
from sqlalchemy import make_url
from sqlalchemy.ext.asyncio import create_async_engine

from deadwood import Game, Options
from deadwood.server.store.opening import database_url

from ..processes import has_ended
from .people import FOR_EVER, bots_alone, knock, person, serving, started, together, until
from .postgres import freeze, thaw


@together
async def test_the_database_goes_away_and_comes_back(postgres, postgres_url):
    """Nothing is lost or doubled, and every refusal says why."""
    name = make_url(postgres_url).database
    with serving(postgres_url) as server:
        async with started(server, options={"days": 1}) as host, person(server, host.code) as watcher:
            await host.act("end")
            postgres.psql(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false;')
            postgres.psql(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}';")
            wish = {"id": "lost", "seq": host.seq + 1, "action": "end"}
            for _ in range(3):
                refused = await host.ask("play", **wish)
                assert refused["code"] == "not_stored", refused
            assert refused["sentence"].startswith("The database did not answer. Send the same command again")
            await until(lambda: server.request("GET", "/readyz")[0] == 503)  # what was written just before counts
            for path in ("/api/tables", "/readyz", "/api/tables/CCCCFFFF"):
                status, _, answer = server.request("GET", path)
                assert (status, answer["code"]) == (503, "not_stored")
            assert server.request("POST", "/api/tables", bots_alone(2))[0] == 503
            assert server.get("/livez") == "ok\n"
            postgres.psql(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true;')
            done = await host.do("play", **wish)
            await watcher.hear_update(done["seq"])
            assert await host.ask("play", **wish) == done
            assert server.metric("errors_total") == 0
        assert "a command failed" not in server.log()


@contextmanager
def frozen(postgres):
    """PostgreSQL with all its processes stopped."""
    freeze(postgres)
    try:
        yield
    finally:
        thaw(postgres)


@together
async def test_a_database_that_does_not_answer_holds_nobody_up(postgres, postgres_url):
    with serving(postgres_url, database_patience=5.0) as server:
        async with started(server, options={"days": 1}) as host:
            await host.act("end")
            wish = {"id": "late", "seq": host.seq + 1, "action": "end"}
            with frozen(postgres):
                assert (await host.ask("play", **wish))["code"] == "not_stored"
                for path in ("/api/tables", "/api/tables/CCCCFFFF", "/readyz"):
                    assert await asyncio.to_thread(server.request, "GET", path) == (503, ANY, ANY), path
                assert server.get("/livez") == "ok\n"
            await until(lambda: server.request("GET", "/readyz")[0] == 200)
            done = await host.do("play", **wish)
            assert await host.ask("play", **wish) == done
        assert server.metric("errors_total") == 0
        assert "traceback" not in server.log()


def test_a_server_ends_though_its_database_does_not_answer(postgres, postgres_url):
    with serving(postgres_url, database_patience=FOR_EVER) as server:
        code, token = server.make()
        with frozen(postgres), knock(server, b"GET /api/tables HTTP/1.1\r\nHost: x\r\n\r\n"):
            server.post(f"/api/tables/{code}/commands", {"type": "say", "id": "1", "text": "Howdy"}, token)
            server.end()
            assert server.process.poll() is not None


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_server_is_not_ready_while_its_database_cannot_be_written(kind, request):
    url = request.getfixturevalue(f"{kind}_url")
    with serving(url) as server:
        assert server.get("/readyz") == "ok\n"
        change(url, *UNWRITABLE[kind])
        while server.request("GET", "/readyz")[0] == 200:
            pass  # what was written just before counts
        assert server.request("GET", "/readyz")[2]["code"] == "not_stored"
        assert server.get("/api/tables") == {"tables": [], "next": None}
        change(url, *WRITABLE[kind])
        assert server.get("/readyz") == "ok\n"


UNWRITABLE = {
    kind: ("CREATE TRIGGER full BEFORE UPDATE ON runs BEGIN SELECT RAISE(ABORT, 'disk full'); END",)
    if kind == "sqlite"
    else (
        "CREATE FUNCTION fail() RETURNS trigger AS $$ BEGIN RAISE 'disk full'; END $$ LANGUAGE plpgsql",
        'CREATE TRIGGER "full" BEFORE UPDATE ON runs EXECUTE FUNCTION fail()',
    )
    for kind in ("sqlite", "postgres")
}
WRITABLE = {"sqlite": ("DROP TRIGGER full",), "postgres": ('DROP TRIGGER "full" ON runs',)}


def change(url, *statements):
    """Change a database behind a server's back."""
    asyncio.run(_change(url, statements))


async def _change(url, statements):
    engine = create_async_engine(database_url(url))
    async with engine.begin() as connection:
        for statement in statements:
            await connection.exec_driver_sql(statement)
    await engine.dispose()


DAMAGED = {
    "not JSON": "UPDATE log SET body = 'x' WHERE seq = 2",
    "an unknown kind": """UPDATE log SET body = '{"type":"danced","version":1}' WHERE seq = 2""",
    "an action before the game": """UPDATE log SET body = '{"type":"played","action":"act"}' WHERE seq = 2""",
    "a game that cannot begin": """UPDATE log SET body = '{"type":"started","version":1}' WHERE seq = 2""",
    "a gap": "DELETE FROM log WHERE seq = 2",
    "nothing at all": "DELETE FROM log",
}


@pytest.mark.parametrize("damage", DAMAGED)
@together
async def test_a_damaged_log_is_reported_as_such(sqlite_url, damage):
    answer, lines = await opened_after(sqlite_url, DAMAGED[damage])
    assert "the log of table" in lines or damage == "nothing at all"
    assert answer["code"] == "log_unreadable"
    assert answer["sentence"].startswith("The log of this table is damaged")


@together
async def test_a_log_of_a_newer_version_is_reported_as_such(sqlite_url):
    newer = """UPDATE log SET body = '{"type":"readied","seat":1,"salt":null,"version":99}' WHERE seq = 2"""
    answer, _ = await opened_after(sqlite_url, newer)
    assert answer["code"] == "log_newer"


async def opened_after(url, damage):
    """What a server says about a table that was changed behind its back, over HTTP and over the socket, and its log."""
    with serving(url) as server:
        code, host = server.make()
        async with person(server, code, host) as one:
            await one.be_ready()
            await one.be_ready()
    await _change(url, [damage])
    with serving(url) as server:
        async with person(server, code, host) as one:
            over_socket = one.welcome
        status, _, answer = server.request("GET", f"/api/tables/{code}")
        assert (status, answer) == (500, over_socket)
        assert server.metric("errors_total") == 0
        lines = server.log()
        assert "traceback" not in lines
    return answer, lines


@pytest.mark.parametrize("end", ["kill", "terminate"])
@together
async def test_workers_end_with_their_server(sqlite_url, end):
    with serving(sqlite_url) as server:
        server.post("/api/tables", bots_alone(2), status=201)
        await until(lambda: server.metric("bot_decisions_total"))
        children = psutil.Process(server.process.pid).children(recursive=True)
        assert children
        getattr(server.process, end)()
        await until(lambda: all(has_ended(child.pid) for child in children))


@together
async def test_a_long_record_is_replayed_beside_the_loop(server):
    """Replaying takes long; the server answers other requests meanwhile."""
    game = Game.new(["Ada", "Bo"], Options(first="Ada"), seed=3)
    record = game.record() + "Ada: end\nBo: end\n" * 7_000
    replaying = asyncio.create_task(asyncio.to_thread(server.post, "/api/replays?first=13000", record.encode()))
    served = 0
    while not replaying.done():
        await asyncio.to_thread(server.get, "/livez")
        served += 1
    assert len((await replaying)["steps"]) == 200
    assert served > 1
