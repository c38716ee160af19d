"""Notices over a real server to a real receiver: what people may ask for, what arrives, and what a kill cannot stop.

Holds `server.http.asked_notices`, `server.notices.sender` and `server.protocol.notices`.
"""

import argparse
import json
import random
import secrets
import tempfile

import pytest

from deadwood.server.app import make_app
from deadwood.server.limits import Rate
from deadwood.server.protocol.commands import HandOver, NewPerson, NewTable, TakeOver
from deadwood.server.settings import Limits
from deadwood.server.store.database import DatabaseStore
from deadwood.server.tables.ports import Subscription
from deadwood.server.tables.table_state import hash_secret

from .notices.letterbox import Browser, Receiver, opened, signed
from .people import PATIENCE, Server, person, serving, settings_for, together, token

QUICK = {"private_notices": True, "notice_delay": 0.0, "notice_retry": 0.1, "notice_poll": 0.02}


@pytest.fixture(scope="module")
def receiver():
    with Receiver() as running:
        yield running


@pytest.fixture(scope="module")
def sending(tmp_path_factory, receiver):
    """A server that sends notices at once, even to this machine."""
    with serving(f"sqlite:///{tmp_path_factory.mktemp('notices')}/games.sqlite3", **QUICK) as server:
        yield server
        assert "traceback" not in server.log()
        assert receiver.url not in server.log()


def a_game(server, names=("Ada", "Bo"), **more):
    """A running game: its code, and everybody's token. Nobody is connected, and it is the first one's turn."""
    tokens = [token() for _ in names]
    chairs = [
        {"type": "person", "name": name, "token": own, "salt": token()} for name, own in zip(names, tokens, strict=True)
    ]
    options = {"days": 1, "first": names[0], **more}
    body = {"chairs": chairs, "start": True, "options": options, "house": {"grace": None}}
    return server.post("/api/tables", body, status=201)["table"]["code"], tokens


def ask(server, code, own, target, status=200, language="en"):
    path, language = f"/api/tables/{code}/notices", {"accept-language": language}
    answered, _, body = server.request("PUT", path, target, token=own, headers=language)
    assert answered == status, body
    return body


def hook(url, **more):
    return {"type": "webhook", "url": url, **more}


def end_turn(server, code, own):
    seq = server.get(f"/api/tables/{code}")["seq"] + 1
    command = {"type": "play", "id": secrets.token_hex(8), "seq": seq, "action": "end"}
    server.post(f"/api/tables/{code}/commands", command, own)


def at(path):
    return lambda post: post[0] == path


def test_webhooks_of_every_kind_get_a_turn(sending, receiver):
    code, (ada, bo) = a_game(sending)
    for kind in ("discord", "slack", "ntfy", "json"):
        ask(sending, code, bo, hook(f"{receiver.url}/{code}/{kind}/topic", kind=kind), language="de")
    end_turn(sending, code, ada)
    got = {
        kind: opened(receiver.wait_for(at(f"/{code}/{kind}/{'' if kind == 'ntfy' else 'topic'}")))
        for kind in ("discord", "slack", "ntfy", "json")
    }
    assert "Du bist dran, Bo." in got["discord"]["content"].replace("\\", "")
    assert "Du bist dran, Bo." in got["slack"]["text"]
    assert (got["ntfy"]["topic"], got["ntfy"]["message"]) == ("topic", "Du bist dran, Bo.")
    assert (got["json"]["type"], got["json"]["tag"]) == ("turn", f"{code}-1-2")
    assert got["json"]["link"] == f"{sending.url}/t/{code}"


def test_a_browser_gets_a_turn_that_it_alone_can_read(sending, receiver):
    code, (ada, bo) = a_game(sending)
    browser = Browser(f"{receiver.url}/push/{code}")
    view = ask(sending, code, bo, browser.target)
    end_turn(sending, code, ada)
    _, headers, body = receiver.wait_for(at(f"/push/{code}"))
    assert browser.read(body) == {
        "title": "Deadwood: Ada's table",
        "body": "It is your turn, Bo.",
        "tag": f"{code}-1-2",
        "table": code,
    }
    claims = signed(headers["authorization"], view["key"], receiver.url)
    assert claims["sub"].startswith("mailto:")
    assert (headers["content-encoding"], headers["urgency"]) == ("aes128gcm", "high")


@together
async def test_people_get_notices_only_while_they_are_not_connected(sending, receiver):
    code, (ada, bo) = a_game(sending)
    ask(sending, code, ada, hook(f"{receiver.url}/{code}/ada"))
    ask(sending, code, bo, hook(f"{receiver.url}/{code}/bo"))
    async with person(sending, code, bo) as here:
        end_turn(sending, code, ada)
        await here.hear_update(here.seq + 1)
        end_turn(sending, code, bo)
        receiver.wait_for(at(f"/{code}/ada"))
    end_turn(sending, code, ada)
    receiver.wait_for(at(f"/{code}/bo"))
    tags = [opened(post)["tag"] for post in receiver.posts if post[0] == f"/{code}/bo"]
    assert tags == [f"{code}-1-4"]


def test_a_view_shows_hosts_and_no_secrets(sending, receiver):
    code, (ada, bo) = a_game(sending)
    secret = f"{receiver.url}/very/private-word"
    view = ask(sending, code, ada, hook(secret))
    assert [(one["kind"], one["host"]) for one in view["subscriptions"]] == [("json", "127.0.0.1")]
    assert ask(sending, code, ada, hook(secret))["subscriptions"] == view["subscriptions"]
    mine = sending.request("GET", f"/api/tables/{code}/notices", token=ada)[2]
    his = sending.request("GET", f"/api/tables/{code}/notices", token=bo)[2]
    assert mine == view
    assert his["subscriptions"] == []
    assert his["key"] == mine["key"]
    everything = json.dumps([mine, his, sending.get(f"/api/tables/{code}"), sending.get("/metrics")])
    assert "private-word" not in everything
    one = view["subscriptions"][0]["id"]
    for own, status in ((bo, 404), (None, 403), (ada, 200), (ada, 404)):
        assert sending.request("DELETE", f"/api/tables/{code}/notices/{one}", token=own)[0] == status


def test_a_test_notice_says_what_was_sent_and_what_became_of_it(sending, receiver):
    code, (ada, bo) = a_game(sending)
    path = f"/api/tables/{code}/notices/test"
    id = ask(sending, code, ada, hook(f"{receiver.url}/{code}/test"))["subscriptions"][0]["id"]
    tried = sending.post(path, {"id": id}, ada)
    assert (tried["delivered"], tried["sentence"]) == (True, "127.0.0.1 accepted the notice.")
    assert receiver.wait_for(at(f"/{code}/test"))[2].decode() == tried["sent"]
    assert "This is a test. Notices for Ada arrive here." in tried["sent"]
    receiver.replies = [500]
    assert sending.post(path, {"id": id}, ada)["sentence"].endswith("it answered 500.")
    assert sending.post(path, {"id": id}, bo, status=404)["code"] == "notice_unknown"
    receiver.replies = [410]
    assert "was removed" in sending.post(path, {"id": id}, ada)["sentence"]
    assert sending.post(path, {"id": id}, ada, status=404)["code"] == "notice_unknown"
    gone = ask(sending, code, ada, hook("http://127.0.0.1:1/nobody"))["subscriptions"][0]["id"]
    said = sending.post(path, {"id": gone}, ada)["sentence"]
    assert said == "127.0.0.1 does not answer. Check the address, or try again later."


def test_a_browser_moves_to_another_address(sending, receiver):
    code, (ada, bo) = a_game(sending)
    old, new = Browser(f"{receiver.url}/old/{code}"), Browser(f"{receiver.url}/new/{code}")
    ask(sending, code, bo, old.target)
    moved = {"was": old.target["endpoint"], "now": new.target}
    assert sending.post("/api/notices/moved", moved) == {"chairs": 1}
    assert sending.post("/api/notices/moved", moved) == {"chairs": 0}
    end_turn(sending, code, ada)
    assert new.read(receiver.wait_for(at(f"/new/{code}"))[2])["tag"] == f"{code}-1-2"


def test_a_seat_has_a_limited_number_of_addresses(sending, receiver):
    code, (ada, _) = a_game(sending)
    for number in range(6):
        ask(sending, code, ada, hook(f"{receiver.url}/{number}"))
    assert ask(sending, code, ada, hook(f"{receiver.url}/more"), 409)["code"] == "notices_full"


def test_private_addresses_are_refused_unless_the_operator_allows_them(server):
    code, (ada, _) = a_game(server)
    refused = {
        "http://example.org/": "notice_address_wrong",
        "https://127.0.0.1/": "notice_address_private",
        "https://localhost/": "notice_address_private",
        "https://0x7f.1/": "notice_address_private",
        "https://[::ffff:10.0.0.1]/": "notice_address_private",
        "https://169.254.169.254/latest/meta-data": "notice_address_private",
    }
    for url, key in refused.items():
        assert ask(server, code, ada, hook(url), 409)["code"] == key
        target = Browser(url).target
        assert ask(server, code, ada, target, 409)["code"] == key
        assert server.post("/api/notices/moved", {"was": url, "now": target}, status=409)["code"] == key
    assert server.request("GET", f"/api/tables/{code}/notices", token=ada)[2]["subscriptions"] == []


@pytest.mark.parametrize(
    "target",
    [
        {"type": "webhook"},
        {"type": "webhook", "url": "https://ntfy.sh/x", "kind": "mail"},
        {"type": "push", "endpoint": "https://push.example/x", "p256dh": "x", "auth": "y"},
        {"type": "webhook", "url": "x" * 1001},
        {"type": "other"},
        [],
    ],
)
def test_malformed_targets_are_refused(sending, target):
    code, (ada, _) = a_game(sending)
    assert ask(sending, code, ada, target, 400)["code"] == "message_invalid"


def test_ntfy_wants_a_topic(sending, receiver):
    code, (ada, _) = a_game(sending)
    assert ask(sending, code, ada, hook(f"{receiver.url}/", kind="ntfy"), 409)["code"] == "notice_topic_missing"


def test_only_the_holder_of_a_chair_may_ask(sending, receiver):
    code, _ = a_game(sending)
    for own in (None, token()):
        assert ask(sending, code, own, hook(receiver.url), 403)["code"] == "token_unknown"


def test_an_operator_can_switch_it_off_and_asking_is_limited(sqlite_url, receiver):
    limited = Limits(asking=Rate(0.001, 3))
    with serving(sqlite_url, **{**QUICK, "notices": False, "limits": limited}) as server:
        code, (ada, _) = a_game(server)
        assert ask(server, code, ada, hook(receiver.url), 403)["code"] == "notices_off"
        assert server.request("GET", f"/api/tables/{code}/notices", token=ada)[2]["allowed"] is False
        statuses = [server.request("GET", f"/api/tables/{code}/notices", token=ada)[0] for _ in range(2)]
        assert statuses == [200, 429]


# --- kill -9


def kill_again_and_again(url, kills, seed=1):
    """Play turn after turn and kill the server right after a commit, or while it sends. Every turn is announced.

    Returns how many turns were announced, and how many notices that took.
    """
    chance, turn, game = random.Random(seed), 1, None
    with Receiver() as receiver:
        for number in range(kills):
            server = Server(settings_for(url, **QUICK))
            try:
                if game is None:
                    game = a_game(server)
                    for own in game[1]:
                        ask(server, game[0], own, hook(f"{receiver.url}/{own}"))
                code, tokens = game
                if turn > 1:
                    _await_turn(receiver, game, turn)
                for _ in range(chance.randint(1, 3)):
                    end_turn(server, code, tokens[(turn - 1) % 2])
                    turn += 1
                    _await_turn(receiver, game, turn)
                while_sending = number % 2 == 1
                if while_sending:
                    receiver.meet = server.kill
                end_turn(server, code, tokens[(turn - 1) % 2])
                turn += 1
                if while_sending:
                    server.process.wait(PATIENCE)
                    receiver.meet = lambda: None
            finally:
                server.kill()
                server.errors.close()
        with serving(url, **QUICK):
            _await_turn(receiver, game, turn)
        _check(receiver, game, turn)
        return turn - 1, len(receiver.posts)


def _await_turn(receiver, game, turn):
    code, tokens = game
    wanted = f"/{tokens[(turn - 1) % 2]}", f"{code}-1-{turn}"
    receiver.wait_for(lambda post: (post[0], opened(post)["tag"]) == wanted)


def _check(receiver, game, turns):
    """Every turn was announced to its player, in order; only repeats share a tag."""
    code, tokens = game
    got = [(post[0][1:], opened(post)["tag"]) for post in receiver.posts]
    once = list(dict.fromkeys(got))
    assert once == [(tokens[(turn - 1) % 2], f"{code}-1-{turn}") for turn in range(2, turns + 1)]


def test_no_turn_goes_unannounced_when_the_server_is_killed(sqlite_url):
    turns, notices = kill_again_and_again(sqlite_url, kills=2)
    assert notices >= turns >= 5


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        turns, notices = kill_again_and_again(f"sqlite:///{folder}/notices.sqlite3", arguments.kills)
    print(f"{turns} turns, {arguments.kills} kills: all announced, with {notices} notices; repeats carry the same tag")


@together
async def test_a_chair_handed_over_while_an_address_is_looked_up_gets_no_notices(sqlite_url):
    app = make_app(settings_for(sqlite_url, **QUICK), await DatabaseStore.open(sqlite_url))
    own, others, secret, sent = token(), token(), token(), []
    sits = NewTable(chairs=(NewPerson(name="Ada", token=own),))

    async def receive():
        return {"type": "http.request", "body": json.dumps(hook("https://example.org/")).encode(), "more_body": False}

    async def send(message):
        sent.append(message)

    async with app.router.lifespan_context(app):
        room = await app.state.hall.open(sits)
        code, outbox = room.sitting.code, app.state.hall.services.store.outbox
        taken = Subscription("1" * 32, code, 1, hash_secret(others), "json", "https://example.net/", "", "en", 1.0)

        async def slow(_asked):
            await room.clerk.perform(room.caller([own], "en"), HandOver(id="1", chair=1, secret=secret))
            await room.clerk.perform(room.caller([], "en"), TakeOver(id="2", secret=secret, token=others))
            await outbox.subscribe(taken, 6)
            return "json", "https://example.org/", ""

        app.state.sender.checked = slow
        scope = {"type": "http", "method": "PUT", "path": f"/api/tables/{code}/notices", "query_string": b""}
        headers = [(b"authorization", f"Bearer {own}".encode())]
        await app({**scope, "headers": headers, "client": ("127.0.0.1", 1)}, receive, send)
        assert sent[0]["status"] == 403
        assert await outbox.subscriptions(code, 1) == [taken]
