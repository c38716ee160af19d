"""Tokens, seeds, origins and headers: no secret leaks, and nobody acts for somebody else."""

import contextlib
import json
import re
import sqlite3

import psutil
import pytest
from websockets.exceptions import InvalidStatus

from .people import new_table, person, serving, together, token


def test_tokens_and_seeds_are_never_sent_or_logged(tmp_path):
    mine, salt = token(), token()
    with serving(f"sqlite:///{tmp_path}/x.db") as server:
        code, _ = server.make(token=mine, public=True)
        path = f"/api/tables/{code}/commands"
        server.post(path, {"type": "add_bot", "id": "b", "bot": "random"}, mine)
        server.post(path, {"type": "ready", "id": "a", "chair": 1, "salt": salt}, mine)
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
        ready = {"type": "ready", "id": "a", "chair": 1, "salt": salt}
        assert server.request("POST", f"/api/tables/{code}/commands", ready, token=mine)[0] == 503
        assert server.request("POST", "/api/tables", new_table("Ada", mine))[0] == 503
        log = server.log()
    assert "it is full" in log
    assert not re.search("[0-9a-f]{32}", log)  # neither seed nor salt nor the hash of a token


@pytest.mark.parametrize("header", ["Bearer x", "Basic abc", "Bearer " + "0" * 64, "Bearer " + "A" * 64])
def test_a_wrong_token_is_refused(server, table, header):
    wish = {"type": "start", "id": "a"}
    path = f"/api/tables/{table[0]}/commands"
    status, _, answer = server.request("POST", path, wish, headers={"authorization": header})
    assert (status, answer["code"]) == (403, "token_unknown")


def test_every_digit_of_a_token_counts(server, table):
    code, right = table
    wrong = right[:-1] + ("0" if right[-1] != "0" else "1")
    wish = {"type": "ping", "id": "a"}
    assert server.post(f"/api/tables/{code}/commands", wish, wrong, status=403)["code"] == "token_unknown"
    assert server.post(f"/api/tables/{code}/commands", wish, right)["type"] == "pong"


def test_a_held_chair_needs_its_token(server, table):
    code, _ = table
    path = f"/api/tables/{code}/commands"
    for wish in ({"type": "leave", "chair": 1}, {"type": "ready", "chair": 1, "salt": token()}):
        status, _, answer = server.request("POST", path, {**wish, "id": "a"})
        assert (status, answer["code"]) == (403, "not_your_chair")
    status, _, answer = server.request("POST", path, {"type": "sit", "id": "a", "name": "Ada", "token": token()})
    assert (status, answer["code"]) == (409, "name_taken")


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1", "http://127.0.0.1:1", ""])
def test_foreign_pages_are_refused(server, table, origin):
    for method, path in (("GET", "/api/tables"), ("POST", "/api/tables")):
        status, _, answer = server.request(method, path, headers={"origin": origin})
        assert (status, answer["code"]) == (403, "origin_foreign")

    @together
    async def knock():
        with pytest.raises(InvalidStatus) as refused:
            async with person(server, table[0], headers={"Origin": origin}):
                pass
        assert refused.value.response.status_code == 403

    knock()


def test_our_own_pages_are_accepted(server, table):
    assert server.request("GET", "/api/tables", headers={"origin": server.url})[0] == 200
    named = server.url.replace("127.0.0.1", "localhost")

    @together
    async def knock():
        async with person(server, table[0], headers={"Origin": named}) as watcher:
            assert watcher.welcome["type"] == "welcome"

    knock()


def test_behind_a_proxy_links_and_origins_use_the_public_address(sqlite_url):
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


def test_sockets_agree_on_no_compression(server, table):
    """Compressing secrets together with other people's text can leak them, and costs memory per connection."""

    @together
    async def knock():
        async with person(server, table[0]) as watcher:
            assert watcher.socket.protocol.extensions == []

    knock()
