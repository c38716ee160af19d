"""Input is validated strictly; refusals say what is wrong."""

import asyncio
import json

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from .people import person, the_end, together, token

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
    "newline after a salt": '{"type":"ready","id":"a","chair":1,"salt":"%s\\n"}' % ("ab" * 32),
    "huge number": '{"type":"play","id":"a","seq":%s,"action":"end"}' % (2**63),
    "huger number": '{"type":"play","id":"a","seq":%s,"action":"end"}' % ("9" * 8000),
    "negative": '{"type":"play","id":"a","seq":-1,"action":"end"}',
    "NaN": '{"type":"play","id":"a","seq":NaN,"action":"end"}',
    "float": '{"type":"play","id":"a","seq":1.5,"action":"end"}',
    "text for a number": '{"type":"play","id":"a","seq":"1","action":"end"}',
    "bool for a number": '{"type":"play","id":"a","seq":true,"action":"end"}',
    "long action": '{"type":"play","id":"a","seq":1,"action":"%s"}' % ("x" * 201),
    "huge days": '{"type":"choose","id":"a","options":{"days":%s}}' % ("9" * 4000),
    "huger days": '{"type":"choose","id":"a","options":{"days":%s}}' % ("9" * 7000),
    "hello again": '{"type":"hello","tokens":[]}',
}


@pytest.mark.parametrize("kind", BAD_MESSAGES)
@together
async def test_an_invalid_message_is_refused_and_the_connection_stays_open(server, table, kind):
    code, host_token = table
    async with person(server, code, host_token) as host:
        before = host.table
        await host.send(BAD_MESSAGES[kind])
        refused = await host.hear()
        assert refused["type"] == "refused"
        assert refused["sentence"][-1] == "."
        assert (await host.ask("sync", since=0))["table"] == before


@pytest.mark.parametrize("kind", BAD_MESSAGES)
def test_an_invalid_request_is_refused(server, table, kind):
    code, host_token = table
    path = f"/api/tables/{code}/commands"
    status, _, answer = server.request("POST", path, BAD_MESSAGES[kind].encode(), token=host_token)
    assert status == 400, answer
    assert answer["sentence"].startswith("This message cannot be read. ")
    blames_the_type = "$.type" in answer["sentence"]  # otherwise the case would not test what its name says
    assert blames_the_type == (kind in ("unknown type", "hello again"))


@pytest.mark.parametrize("kind", [kind for kind in BAD_MESSAGES if kind != "hello again"])
@together
async def test_an_invalid_first_message_is_refused_and_closes_the_connection(server, table, kind):
    async with connect(server.socket_url(table[0])) as line:
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
        ({"type": "hello", "tokens": [token() for _ in range(9)]}, "message_invalid"),
    ],
)
@together
async def test_a_wrong_hello_is_refused(server, table, first, reason):
    async with connect(server.socket_url(table[0])) as line:
        await line.send(json.dumps(first))
        assert json.loads(await line.recv())["code"] == reason


@together
async def test_an_unknown_table_is_refused(server):
    for code in ("CCCCFFFF", "nonsense", "%00"):
        async with connect(server.socket_url(code)) as line:
            await line.send('{"type":"hello"}')
            assert json.loads(await line.recv())["code"] == "table_unknown"


async def closing_code(server, code, host_token, data, *, text=True):
    async with person(server, code, host_token) as host:
        await host.socket.send(data, text=text)
        return (await the_end(host)).rcvd.code


@together
async def test_frames_that_are_not_messages_close_the_connection(server, table):
    assert await closing_code(server, *table, b'{"type":"start","id":"a"}', text=False) == 1008
    assert await closing_code(server, *table, b"\xff\xfe", text=True) == 1007
    assert await closing_code(server, *table, b"\xed\xa0\x80", text=True) == 1007  # half a surrogate pair
    assert await closing_code(server, *table, b"x" * 8193, text=True) == 1009


@together
async def test_the_fragments_of_a_message_count_together(server, table):
    """Nothing follows the fragment that exceeds the limit: data for a closed socket would reset the connection."""

    async def fragments():
        for _ in range(83):
            yield "{" * 100
        await host.socket.wait_closed()

    async with person(server, *table) as host:
        sending = asyncio.create_task(host.socket.send(fragments()))
        assert (await the_end(host)).rcvd.code == 1009
        await asyncio.gather(sending, return_exceptions=True)


@together
async def test_eight_kilobytes_are_still_a_message(server, table):
    code, host_token = table
    async with person(server, code, host_token) as host:
        await host.send("x" * 8192)
        assert (await host.hear())["code"] == "message_invalid"


def test_a_big_request_is_refused_before_it_is_read(server):
    status, _, answer = server.request("POST", "/api/tables", b"x" * 8193)
    assert (status, answer["code"]) == (413, "message_too_big")


@pytest.mark.parametrize(
    "query",
    ["limit=0", "limit=51", "limit=x", "limit=1e3", "before=-1", f"before={'9' * 30}", "status=open", "limit=%00"],
)
def test_invalid_queries_are_refused(server, query):
    status, _, answer = server.request("GET", f"/api/tables?{query}")
    assert (status, answer["code"]) == (400, "query_invalid")


@pytest.mark.parametrize("url", ["/api/about?" + "a&" * 5000, "/t/" + "K" * 5000, "/?language=de&" + "a&" * 5000])
def test_a_url_that_is_too_long_is_refused_before_it_is_read(server, url):
    """Parsing 60 KiB of query fields would take over 50 ms."""
    status, _, answer = server.request("GET", url)
    assert (status, answer["code"]) == (414, "url_too_long")
    assert answer["sentence"].startswith("The address of a request may have at most 2048 bytes; this one has ")


@pytest.mark.parametrize("path", ["/nothing", "/api", "/assets/none.js", "/assets/../app.py", "/api/decks/tarot", "/t"])
def test_unknown_pages_are_not_found(server, path):
    status, _, answer = server.request("GET", path)
    assert (status, answer["code"]) == (404, "page_unknown")


@pytest.mark.parametrize(("method", "path"), [("DELETE", "/api/tables"), ("POST", "/"), ("PUT", "/livez")])
def test_wrong_methods_are_refused(server, method, path):
    status, headers, answer = server.request(method, path)
    assert (status, answer["code"]) == (405, "method_wrong")
    assert "GET" in headers["allow"]


@pytest.mark.parametrize("game", ["0", "2", "x", "-1", "9" * 30, "1e1", "%00"])
def test_unknown_games_are_not_found(server, table, game):
    status, _, answer = server.request("GET", f"/api/tables/{table[0]}/games/{game}")
    assert (status, answer["code"]) == (404, "game_unknown")
