"""What a browser learns about all the tables that it remembers, with one request.

Holds `server.tables.summaries`.
"""

import asyncio
import secrets
from types import SimpleNamespace

import msgspec
import pytest
from starlette.requests import Request

from deadwood.server.admission import Admission
from deadwood.server.http.my_tables import my_tables
from deadwood.server.http.requests import Uploads
from deadwood.server.limits import Rate
from deadwood.server.protocol.codes import ALPHABET
from deadwood.server.protocol.commands import KNOWN_BYTES, MOST_KNOWN
from deadwood.server.protocol.refusals import ServerRefused
from deadwood.server.settings import Limits

from ..people import person, play_to_the_end, started, together
from ..tables.halls import a_hall


def ask(server, *tables, status=200):
    known = [{"code": code, "tokens": list(tokens)} for code, *tokens in tables]
    return server.post("/api/my-tables", {"tables": known}, status=status)


@together
async def test_a_running_game_says_whose_turn_it_is(server):
    async with started(server, options={"days": 1, "first": "Ada"}) as host:
        code, (ada, bo) = host.code, host.tokens
        (mine,), (his,), (watched,) = (ask(server, one)["tables"] for one in ((code, ada), (code, bo), (code,)))
        active = host.table["chairs"][0]["id"]
        assert (mine["status"], mine["active"], mine["mine"], mine["held"]) == ("running", active, True, [active])
        assert (mine["day"], mine["days"], mine["game"]) == (1, 1, 1)
        assert ("mine" in his, len(his["held"])) == (False, 1)
        assert "held" not in watched
        assert ada not in str(mine)


@together
async def test_nobody_can_play_while_a_game_is_paused(server):
    async with started(server, options={"days": 1, "first": "Ada"}) as host:
        asked = (host.code, *host.tokens)
        assert "paused" not in ask(server, asked)["tables"][0]
        await host.do("vote", to="pause", agrees=True)
        await host.hear_until(lambda _: host.table["position"]["paused"])
        (answer,) = ask(server, asked)["tables"]
        assert ("mine" in answer, answer["paused"], answer["active"]) == (False, True, host.table["chairs"][0]["id"])


@together
async def test_a_finished_game_has_its_standings_and_a_waiting_one_its_chairs(server):
    async with started(server, options={"days": 1}) as host:
        await play_to_the_end(host)
        (answer,) = ask(server, (host.code.lower(), *host.tokens))["tables"]
        assert (answer["code"], answer["status"], answer["game"]) == (host.code, "finished", 1)
        assert answer["standings"] == host.table["standings"]
        await host.do("rematch")
        (answer,) = ask(server, (host.code, *host.tokens))["tables"]
        assert (answer["status"], answer["game"], len(answer["held"])) == ("waiting", 2, 2)
        assert [chair["name"] for chair in answer["chairs"]] == ["Ada", "Bo"]


def test_answers_come_in_order_and_say_what_is_gone(server):
    code, token = server.make()
    answer = ask(server, ("K7RM4TXC", token), (code, token), ("nothing of ours",))["tables"]
    assert [(one["code"], one["status"]) for one in answer] == [
        ("K7RM4TXC", None),
        (code, "waiting"),
        ("nothing of ours", None),
    ]


@pytest.mark.parametrize(
    "tables",
    [
        [{"code": "K7RM4TXC"}] * (MOST_KNOWN + 1),
        [{"code": "K7RM4TXC", "tokens": [secrets.token_hex(32)] * 9}],
        [{"code": "K7RM4TXC", "tokens": ["short"]}],
        [{"code": "K7RM4TXC", "more": 1}],
        [{}],
        {},
    ],
)
def test_requests_that_are_too_long_or_malformed_are_refused(server, tables):
    status, _, answer = server.request("POST", "/api/my-tables", {"tables": tables})
    assert (status, answer["code"]) == (400, "message_invalid")


def test_a_body_has_a_limit(server):
    status, _, answer = server.request("POST", "/api/my-tables", b" " * (KNOWN_BYTES + 1))
    assert (status, answer["code"]) == (413, "message_too_big")


@together
async def test_looking_wakes_nobody_up_for_good(server):
    """A look is a visit like any other; it neither takes a chair nor changes the table."""
    async with started(server, options={"days": 1}) as host, person(server, host.code) as watcher:
        before = host.seq
        ask(server, (host.code, *host.tokens))
        assert (await watcher.ask("ping"))["seq"] == before


@together
async def test_requests_at_the_same_moment_may_not_try_more_codes(monkeypatch):
    """A database takes its time. Meanwhile the next request comes, before the codes of the first are known as wrong."""
    hall, looked_up = a_hall(), []

    async def listing(code):
        looked_up.append(code)
        await asyncio.sleep(0)

    monkeypatch.setattr(hall.services.store, "listing", listing)
    app = an_app(hall, Limits(guesses=Rate(1e-9, 5)))
    codes = [f"CCCCFFF{char}" for char in ALPHABET]
    asking = [my_tables(request(app, *codes[first : first + 4])) for first in range(0, 16, 4)]
    answers = await asyncio.gather(*asking, return_exceptions=True)
    assert len(looked_up) == 5
    assert {answer.refusal.key for answer in answers if isinstance(answer, ServerRefused)} == {"too_many_codes"}


def an_app(hall, limits):
    admission = Admission(limits, hall.services.monotonic)
    return SimpleNamespace(state=SimpleNamespace(hall=hall, admission=admission, uploads=Uploads()))


def request(app, *codes):
    """A request that asks for these tables."""
    body = msgspec.json.encode({"tables": [{"code": code} for code in codes]})

    async def receive():
        return {"type": "http.request", "body": body}

    return Request({"type": "http", "app": app, "client": ("192.0.2.1", 0), "headers": []}, receive)


@together
async def test_a_table_that_is_deleted_while_it_is_looked_up_is_gone(monkeypatch):
    hall = a_hall()

    async def code(typed):
        return typed

    monkeypatch.setattr(hall, "code", code)  # the table was there a moment ago
    (answer,) = (await my_tables(request(an_app(hall, Limits()), "CCCCFFFF"))).tables
    assert (answer.code, answer.status) == ("CCCCFFFF", None)
