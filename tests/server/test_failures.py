"""The server survives a lost database, and leaves neither processes nor waiting clients behind."""

import asyncio

import psutil
import pytest
from sqlalchemy import make_url

from deadwood import Game, Options

from .people import PATIENCE, bots_alone, person, serving, started, together, until


@together
async def test_the_database_goes_away_and_comes_back(postgres, postgres_url):
    """Nothing is lost or doubled, and every refusal says why."""
    name = make_url(postgres_url).database
    with serving(postgres_url) as server:
        async with started(server, options={"days": 1}) as host, person(server, host.code) as watcher:
            await host.move("end")
            postgres.psql(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false;')
            postgres.psql(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}';")
            wish = {"id": "lost", "seq": host.seq + 1, "action": "end"}
            for _ in range(3):
                refused = await host.ask("play", **wish)
                assert refused["code"] == "not_stored", refused
            assert refused["sentence"].startswith("The database did not answer. Send the same command again")
            for path in ("/api/tables", "/readyz", "/api/tables/CCCCFFFF"):
                status, _, told = server.request("GET", path)
                assert (status, told["code"]) == (503, "not_stored")
            assert server.request("POST", "/api/tables", bots_alone(2))[0] == 503
            assert server.get("/livez") == "ok\n"
            postgres.psql(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true;')
            done = await host.do("play", **wish)
            await watcher.hear_update(done["seq"])
            assert await host.ask("play", **wish) == done
            assert server.metric("errors_total") == 0
        assert "a command failed" not in server.log()


@pytest.mark.parametrize("end", ["kill", "terminate"])
@together
async def test_workers_end_with_their_server(sqlite_url, end):
    with serving(sqlite_url) as server:
        server.post("/api/tables", bots_alone(2), status=201)
        await until(lambda: server.metric("bot_decisions_total"))
        children = psutil.Process(server.process.pid).children(recursive=True)
        assert children
        getattr(server.process, end)()
        _, alive = psutil.wait_procs(children, PATIENCE)
        assert not alive


@together
async def test_a_long_record_is_replayed_beside_the_loop(server):
    """Replaying takes long; other requests are answered meanwhile."""
    game = Game.new(["Ada", "Bo"], Options(first="Ada"), seed=3)
    record = game.record() + "Ada: end\nBo: end\n" * 7_000
    replaying = asyncio.create_task(asyncio.to_thread(server.post, "/api/replays?first=13000", record.encode()))
    served = 0
    while not replaying.done():
        await asyncio.to_thread(server.get, "/livez")
        served += 1
    assert len((await replaying)["steps"]) == 200
    assert served > 5
