"""Nothing that anybody sends holds up the event loop for long, and with it everybody else."""

import asyncio
import contextlib
import sqlite3
import time

from deadwood.server.loop_lag import TICK, LoopLag

from .people import knock, person, serving, started, together


def slowness():
    """How many times as long as usual this machine takes; 1 for all machines that are fast enough for the promise."""
    began = time.thread_time()
    sum(number * number for number in range(1_000_000))
    return max(1.0, (time.thread_time() - began) / 0.1)


LONGEST = 0.05 * slowness()  # seconds of the loop's own work; time that other programs use does not count


@together
async def test_a_stall_is_measured():
    lag = LoopLag()
    watching = asyncio.create_task(lag.watch())
    await asyncio.sleep(2 * TICK)
    until = time.thread_time() + LONGEST + TICK
    while time.thread_time() < until:
        pass
    while lag.stall < LONGEST - TICK:
        await asyncio.sleep(TICK)
    assert lag.lag >= lag.stall
    watching.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await watching


def test_waiting_for_other_programs_does_not_count_as_our_stall():
    lag = LoopLag()
    lag.note(late=0.3, worked=0.01)
    lag.note(late=0.02, worked=0.4)
    assert (lag.lag, lag.stall) == (0.3, 0.02)


def stall(server):
    lines = server.get("/metrics").splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith("deadwood_loop_stall_seconds "))


def lengthen(database, code):
    """Give a table the longest log that it can have before its game."""
    rows = []
    for seq in range(2, 1002):
        salt = "null" if seq % 2 else f'"{"ab" * 32}"'
        rows.append((code, seq, 1.0, 1, f"c{seq}", f'{{"type":"readied","seat":1,"salt":{salt}}}'))
    with contextlib.closing(sqlite3.connect(database.removeprefix("sqlite:///"))) as connection:
        connection.executemany("INSERT INTO log (code, seq, at, by, command, body) VALUES (?, ?, ?, ?, ?, ?)", rows)
        connection.commit()


async def pipelined(server):
    with knock(server, b"GET /api/about?language=de HTTP/1.1\r\nHost: x\r\n\r\n" * 200) as line:
        read, last = b"", b"\r\nHost: x\r\nConnection: close\r\n\r\n"
        line.sendall(b"GET /livez HTTP/1.1" + last)
        while chunk := await asyncio.to_thread(line.recv, 2**16):
            read = chunk
        assert read.endswith(b"ok\n")


@together
async def test_no_input_stops_the_loop_for_long(sqlite_url):
    with serving(sqlite_url) as server:
        code, host = server.make()
    lengthen(sqlite_url, code)
    with serving(sqlite_url) as server:
        assert server.request("GET", f"/api/tables/{code}")[2]["seq"] == 1001
        assert stall(server) < LONGEST
        async with person(server, code, host, since=0, language="de") as one:
            assert len(one.welcome["missed"]) == 200
            for _ in range(5):
                await one.ask("sync", since=0)
        assert stall(server) < LONGEST
        server.request("GET", "/api/about", headers={"accept-language": "," * 50_000, "accept-encoding": "," * 10_000})
        server.request("POST", "/api/tables", b'{"chairs":' + b"[" * 8000)
        server.request("POST", "/api/replays?limit=1", b"x" * 10**6)
        server.request("POST", "/api/decks/check", b"[[cards]]\n" * 6000, headers={"content-type": "text/plain"})
        await pipelined(server)
        assert stall(server) < LONGEST
        async with started(server, [f"P{number}" for number in range(8)]) as table:
            await table.act()
        assert stall(server) < LONGEST
