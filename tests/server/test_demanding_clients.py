"""Haste, clients that stop reading, and lines that say nothing: nobody else notices them."""

import asyncio
import contextlib
import re
import socket
import struct
import time

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from deadwood import Game
from deadwood.server.limits import Rate
from deadwood.server.settings import Limits

from .people import PATIENCE, knock, person, serving, started, the_end, together, until

# --- limits


@together
async def test_a_hasty_seat_is_slowed_down_alone(sqlite_url):
    limits = Limits(chair=Rate(1, 20))
    with serving(sqlite_url, limits=limits) as server:
        async with started(server) as host, started(server) as other:
            for number in range(30):
                await host.send({"type": "choices", "id": f"c{number}"})
            refused = await host.hear_until(lambda message: message["type"] == "refused")
            assert refused["code"] == "too_many_requests"
            assert re.fullmatch(r"That was too much at once; wait \d+ s\.", refused["sentence"])
            await other.move("end")


def test_a_hasty_address_is_slowed_down(sqlite_url):
    limits = Limits(address=Rate(1, 10), new_tables=Rate(1, 2))
    with serving(sqlite_url, limits=limits) as server:
        body = {"bots": [{"bot": "random"}] * 2}
        statuses = [server.request("POST", "/api/tables", body)[0] for _ in range(3)]
        assert statuses == [201, 201, 429]
        answers = [server.request("GET", "/api/tables") for _ in range(10)]
        assert answers[0][0] == 200
        assert answers[-1][0] == 429
        assert int(answers[-1][1]["retry-after"]) >= 1


@together
async def test_who_goes_on_in_haste_is_sent_away(sqlite_url):
    with serving(sqlite_url, limits=Limits(chair=Rate(0.1, 5))) as server:
        code, host_token = server.make()
        async with person(server, code, host_token) as host:
            for number in range(120):
                await host.send({"type": "choices", "id": f"c{number}"})
            assert (await the_end(host)).rcvd.code == 1008


@together
async def test_connections_of_one_address_are_limited(sqlite_url):
    with serving(sqlite_url, limits=Limits(connections=2)) as server:
        code, _ = server.make()
        async with person(server, code), person(server, code):
            with pytest.raises(InvalidStatus):
                async with person(server, code):
                    pass
        async with person(server, code) as again:
            assert again.welcome["type"] == "welcome"


@together
async def test_who_says_nothing_is_sent_away(sqlite_url):
    with serving(sqlite_url, hello=0.2) as server:
        code, _ = server.make()
        async with connect(f"{server.url.replace('http', 'ws')}/api/tables/{code}/socket") as silent:
            with pytest.raises(ConnectionClosed):
                async with asyncio.timeout(PATIENCE):
                    await silent.recv()


@together
async def test_one_address_may_have_two_heavy_jobs_and_no_more(sqlite_url):
    """Nobody can keep the workers from answering others; a third question is refused at once."""
    game = Game.new(["Ada", "Bo"], seed=3)
    while len(game.steps) < 10_000:
        game.play("end")
    record = game.record().encode()
    with serving(sqlite_url, limits=Limits()) as server:
        async with started(server) as host:
            uploads = [
                asyncio.create_task(asyncio.to_thread(server.request, "POST", "/api/replays?limit=1", record))
                for _ in range(6)
            ]
            elsewhere = {"x-forwarded-for": "192.0.2.9"}
            path = f"/api/tables/{host.code}/commands"
            hint = {"type": "hint", "id": "h"}
            asked = await asyncio.to_thread(server.request, "POST", path, hint, token=host.tokens[0], headers=elsewhere)
            assert asked[0] == 200, asked
            answers = await asyncio.gather(*uploads)
    refused = [answer for answer in answers if answer[0] != 200]
    assert refused
    assert {answer[0] for answer in refused} == {429}
    assert refused[0][2]["sentence"].startswith("2 questions from your address are being answered")
    assert int(refused[0][1]["retry-after"]) >= 1


@together
async def test_hints_are_limited_on_the_socket_too(sqlite_url):
    with serving(sqlite_url, limits=Limits(heavy=Rate(0.01, 2))) as server:
        async with started(server) as host:
            answers = [await host.ask("hint") for _ in range(3)]
            assert [answer["type"] for answer in answers] == ["hints", "hints", "refused"]
            assert answers[2]["code"] == "too_many_requests"
            assert answers[0]["advice"] == answers[1]["advice"]


# --- slow readers


def deaf(server, code):
    """A client that says hello and then never reads again."""
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)  # before connecting, or the buffers are megabytes
    line.connect(("127.0.0.1", server.port))
    key = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    head = f"GET /api/tables/{code}/socket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n{key}"
    hello = b'{"type":"hello"}'
    line.sendall(head.encode())
    answer = b""
    while not answer.endswith(b"\r\n\r\n"):
        answer += line.recv(1)
    line.sendall(bytes([0x81, 0x80 | len(hello)]) + bytes(4) + hello)
    return line


def hang_up(line):
    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    line.close()


@together
async def test_a_client_that_stops_reading_is_dropped_and_nobody_notices(sqlite_url):
    with serving(sqlite_url) as server:
        async with started(server) as host:
            silent = deaf(server, host.code)
            try:
                await until(lambda: server.metric("connections") == 2)
                for _ in range(30):
                    await host.move("end")
                question = frame(1, b'{"type":"sync","id":"a","since":0}')
                while server.metric("connections_stalled") == 0:  # the buffers fill first
                    silent.sendall(question)
                stalled_at = time.monotonic()
                slowest = 0.0
                while server.metric("connections") == 2:
                    begun = time.monotonic()
                    await host.move("end")
                    slowest = max(slowest, time.monotonic() - begun)
                    await asyncio.sleep(0.1)  # few enough to wait for it: only time may end its connection
                assert time.monotonic() - stalled_at < 5 + slowest
                assert slowest < 3.5  # nobody waited for it to be dropped
                assert server.metric("connections_dropped_total") == 1
            finally:
                hang_up(silent)
            await host.move("end")


def frame(kind, data=b"", *, last=True):
    """A frame of a client: 0 goes on with a message, 1 is text, 9 is a ping, 10 a pong."""
    return bytes([(0x80 if last else 0) | kind, 0x80 | len(data)]) + bytes(4) + data


FLOODS = {
    "pings": (b"", frame(9, b"x" * 125)),
    "pongs": (b"", frame(10)),
    "empty fragments": (frame(1, b"{", last=False), frame(0, last=False)),
    "empty messages": (b"", frame(1)),
}


@pytest.mark.parametrize("kind", FLOODS)
def test_a_flood_of_frames_is_cut_off(server, table, kind):
    first, more = FLOODS[kind]
    line = deaf(server, table[0])
    line.settimeout(PATIENCE)
    deadline = time.monotonic() + 5
    try:
        line.sendall(first)
        with contextlib.suppress(ConnectionError):
            while time.monotonic() < deadline:
                line.sendall(more * 1000)
        assert time.monotonic() < deadline
    finally:
        hang_up(line)
    begun = time.monotonic()
    assert server.get("/livez") == "ok\n"
    assert time.monotonic() - begun < 2


@together
async def test_too_many_fragments_are_told(server, table):
    async with person(server, *table) as host:
        with contextlib.suppress(ConnectionClosed):
            await host.socket.send([" "] * 150)
        closed = await the_end(host)
        assert closed.rcvd is None or closed.rcvd.code == 1008


# --- lines that say nothing


def is_cut(line):
    try:
        return line.recv(1) == b""
    except ConnectionResetError:
        return True


def test_lines_of_one_address_are_limited_before_they_say_anything(sqlite_url):
    with serving(sqlite_url, limits=Limits(connections=3)) as server:
        lines = [knock(server) for _ in range(3)]
        with knock(server) as fourth:
            assert is_cut(fourth)
        for line in lines:
            line.close()
        asked = b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n"
        for _ in range(5):
            time.sleep(0.05)  # they are forgotten as soon as they are closed
            with knock(server, asked) as line:
                assert line.recv(12) == b"HTTP/1.1 200"


def test_a_request_that_does_not_arrive_is_not_waited_for(server):
    """One time limit for all of them: three lines wait at once."""
    heads = (b"", b"GET /livez HTTP/1.1\r\nHost: x\r\nX-A: ", b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\nGET /li")
    begun = time.monotonic()
    lines = [knock(server, head) for head in heads]
    assert lines[2].recv(12) == b"HTTP/1.1 200"
    for line in lines:
        while not is_cut(line):
            pass
        line.close()
    assert time.monotonic() - begun < 15
