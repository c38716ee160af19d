"""What the server promises: strict input, tokens, origins, headers, limits, slow readers, memory."""

import asyncio
import contextlib
import json
import re
import secrets
import signal
import socket
import sqlite3
import struct
import subprocess
import sys
import time

import psutil
import pytest
from people import PATIENCE, person, play_to_the_end, serving, started, together
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from deadwood import Game
from deadwood.server.limits import Rate
from deadwood.server.settings import Limits


def token():
    return secrets.token_hex(32)


# --- strict input

BAD_MESSAGES = {
    "no JSON": "hello",
    "empty": "",
    "a list": "[]",
    "a number": "1e999",
    "deep": "[" * 8000,
    "deep in a field": '{"type":' + "[" * 8000,
    "lone surrogate": '{"type":"sit","id":"a","name":"\\ud800","token":"%s"}' % ("ab" * 32),
    "unknown type": '{"type":"cheat","id":"a"}',
    "unknown field": '{"type":"start","id":"a","force":true}',
    "no id": '{"type":"start"}',
    "long id": '{"type":"start","id":"%s"}' % ("x" * 65),
    "NUL in id": '{"type":"start","id":"a\\u0000"}',
    "newline after an id": '{"type":"start","id":"a\\n"}',
    "newline after a token": '{"type":"sit","id":"a","name":"Bo","token":"%s\\n"}' % ("0123456789abcdef" * 4),
    "newline after a salt": '{"type":"ready","id":"a","seat":1,"salt":"%s\\n"}' % ("ab" * 32),
    "huge number": '{"type":"move","id":"a","seq":%s,"action":"end"}' % (2**63),
    "huger number": '{"type":"move","id":"a","seq":%s,"action":"end"}' % ("9" * 8000),
    "negative": '{"type":"move","id":"a","seq":-1,"action":"end"}',
    "NaN": '{"type":"move","id":"a","seq":NaN,"action":"end"}',
    "float": '{"type":"move","id":"a","seq":1.5,"action":"end"}',
    "text for a number": '{"type":"move","id":"a","seq":"1","action":"end"}',
    "bool for a number": '{"type":"move","id":"a","seq":true,"action":"end"}',
    "long action": '{"type":"move","id":"a","seq":1,"action":"%s"}' % ("x" * 201),
    "huge days": '{"type":"choose","id":"a","options":{"days":%s}}' % ("9" * 4000),
    "huger days": '{"type":"choose","id":"a","options":{"days":%s}}' % ("9" * 7000),
    "hello again": '{"type":"hello","tokens":[]}',
}


@pytest.fixture(scope="module")
def table(server):
    return server.make()


@pytest.mark.parametrize("kind", BAD_MESSAGES)
@together
async def test_bad_messages_are_refused_and_the_connection_goes_on(server, table, kind):
    code, host_token = table
    async with person(server, code, host_token) as host:
        before = host.table
        await host.send(BAD_MESSAGES[kind])
        refused = await host.hear()
        assert refused["type"] == "refused"
        assert refused["sentence"][-1] == "."
        assert (await host.ask("sync", since=0))["table"] == before


@pytest.mark.parametrize("kind", BAD_MESSAGES)
def test_bad_requests_are_refused(server, table, kind):
    code, host_token = table
    path = f"/api/tables/{code}/commands"
    status, _, told = server.request("POST", path, BAD_MESSAGES[kind].encode(), token=host_token)
    assert status == 400, told
    assert told["sentence"].startswith("This message cannot be read: ")


@pytest.mark.parametrize("kind", BAD_MESSAGES)
@together
async def test_a_bad_first_message_ends_the_connection_politely(server, table, kind):
    if kind == "hello again":
        return
    async with connect(f"{server.url.replace('http', 'ws')}/api/tables/{table[0]}/socket") as line:
        await line.send(BAD_MESSAGES[kind])
        assert json.loads(await line.recv())["type"] == "refused"
        with pytest.raises(ConnectionClosed) as closed:
            await line.recv()
        assert closed.value.rcvd.code == 1008


@pytest.mark.parametrize(
    ("first", "reason"),
    [
        ({"type": "start", "id": "a"}, "hello_expected"),
        ({"type": "hello", "language": "tlh"}, "language_unknown"),
        ({"type": "hello", "tokens": [token() for _ in range(9)]}, "message_unreadable"),
    ],
)
@together
async def test_a_wrong_hello_is_told(server, table, first, reason):
    async with connect(f"{server.url.replace('http', 'ws')}/api/tables/{table[0]}/socket") as line:
        await line.send(json.dumps(first))
        assert json.loads(await line.recv())["code"] == reason


@together
async def test_an_unknown_table_is_told(server):
    for code in ("CCCCFFFF", "nonsense", "%00"):
        async with connect(f"{server.url.replace('http', 'ws')}/api/tables/{code}/socket") as line:
            await line.send('{"type":"hello"}')
            assert json.loads(await line.recv())["code"] == "table_unknown"


async def closing_code(server, code, host_token, data, *, text=True):
    async with person(server, code, host_token) as host:
        await host.socket.send(data, text=text)
        return (await the_end(host)).rcvd.code


async def the_end(one):
    """How a connection was closed."""
    try:
        while True:
            await one.hear()
    except ConnectionClosed as closed:
        return closed


@together
async def test_frames_that_are_no_messages_close_the_connection(server, table):
    assert await closing_code(server, *table, b'{"type":"start","id":"a"}', text=False) == 1008
    assert await closing_code(server, *table, b"\xff\xfe", text=True) == 1007
    assert await closing_code(server, *table, b"\xed\xa0\x80", text=True) == 1007  # half a surrogate pair
    assert await closing_code(server, *table, b"x" * 8193, text=True) == 1009


@together
async def test_fragments_count_together(server, table):
    code, host_token = table
    async with person(server, code, host_token) as host:
        with contextlib.suppress(ConnectionClosed):  # the rest of it may meet a closed door
            await host.socket.send(["{" * 100] * 100)
        closed = await the_end(host)
        assert closed.rcvd is None or closed.rcvd.code == 1009


@together
async def test_eight_kilobytes_are_still_a_message(server, table):
    code, host_token = table
    async with person(server, code, host_token) as host:
        await host.send("x" * 8192)
        assert (await host.hear())["code"] == "message_unreadable"


def test_a_big_request_is_refused_before_it_is_read(server):
    status, _, told = server.request("POST", "/api/tables", b"x" * 8193)
    assert (status, told["code"]) == (413, "message_too_big")


@pytest.mark.parametrize(
    "query",
    ["limit=0", "limit=51", "limit=x", "limit=1e3", "before=-1", f"before={'9' * 30}", "status=open", "limit=%00"],
)
def test_wrong_queries_are_told(server, query):
    status, _, told = server.request("GET", f"/api/tables?{query}")
    assert (status, told["code"]) == (400, "query_wrong")


@pytest.mark.parametrize("path", ["/nothing", "/api", "/assets/none.js", "/assets/../app.py", "/api/decks/tarot", "/t"])
def test_unknown_pages_are_told(server, path):
    status, _, told = server.request("GET", path)
    assert (status, told["code"]) == (404, "page_unknown")


@pytest.mark.parametrize(("method", "path"), [("DELETE", "/api/tables"), ("POST", "/"), ("PUT", "/livez")])
def test_wrong_methods_are_told(server, method, path):
    status, headers, told = server.request(method, path)
    assert (status, told["code"]) == (405, "method_wrong")
    assert "GET" in headers["allow"]


@pytest.mark.parametrize("game", ["0", "2", "x", "-1", "9" * 30, "1e1", "%00"])
def test_unknown_games_are_told(server, table, game):
    status, _, told = server.request("GET", f"/api/tables/{table[0]}/games/{game}")
    assert (status, told["code"]) == (404, "game_unknown")


GERMAN = {"accept-language": "de"}


@pytest.mark.parametrize(
    ("method", "path", "body", "sentence"),
    [
        ("GET", "/api/tables/K7RM4TXC", None, "Es gibt hier keinen Tisch"),
        ("GET", "/api/nothing", None, "An dieser Adresse ist nichts"),
        ("DELETE", "/api/tables", None, "Diese Adresse kennt kein DELETE"),
        ("POST", "/api/replays", b"\xff", "Eine Aufzeichnung ist UTF-8-Text."),
        ("GET", "/api/rules?language=tlh", None, "'language' kann nicht 'tlh' sein"),
        ("POST", "/api/tables", {"bots": [{"level": "random"}]}, "Ohne Gastgeber braucht ein Tisch 2 bis 8 Bots"),
    ],
)
def test_refusals_are_told_in_the_language_of_the_reader(server, method, path, body, sentence):
    _, _, told = server.request(method, path, body, headers=GERMAN)
    assert sentence in told["sentence"]
    _, _, told = server.request(method, path, body)
    assert sentence not in told["sentence"]


def test_commands_are_answered_in_the_language_of_the_reader(server, table):
    code, host_token = table
    address = f"/api/tables/{code}/commands"
    _, _, told = server.request("POST", address, {"type": "start", "id": "a"}, token=host_token, headers=GERMAN)
    assert "Nicht alle sind bereit" in told["sentence"]


def test_foreign_pages_are_sent_away_in_the_language_of_the_reader(server):
    headers = {**GERMAN, "origin": "https://elsewhere.example"}
    _, _, told = server.request("GET", "/api/about", headers=headers)
    assert "dürfen nicht mit diesem Server reden" in told["sentence"]


@pytest.mark.parametrize(
    ("query", "header", "language"),
    [
        ("", "de-AT,de;q=0.9,en;q=0.8", "de"),
        ("", "tlh, DE;q=0.5, en;q=0.1", "de"),
        ("", "en-GB,de;q=0.5", "en"),
        ("", "tlh", "en"),
        ("", ";,-;q=,\xff", "en"),
        ("?language=de", "en", "de"),
        ("?language=en", "de", "en"),
    ],
)
def test_which_language_is_told(server, query, header, language):
    _, _, told = server.request("GET", f"/api/nothing{query}", headers={"accept-language": header})
    assert told["sentence"].startswith({"de": "An dieser Adresse", "en": "There is nothing"}[language])
    _, _, text = server.request("GET", f"/api/rules{query}", headers={"accept-language": header})
    assert text.startswith({"de": "# Die Regeln", "en": "# The rules"}[language])


# --- tokens, origins, headers


def test_tokens_and_seeds_are_nowhere_to_be_seen(tmp_path):
    mine, salt = token(), token()
    with serving(f"sqlite:///{tmp_path}/x.db") as server:
        code, _ = server.make(token=mine, public=True)
        path = f"/api/tables/{code}/commands"
        server.post(path, {"type": "ready", "id": "a", "seat": 1, "salt": salt}, mine)
        server.post(path, {"type": "add_bot", "id": "b", "level": "random"}, mine)
        seen = json.dumps([server.get(f"/api/tables/{code}"), server.get("/api/tables")])
        server.post(path, {"type": "start", "id": "c"}, mine)
        seen += json.dumps(server.get(f"/api/tables/{code}")).replace(salt, "")
        log = server.log()
    kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    seed = re.search(rb'"seed":"([0-9a-f]{64})"', kept)[1].decode()
    assert mine.encode() not in kept
    assert seed not in seen
    assert salt not in seen
    assert mine not in seen + log


def test_no_secret_is_in_the_log_when_the_database_fails(tmp_path):
    mine, salt = token(), token()
    with serving(f"sqlite:///{tmp_path}/x.db") as server:
        code, _ = server.make(token=mine)
        with contextlib.closing(sqlite3.connect(tmp_path / "x.db")) as database:
            database.execute("CREATE TRIGGER full BEFORE INSERT ON log BEGIN SELECT RAISE(ABORT, 'it is full'); END")
        ready = {"type": "ready", "id": "a", "seat": 1, "salt": salt}
        assert server.request("POST", f"/api/tables/{code}/commands", ready, token=mine)[0] == 503
        assert server.request("POST", "/api/tables", {"host": {"name": "Ada", "token": mine}})[0] == 503
        log = server.log()
    assert "it is full" in log
    assert not re.search("[0-9a-f]{32}", log)  # neither seed nor salt nor the hash of a token


@pytest.mark.parametrize("header", ["Bearer x", "Basic abc", "Bearer " + "0" * 64, "Bearer " + "A" * 64])
def test_a_wrong_token_is_refused(server, table, header):
    wish = {"type": "start", "id": "a"}
    path = f"/api/tables/{table[0]}/commands"
    status, _, told = server.request("POST", path, wish, headers={"authorization": header})
    assert (status, told["code"]) == (403, "token_unknown")


def test_every_digit_of_a_token_counts(server, table):
    code, right = table
    wrong = right[:-1] + ("0" if right[-1] != "0" else "1")
    wish = {"type": "choices", "id": "a"}
    assert server.post(f"/api/tables/{code}/commands", wish, wrong, status=403)["code"] == "token_unknown"
    assert server.post(f"/api/tables/{code}/commands", wish, right, status=409)["code"] == "table_not_running"


def test_nobody_takes_a_held_seat(server, table):
    code, _ = table
    path = f"/api/tables/{code}/commands"
    for wish in ({"type": "leave", "seat": 1}, {"type": "ready", "seat": 1, "salt": token()}):
        status, _, told = server.request("POST", path, {**wish, "id": "a"})
        assert (status, told["code"]) == (403, "not_your_seat")
    status, _, told = server.request("POST", path, {"type": "sit", "id": "a", "name": "Ada", "token": token()})
    assert (status, told["code"]) == (409, "name_taken")


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1", "http://127.0.0.1:1", ""])
def test_foreign_pages_may_not_talk_to_the_server(server, table, origin):
    for method, path in (("GET", "/api/tables"), ("POST", "/api/tables")):
        status, _, told = server.request(method, path, headers={"origin": origin})
        assert (status, told["code"]) == (403, "origin_foreign")

    @together
    async def knock():
        address = f"{server.url.replace('http', 'ws')}/api/tables/{table[0]}/socket"
        with pytest.raises(InvalidStatus) as refused:
            async with connect(address, additional_headers={"Origin": origin}):
                pass
        assert refused.value.response.status_code == 403

    knock()


def test_our_own_pages_may(server, table):
    assert server.request("GET", "/api/tables", headers={"origin": server.url})[0] == 200
    named = server.url.replace("127.0.0.1", "localhost")

    @together
    async def knock():
        async with person(server, table[0], additional_headers={"Origin": named}) as watcher:
            assert watcher.welcome["type"] == "welcome"

    knock()


def test_behind_a_proxy_links_and_origins_are_those_that_people_see(sqlite_url):
    public = "https://play.example.org"
    with serving(sqlite_url, url=public, origins=frozenset({public}), port=0) as server:
        server.url = f"http://127.0.0.1:{server_port(server)}"
        code, _ = server.make()
        assert server.get(f"/api/tables/{code}")["link"] == f"{public}/t/{code}"
        assert server.request("GET", "/api/tables", headers={"origin": public})[0] == 200
        assert server.request("GET", "/api/tables", headers={"origin": "http://play.example.org"})[0] == 403


def server_port(server):
    return psutil.Process(server.process.pid).net_connections()[0].laddr.port


@pytest.mark.parametrize("path", ["/", "/t/CCCCFFFF", "/api/tables", "/api/openapi.json", "/nothing", "/icon.svg"])
def test_every_response_has_the_headers(server, path):
    _, headers, _ = server.request("GET", path)
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "server" not in headers


def test_no_compression_is_agreed(server, table):
    """Compressing secrets beside what others wrote can leak them, and costs memory for every connection."""

    @together
    async def knock():
        async with person(server, table[0]) as watcher:
            assert watcher.socket.protocol.extensions == []

    knock()


# --- limits


@together
async def test_a_hasty_seat_is_slowed_down_alone(sqlite_url):
    limits = Limits(seat=Rate(1, 20))
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
        body = {"bots": [{"level": "random"}] * 2}
        statuses = [server.request("POST", "/api/tables", body)[0] for _ in range(3)]
        assert statuses == [201, 201, 429]
        answers = [server.request("GET", "/api/tables") for _ in range(10)]
        assert answers[0][0] == 200
        assert answers[-1][0] == 429
        assert int(answers[-1][1]["retry-after"]) >= 1


@together
async def test_who_goes_on_in_haste_is_sent_away(sqlite_url):
    with serving(sqlite_url, limits=Limits(seat=Rate(0.1, 5))) as server:
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


def knock(server, data=b"", address="127.0.0.2"):
    line = socket.create_connection(("127.0.0.1", server.port), PATIENCE, (address, 0))
    line.sendall(data)
    return line


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


# --- memory


@together
async def test_tables_that_nobody_looks_at_leave_memory_and_come_back(sqlite_url):
    with serving(sqlite_url, asleep=0.0) as server:
        async with started(server, options={"days": 1}) as host:
            for _ in range(3):
                await host.move("end")
            state = host.table["state"]
            assert server.metric("tables") == 1
        await until(lambda: server.metric("tables") == 0)
        assert server.get(f"/api/tables/{host.code}")["state"] == state
        async with person(server, host.code, *host.tokens) as again:
            await play_to_the_end(again)
        await until(lambda: server.metric("tables") == 0)
        assert server.get(f"/api/tables/{host.code}")["status"] == "finished"
        assert server.metric("tasks") == 0


@together
async def test_bots_alone_pause_while_nobody_looks(sqlite_url):
    with serving(sqlite_url, unwatched=0.0, asleep=0.0, bot_pause=0.01) as server:
        made = server.post("/api/tables", {"bots": [{"level": "random"}] * 2, "options": {"days": 1}}, status=201)
        await until(lambda: server.metric("tables") == 0)
        assert server.metric("games_finished_total") == 0
        async with person(server, made["table"]["code"]) as watcher:
            while watcher.status != "finished":
                await watcher.hear()


async def until(condition):
    """Ask again and again; a server's sweeper comes by every second."""
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.02)


# --- the beginning and the end


@together
async def test_the_end_is_told_and_when_to_come_back(sqlite_url):
    with serving(sqlite_url) as server:
        async with started(server) as host:
            server.process.terminate()
            goodbye = await host.hear_until(lambda message: message["type"] == "goodbye")
            assert 1 <= goodbye["retry_after"] <= 5
            with pytest.raises(ConnectionClosed) as closed:
                await host.hear()
            assert closed.value.rcvd.code == 1012
        assert server.process.wait(PATIENCE) in (0, -15)
        assert server.log() == ""


def test_a_slow_upload_does_not_disturb_the_end(sqlite_url):
    with serving(sqlite_url) as server:
        with knock(server, b"POST /api/replays HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\ndeadwood") as line:
            time.sleep(0.3)
            server.process.terminate()
            assert line.recv(12) == b"HTTP/1.1 400"
        server.process.wait(PATIENCE)
        assert server.log() == ""


def test_livez_readyz_and_metrics(server):
    assert server.get("/livez") == "ok\n"
    assert server.get("/readyz") == "ok\n"
    assert "# TYPE deadwood_commands_total counter" in server.get("/metrics")


def test_a_second_server_on_one_sqlite_file_is_refused(sqlite_url):
    with serving(sqlite_url), pytest.raises(AssertionError, match="Another server uses"), serving(sqlite_url):
        pass


def test_a_link_to_the_file_is_the_same_file(tmp_path):
    (tmp_path / "link.db").symlink_to(tmp_path / "games.db")
    urls = [f"sqlite:///{tmp_path}/{name}.db" for name in ("games", "link")]
    with serving(urls[0]), pytest.raises(AssertionError, match="Another server uses"), serving(urls[1]):
        pass


def test_postgresql_is_shared(postgres_url):
    """Two processes at one log: what one wrote, the other finds before it writes."""
    with serving(postgres_url) as one, serving(postgres_url) as other:
        code, mine = one.make(bots=[{"level": "random"}], options={"first": "Ada"})
        path = f"/api/tables/{code}/commands"
        assert other.get(f"/api/tables/{code}")["seq"] == 1
        one.post(path, {"type": "ready", "id": "a", "seat": 1, "salt": token()}, mine)
        status, _, told = other.request("POST", path, {"type": "start", "id": "b"}, token=mine)
        assert (status, told["code"]) == (409, "not_ready")  # it has not heard of it yet
        again = {"type": "ready", "id": "c", "seat": 1, "salt": token()}
        assert other.post(path, again, mine)["seq"] == 3  # now it has: 2 was taken
        assert other.post(path, {"type": "start", "id": "d"}, mine)["seq"] == 4


def test_the_command_serves(home):
    command = [sys.executable, "-m", "deadwood", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        line = process.stdout.readline()
        assert re.fullmatch(r"Deadwood is served at http://127\.0\.0\.1:\d+ \(Ctrl-C ends it\)\.\n", line)
        process.terminate()
    assert (home / "deadwood" / "server.sqlite3").exists()


def test_ctrl_c_ends_it_quietly(home):
    command = [sys.executable, "-m", "deadwood", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=PATIENCE) == ("", "")
    assert process.returncode == 0


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        (["--database", "mysql://x/y"], "There is no support for mysql; use sqlite or postgresql."),
        (["--url", "play.example.org"], "'play.example.org' is not the address of a server"),
        (["--host", "203.0.113.1"], "The server cannot listen at 203.0.113.1"),
        (["--database", "postgresql://127.0.0.1:1/x"], "The database cannot be used"),
        (["--database", "sqlite:////dev/null/x.db"], "The database /dev/null/x.db cannot be written: "),
        (["--database", "postgresql//me:secret@x"], "'postgresql//…@x' is not the URL of a database"),
    ],
)
def test_a_server_that_cannot_start_says_why(home, flags, sentence):
    command = [sys.executable, "-m", "deadwood", "serve", "--port", "0", *flags]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(f"Error: {sentence}")
    assert "Traceback" not in done.stderr
