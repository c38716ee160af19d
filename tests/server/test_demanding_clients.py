"""Clients that send too much, stop reading, flood or stay silent are cut off, and nobody else notices.

Holds `server.http.responses`.
"""

import asyncio
import contextlib
import re
import socket
import struct

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from deadwood import Game
from deadwood.server.limits import Rate
from deadwood.server.protocol.codes import ALPHABET
from deadwood.server.settings import Limits

from .people import FOR_EVER, PATIENCE, bots_alone, knock, person, serving, started, the_end, together, token, until

# --- limits

NEVER = 0.001  # per second: what was taken does not come back while a test runs
STRICT = Limits(
    chair=Rate(NEVER, 20),
    address=Rate(NEVER, 100),
    new_tables=Rate(NEVER, 3),
    heavy=Rate(NEVER, 4),
    sits=Rate(NEVER, 5),
    guesses=Rate(NEVER, 5),
    connections=3,
)


@pytest.fixture(scope="module")
def strict(tmp_path_factory):
    """A server with low limits; every test comes from another address."""
    with serving(f"sqlite:///{tmp_path_factory.mktemp('strict')}/games.sqlite3", limits=STRICT) as server:
        yield server


@together
async def test_only_the_player_who_sends_too_fast_is_slowed_down(strict):
    server = strict.at("192.0.2.1")
    async with started(server) as host, started(server) as other:
        for number in range(30):
            await host.send({"type": "ping", "id": f"c{number}"})
        answers = [await host.hear() for _ in range(30)]
        assert [answer["type"] for answer in answers] == ["pong"] * 16 + ["refused"] * 14  # it took 4 to start
        assert answers[-1]["code"] == "too_many_requests"
        assert re.fullmatch(r"Too many requests; wait \d+ s\.", answers[-1]["sentence"])
        await other.act("end")


@together
async def test_nobody_fills_the_log_of_a_table_by_sitting_down_and_leaving(strict):
    """Every sit takes a new chair, so the limit per chair never applies."""
    code, _ = strict.at("192.0.2.40").make()
    stranger = strict.at("192.0.2.41")
    async with person(stranger, code) as one:
        for _ in range(4):
            chair = (await one.do("sit", name="Zoe", token=token()))["chair"]
            await one.do("leave", chair=chair)
    path, sit = f"/api/tables/{code}/commands", {"type": "sit", "id": "1", "name": "Zoe"}
    answers = [stranger.request("POST", path, {**sit, "token": token()})[0] for _ in range(2)]
    assert answers == [200, 429]
    assert strict.at("192.0.2.42").request("POST", path, {**sit, "name": "Bo", "token": token()})[0] == 200


def test_requests_and_new_tables_of_one_address_are_limited(strict):
    server = strict.at("192.0.2.2")
    body = bots_alone(2)
    assert [server.request("POST", "/api/tables", body)[0] for _ in range(4)] == [201, 201, 201, 429]
    answers = [server.request("GET", "/api/tables") for _ in range(100)]
    assert [status for status, _, _ in answers] == [200] * 96 + [429] * 4
    assert int(answers[-1][1]["retry-after"]) >= 1
    assert strict.at("192.0.2.3").request("GET", "/api/tables")[0] == 200


@together
async def test_views_of_whole_tables_cost_more_than_other_requests(strict):
    """A view of a whole table takes much longer than other answers, over HTTP as over the socket."""
    code, _ = strict.at("192.0.2.60").make()
    looking, syncing = strict.at("192.0.2.61"), strict.at("192.0.2.62")
    statuses = [looking.request("GET", f"/api/tables/{code}")[0] for _ in range(20)]
    assert statuses == [200] * 16 + [429] * 4  # each costs six, of a hundred
    sync = {"type": "sync", "id": "a", "since": 0}
    statuses = [syncing.request("POST", f"/api/tables/{code}/commands", sync)[0] for _ in range(20)]
    assert statuses == [200] * 16 + [429] * 4
    async with person(strict.at("192.0.2.63"), code) as one:
        answers = [await one.ask("sync", since=0) for _ in range(17)]
    assert [answer["type"] for answer in answers] == ["welcome"] * 15 + ["refused"] * 2  # hello cost as much


@together
async def test_a_client_that_never_slows_down_is_disconnected(strict):
    server = strict.at("192.0.2.4")
    async with person(server, *server.make()) as host:
        with contextlib.suppress(ConnectionClosed):
            for number in range(150):
                await host.send({"type": "ping", "id": f"c{number}"})
        assert (await the_end(host)).rcvd.code == 1008


@together
async def test_connections_of_one_address_are_limited(strict):
    server = strict.at("192.0.2.5")
    code, _ = server.make()
    async with person(server, code), person(server, code), person(server, code):
        assert not await is_let_in(server, code)
    async with asyncio.timeout(PATIENCE):
        while not await is_let_in(server, code):  # the server learns a little later that they have gone
            pass


async def is_let_in(server, code):
    try:
        async with person(server, code):
            return True
    except InvalidStatus:
        return False


def begin_upload(server, size, address):
    """Announce an upload; the connection, and the server's answer before any of the body is sent."""
    head = f"POST /api/replays?limit=1 HTTP/1.1\r\nHost: x\r\nContent-Length: {size}\r\nExpect: 100-continue\r\n\r\n"
    line = knock(server, head.encode(), address)
    return line, status_of(line)


def status_of(line):
    answer = b""
    while not answer.endswith(b"\r\n\r\n"):
        byte = line.recv(1)
        assert byte, f"the answer ended after {answer!r}"
        answer += byte
    return int(answer.split()[1])


def test_one_address_may_have_two_heavy_jobs_at_once(strict):
    """One address cannot occupy all workers: its third job is refused at once."""
    record = Game.new(["Ada", "Bo"], seed=3).record().encode()
    (first, begun), (second, begun_too) = (begin_upload(strict, len(record), "127.0.0.2") for _ in range(2))
    assert (begun, begun_too) == (100, 100)
    third, refused = begin_upload(strict, len(record), "127.0.0.2")
    assert refused == 429
    assert strict.at("192.0.2.6").request("POST", "/api/replays?limit=1", record)[0] == 200
    third.close()
    for line in (first, second):
        line.sendall(record)
        assert status_of(line) == 200
        line.close()


@together
async def test_hints_are_limited_on_the_socket_too(strict):
    async with started(strict.at("192.0.2.7")) as host:
        answers = [await host.ask("hint") for _ in range(5)]
        assert [answer["type"] for answer in answers] == ["hints"] * 4 + ["refused"]
        assert answers[4]["code"] == "too_many_requests"
        assert answers[0]["advice"] == answers[1]["advice"]


# --- guessed codes


@together
async def test_guessing_many_codes_finds_no_table(strict):
    code, _ = strict.make()
    guesser = strict.at("192.0.2.50")
    wrong = [f"CCCCFFF{char}" for char in ALPHABET[:5]]
    paths = [*(f"/api/tables/{one}" for one in wrong[:2]), f"/api/tables/{wrong[2]}/games", f"/api/tables/{wrong[0]}"]
    assert [guesser.request("GET", path)[0] for path in paths] == [404] * 4  # the last of them is known already
    assert await refused_by_socket(guesser, wrong[3]) == "table_unknown"
    assert titled(guesser, code)
    guesser.post("/api/my-tables", {"tables": [{"code": one} for one in (code, *wrong)]})
    status, headers, answer = guesser.request("GET", f"/api/tables/{code}")
    assert (status, answer["code"]) == (429, "too_many_codes")
    assert int(headers["retry-after"]) > 1
    assert guesser.request("POST", "/api/my-tables", {"tables": [{"code": code}]})[0] == 429
    assert await refused_by_socket(guesser, code) == "too_many_codes"
    assert not titled(guesser, code)
    assert strict.at("192.0.2.51").request("GET", f"/api/tables/{code}")[0] == 200


async def refused_by_socket(server, code):
    async with person(server, code) as one:
        return one.welcome["code"]


def titled(server, code):
    """Whether the page of a table tells who plays there, or what a table in memory needs."""
    page = server.get(f"/t/{code}")
    return "Ada" in page or "/api/board" in page


# --- silent connections


@together
async def test_silent_connections_of_one_address_are_limited(strict):
    lines = [knock(strict, address="127.0.0.3") for _ in range(3)]
    with knock(strict, address="127.0.0.3") as fourth:
        assert is_cut(fourth)
    for line in lines:
        line.close()
    for _ in range(5):
        await until(lambda: is_served(strict))


def is_cut(line):
    try:
        return line.recv(1) == b""
    except ConnectionResetError:
        return True


def is_served(server):
    with knock(server, b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n", "127.0.0.3") as line:
        try:
            return line.recv(12) == b"HTTP/1.1 200"
        except ConnectionResetError:
            return False


UPGRADE = "Host: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
BROKEN_HANDSHAKES = {
    "too many headers": f"GET /api/tables/X/socket HTTP/1.1\r\n{UPGRADE}" + "".join(f"A{n}: b\r\n" for n in range(130)),
    "a long line": f"GET /api/tables/X/socket HTTP/1.1\r\n{UPGRADE}A: {'b' * 9000}\r\n",
    "a long address": f"GET /{'b' * 9000} HTTP/1.1\r\n{UPGRADE}",
    "another method": f"POST /api/tables/X/socket HTTP/1.1\r\n{UPGRADE}Content-Length: 0\r\n",
    "a body": f"GET /api/tables/X/socket HTTP/1.1\r\n{UPGRADE}Content-Length: 3\r\n",
    "no key": f"GET /api/tables/X/socket HTTP/1.1\r\n{UPGRADE}",
}


@pytest.mark.parametrize("kind", BROKEN_HANDSHAKES)
@together
async def test_a_broken_handshake_is_answered_and_closed(server, kind):
    with knock(server, BROKEN_HANDSHAKES[kind].encode() + b"\r\n") as line:
        assert 400 <= status_of(line) < 500
        while not is_cut(line):
            pass
    await until(lambda: server.metric("connections_open") == 1)  # the one that asks


# --- slow readers


def deaf(server, code, *, hello=True):
    """A client that says hello and never reads."""
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)  # before connecting, or the buffers are megabytes
    line.settimeout(PATIENCE)
    line.connect(("127.0.0.1", server.port))
    key = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    head = f"GET /api/tables/{code}/socket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n{key}"
    line.sendall(head.encode())
    assert status_of(line) == 101
    if hello:
        line.sendall(frame(1, b'{"type":"hello"}'))
    return line


def frame(kind, data=b"", *, last=True):
    """A client's frame: 0 continues a message, 1 is text, 9 is a ping, 10 a pong."""
    return bytes([(0x80 if last else 0) | kind, 0x80 | len(data)]) + bytes(4) + data


def hang_up(line):
    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    line.close()


@together
async def test_nobody_waits_for_a_client_that_stops_reading(sqlite_url):
    question = frame(1, b'{"type":"sync","id":"a","since":0}')
    with serving(sqlite_url, stalled=FOR_EVER) as server:
        async with started(server) as host:
            silent = deaf(server, host.code)
            try:
                await until(lambda: server.metric("connections") == 2)
                while server.metric("connections_stalled") == 0:  # the buffers fill first
                    silent.sendall(question)
                for _ in range(20):
                    await host.act("end")
                assert (server.metric("connections"), server.metric("connections_stalled")) == (2, 1)
                with contextlib.suppress(ConnectionError):
                    while server.metric("connections") == 2:  # its queue fills
                        silent.sendall(question)
                await until(lambda: server.metric("connections") == 1)
                assert server.metric("connections_dropped_total") == 1
            finally:
                hang_up(silent)
            await host.act("end")


FLOODS = {
    "pings": (b"", frame(9, b"x" * 125)),
    "pongs": (b"", frame(10)),
    "empty fragments": (frame(1, b"{", last=False), frame(0, last=False)),
    "empty messages": (b"", frame(1)),
}
MOST_FLOOD = 2**28  # bytes: more than all buffers on the way can take


def flood(line, data):
    for _ in range(MOST_FLOOD // len(data)):
        line.sendall(data)


@pytest.mark.parametrize("kind", FLOODS)
def test_a_flood_of_frames_is_cut_off(server, table, kind):
    first, more = FLOODS[kind]
    line = deaf(server, table[0])
    try:
        line.sendall(first)
        with pytest.raises(ConnectionError):
            flood(line, more * 1000)
    finally:
        hang_up(line)
    assert server.get("/livez") == "ok\n"


PING, BINARY, BAD = frame(1, b'{"type":"ping","id":"a"}'), frame(2, b"a"), frame(1, b"\xff")
RESERVED, CLOSE = frame(3), frame(8, struct.pack("!H", 1000))
HOSTILE_PACKETS = {
    "not UTF-8 twice": BAD + BAD,
    "not UTF-8 before a command": BAD + PING,
    "a reserved frame after a command": PING + RESERVED,
    "a reserved frame after what is not UTF-8": BAD + RESERVED,
    "a refusal after the end": frame(1, b"{}") + CLOSE,
    "many refusals after the end": BINARY * 20 + RESERVED,
    "a command after the end": CLOSE + PING,
    "the end of a message that never began": PING + frame(0, b"a"),
}


@pytest.mark.parametrize("said_hello", [True, False])
def test_hostile_frames_leave_no_traceback(sqlite_url, said_hello):
    with serving(sqlite_url) as server:
        code, _ = server.make()
        for packet in HOSTILE_PACKETS.values():
            with deaf(server, code, hello=said_hello) as line:
                line.sendall(packet)
                while line.recv(2**16):
                    pass
        assert server.log() == ""


@together
async def test_a_message_in_too_many_fragments_ends_the_connection(server, table):
    async with person(server, *table) as host:
        await host.socket.send([" "] * 128)  # the library adds an empty last fragment
        assert (await the_end(host)).rcvd.code == 1008
