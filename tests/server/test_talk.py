"""Talk over real sockets and over HTTP: its limits, and that none of it reaches a record, an export or a log."""

import contextlib
import json
import sqlite3

import pytest

from deadwood.server.limits import Rate
from deadwood.server.settings import Limits

from .people import person, play_to_the_end, serving, started, together, token

GOSSIP = "psst, between us"
NEVER = 0.001  # per second: what was taken does not come back while a test runs
STRICT = Limits(talk=Rate(NEVER, 3), talk_address=Rate(NEVER, 5), talk_spectators=Rate(NEVER, 4))


@pytest.fixture(scope="module")
def strict(tmp_path_factory):
    """A server with low limits; every test comes from another address."""
    with serving(f"sqlite:///{tmp_path_factory.mktemp('strict')}/games.sqlite3", limits=STRICT) as server:
        yield server


def codes(answers):
    return [answer.get("code", answer["type"]) for answer in answers]


@together
async def test_records_exports_and_logs_hold_nothing_of_it(tmp_path):
    with serving(f"sqlite:///{tmp_path}/x.db") as server:
        async with started(server, options={"days": 1}) as host, person(server, host.code) as watcher:
            await host.ask("say", text=GOSSIP)
            await watcher.ask("say", text=GOSSIP, name="Zoe", voice=token())
            await play_to_the_end(host)
            await host.ask("say", text=GOSSIP)
            async with person(server, host.code) as late:
                assert [line["text"] for line in late.welcome["talk"]] == [GOSSIP] * 3
            path = f"/api/tables/{host.code}"
            seen = [server.get(path), server.get("/api/tables?status=finished"), server.get(f"{path}/games")]
            seen += [server.get(f"{path}/games/1{part}") for part in ("", "/record", "/replay")]
            seen += [host.updates, (await host.ask("sync", since=0)), server.get(f"/t/{host.code}")]
        log = server.log()
    assert GOSSIP not in json.dumps(seen) + log
    with contextlib.closing(sqlite3.connect(tmp_path / "x.db")) as database:
        dumped = [line for line in database.iterdump() if GOSSIP in line]
    assert len(dumped) == 3
    assert all(line.startswith('INSERT INTO "talk"') for line in dumped)


@together
async def test_only_people_who_talk_too_fast_are_slowed_down(strict):
    server = strict.at("192.0.2.1")
    async with started(server) as host, person(server, host.code, host.tokens[1]) as other:
        answers = [await host.ask("say", text="Howdy") for _ in range(2)]
        answers += [await host.ask("react", reaction="hat") for _ in range(2)]
        assert codes(answers) == ["heard"] * 3 + ["talk_too_fast"]
        assert answers[3]["sentence"].startswith("Not so fast! Wait")
        assert codes([await other.ask("say", text="Howdy")]) == ["heard"]
        await host.do("play", seq=host.seq + 1, action="end")
        assert codes([await host.ask("clear_talk")]) == ["heard"]


@together
async def test_an_address_cannot_shout_with_many_connections(strict):
    server = strict.at("192.0.2.2")
    tables = [server.make() for _ in range(2)]
    answers = []
    for code, holder in tables:
        async with person(server, code, holder) as one:
            answers += [await one.ask("say", text="Howdy") for _ in range(3)]
    assert codes(answers) == ["heard"] * 5 + ["talk_too_fast"]


@together
async def test_a_crowd_cannot_drown_a_table(strict):
    code, holder = strict.at("192.0.2.3").make()
    answers = []
    for number in range(5):
        async with person(strict.at(f"192.0.2.1{number}"), code) as watcher:
            answers.append(await watcher.ask("say", text="Howdy", name=f"W{number}", voice=token()))
    assert codes(answers) == ["heard"] * 4 + ["talk_too_fast"]
    async with person(strict.at("192.0.2.3"), code, holder) as host:
        assert codes([await host.ask("say", text="Quiet, please")]) == ["heard"]


def test_it_is_the_same_over_http(strict):
    server = strict.at("192.0.2.4")
    code, holder = server.make()
    path, howdy = f"/api/tables/{code}/commands", {"type": "say", "text": "Howdy"}
    for number in range(3):
        assert server.post(path, {**howdy, "id": str(number)}, holder)["type"] == "heard"
    status, headers, answer = server.request("POST", path, {**howdy, "id": "3"}, token=holder)
    assert (status, answer["code"], int(headers["retry-after"]) > 1) == (429, "talk_too_fast", True)
    watching = {**howdy, "id": "4", "name": "Zoe", "voice": token()}
    assert server.post(path, watching)["type"] == "heard"
    assert server.post(path, {"type": "clear_talk", "id": "5"}, status=403)["code"] == "not_the_host"
    assert server.post(path, {"type": "clear_talk", "id": "5"}, holder)["type"] == "heard"


def test_a_server_without_talk_says_so(sqlite_url):
    with serving(sqlite_url, talk=False) as server:
        code, holder = server.make()
        answer = server.post(
            f"/api/tables/{code}/commands", {"type": "say", "id": "1", "text": "x"}, holder, status=403
        )
        assert answer["code"] == "talk_off_server"
        assert not server.get(f"/api/tables/{code}")["talk"]
        assert "talk" not in [rule["name"] for rule in server.get("/api/about")["house"]]
