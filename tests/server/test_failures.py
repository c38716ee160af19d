"""When other things fail: the database, bots, workers."""

import asyncio
import os
import time

import psutil
import pytest
from sqlalchemy import make_url

from deadwood import Game, verify
from deadwood.engine.notation import format_action
from deadwood.server.metrics import Counters
from deadwood.server.protocol.refusals import ServerRefused
from deadwood.server.workers.workers import Workers

from .people import PATIENCE, person, serving, started, together


@together
async def test_the_database_goes_away_and_comes_back(postgres, postgres_url):
    """Nothing is lost or doubled, and everybody is told in a sentence."""
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
            assert refused["sentence"].startswith("The database did not answer; send the same again")
            for path in ("/api/tables", "/readyz", "/api/tables/CCCCFFFF"):
                status, _, told = server.request("GET", path)
                assert (status, told["code"]) == (503, "not_stored")
            assert server.request("POST", "/api/tables", {"bots": [{"bot": "random"}] * 2})[0] == 503
            assert server.get("/livez") == "ok\n"
            postgres.psql(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true;')
            done = await host.do("play", **wish)
            await watcher.hear_update(done["seq"])
            assert await host.ask("play", **wish) == done
            assert server.metric("errors_total") == 0
        assert "a command failed" not in server.log()


def workers(patience=10.0):
    return Workers(1, patience, Counters())


def with_workers(work, **more):
    async def run():
        pool = workers(**more)
        try:
            return await work(pool), pool._counters
        finally:
            pool.close()

    return asyncio.run(asyncio.wait_for(run(), 3 * PATIENCE))


def a_game():
    return Game.new(["Ada", "Bo"], seed=3)


def legal(game):
    return [format_action(action) for action in game.legal_actions()]


def test_a_bot_that_fails_plays_something_legal(caplog):
    game = a_game()
    action, counters = with_workers(lambda pool: pool.decide("no such bot", game.state))
    assert action in legal(game)
    assert counters.bot_failures == 1
    assert "no such bot" in caplog.text


def test_a_worker_that_dies_is_replaced():
    game = a_game()

    async def work(pool):
        with pytest.raises(Exception, match="terminated"):
            await pool._bots.run(os._exit, 1)
        return await pool.decide("regular", game.state)

    action, counters = with_workers(work)
    assert action in legal(game)
    assert counters.bot_failures == 0


def test_a_worker_that_hangs_is_replaced_and_others_are_served():
    game = a_game()

    async def work(pool):
        await pool.decide("random", game.state)  # it has started
        pool._bots.patience = 0.3
        hanging = asyncio.create_task(pool._bots.run(time.sleep, 600))
        await asyncio.sleep(0)
        pool._bots.patience = 10.0
        waiting = asyncio.create_task(pool.decide("regular", game.state))
        with pytest.raises(TimeoutError):
            await hanging
        return await waiting

    action, counters = with_workers(work)
    assert action in legal(game)
    assert counters.bot_failures == 0


def test_a_question_that_takes_too_long_is_told():
    game = a_game()

    async def work(pool):
        pool._hints.patience = 0.0
        with pytest.raises(ServerRefused, match="took too long"):
            await pool.advise(game.state, "en")

    with_workers(work)


def test_workers_end_with_a_server_that_is_killed(sqlite_url):
    with serving(sqlite_url) as server:
        made = server.post("/api/tables", {"bots": [{"bot": "random"}] * 2}, status=201)
        assert made["table"]["status"] == "running"
        deadline = time.monotonic() + PATIENCE
        while not server.metric("bot_decisions_total"):
            assert time.monotonic() < deadline
        children = psutil.Process(server.process.pid).children(recursive=True)
        assert children
        server.process.kill()
        _, alive = psutil.wait_procs(children, PATIENCE)
        assert not alive


def test_an_ended_server_leaves_nothing_running(sqlite_url):
    with serving(sqlite_url) as server:
        server.post("/api/tables", {"bots": [{"bot": "random"}] * 2}, status=201)
        deadline = time.monotonic() + PATIENCE
        while not server.metric("bot_decisions_total"):
            assert time.monotonic() < deadline
        children = psutil.Process(server.process.pid).children(recursive=True)
    _, alive = psutil.wait_procs(children, PATIENCE)
    assert not alive


def test_a_huge_record_is_replayed_beside_the_loop(sqlite_url):
    """A megabyte of actions takes a while; meanwhile others are served."""
    game = a_game()
    while len(game.steps) < 20_000:
        game.play("end")
    record = game.record().encode()
    assert len(record) < 1_000_000
    with serving(sqlite_url) as server:

        @together
        async def both():
            replaying = asyncio.create_task(asyncio.to_thread(server.post, "/api/replays?first=19000", record))
            slowest, first = 0.0, time.monotonic()
            while not replaying.done():
                begun = time.monotonic()
                await asyncio.to_thread(server.get, "/livez")
                slowest = max(slowest, time.monotonic() - begun)
            part = await replaying
            assert len(part["steps"]) == 200
            assert slowest < (time.monotonic() - first) / 2

        both()
    assert {check.verdict for check in verify(record.decode())} == {"passed", "unknown"}
