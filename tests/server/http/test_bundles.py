"""What personal keys carry: stored by compare and swap, within limits, opaque, and never by a readable id."""

import base64
import contextlib
import secrets
import sqlite3

import pytest

from deadwood.server.limits import Rate
from deadwood.server.protocol.commands import BUNDLE_LENGTH
from deadwood.server.settings import Limits

from ..people import serving

PATH = "/api/bundle"


def sealed(size=90):
    return base64.b64encode(secrets.token_bytes(size)).decode()


def swap(server, key, version, content):
    status, _, answer = server.request("PUT", PATH, {"version": version, "sealed": content}, token=key)
    assert status == 200, answer
    return answer


def show(server, key):
    status, _, answer = server.request("GET", PATH, token=key)
    assert status == 200, answer
    return answer


def test_a_key_carries_nothing_at_first_and_then_the_latest(server):
    key, first, second = secrets.token_hex(32), sealed(), sealed()
    assert show(server, key) == {"version": 0}
    assert swap(server, key, 0, first) == {"version": 1, "stored": True}
    assert show(server, key) == {"version": 1, "sealed": first}
    assert swap(server, key, 1, second) == {"version": 2, "stored": True}
    assert show(server, key) == {"version": 2, "sealed": second}


@pytest.mark.parametrize("version", [0, 2, 3, 2**31 - 2])
def test_a_swap_with_an_old_version_gets_the_current_bundle_and_changes_nothing(server, version):
    key, there = secrets.token_hex(32), sealed()
    swap(server, key, 0, there)
    assert swap(server, key, version, sealed()) == {"version": 1, "sealed": there}
    assert show(server, key) == {"version": 1, "sealed": there}


def test_a_version_of_nothing_is_not_stored(server):
    key = secrets.token_hex(32)
    assert swap(server, key, 7, sealed()) == {"version": 0}
    assert show(server, key) == {"version": 0}


def test_a_version_that_has_no_next_one_is_refused(server):
    status, _, answer = server.request(
        "PUT", PATH, {"version": 2**31 - 1, "sealed": sealed()}, token=secrets.token_hex(32)
    )
    assert (status, answer["code"]) == (400, "message_invalid")


def test_keys_have_nothing_to_do_with_each_other(server):
    one, other, content = secrets.token_hex(32), secrets.token_hex(32), sealed()
    swap(server, one, 0, content)
    assert show(server, other) == {"version": 0}
    assert server.request("DELETE", PATH, token=other)[0] == 200
    assert show(server, one)["sealed"] == content
    assert server.request("DELETE", PATH, token=one)[2] == {"version": 0}
    assert show(server, one) == {"version": 0}
    assert swap(server, one, 0, content)["stored"]


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
@pytest.mark.parametrize(
    ("headers", "code"), [({}, "key_missing"), ({"authorization": "Bearer word word word"}, "token_unknown")]
)
def test_without_an_id_nothing_happens(server, method, headers, code):
    body = {"version": 0, "sealed": sealed()} if method == "PUT" else None
    status, _, answer = server.request(method, PATH, body, headers=headers)
    assert (status, answer["code"]) == (403, code)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"version": 0},
        {"version": -1, "sealed": "AAAA"},
        {"version": 2**31, "sealed": "AAAA"},
        {"version": "0", "sealed": "AAAA"},
        {"version": 0, "sealed": ""},
        {"version": 0, "sealed": "no base64"},
        {"version": 0, "sealed": "AAAA\n"},
        {"version": 0, "sealed": "A" * (BUNDLE_LENGTH + 1)},
        {"version": 0, "sealed": "AAAA", "more": 1},
        [],
    ],
)
def test_junk_is_refused(server, body):
    key = secrets.token_hex(32)
    status, _, answer = server.request("PUT", PATH, body, token=key)
    assert (status, answer["code"]) == (400, "message_invalid")
    assert show(server, key) == {"version": 0}


def test_a_bundle_has_its_limit(server):
    key, most = secrets.token_hex(32), "A" * BUNDLE_LENGTH
    assert swap(server, key, 0, most)["stored"]
    assert show(server, key)["sealed"] == most
    status, _, answer = server.request("PUT", PATH, b" " * (BUNDLE_LENGTH + 2000), token=key)
    assert (status, answer["code"]) == (413, "message_too_big")


def test_an_address_may_store_only_so_much(sqlite_url):
    limits = Limits(bundles=Rate(0.001, 4), new_bundles=Rate(0.001, 2))
    with serving(sqlite_url, limits=limits) as server:
        here, keys = server.at("203.0.113.9"), [secrets.token_hex(32) for _ in range(3)]
        swap(here, keys[0], 0, sealed())
        swap(here, keys[1], 0, sealed())
        wish = {"version": 0, "sealed": sealed()}
        assert here.request("PUT", PATH, wish, token=keys[2])[0] == 429
        assert swap(here, keys[0], 1, sealed())["stored"]
        status, headers, _ = here.request("PUT", PATH, {"version": 2, "sealed": sealed()}, token=keys[0])
        assert (status, int(headers["retry-after"]) > 0) == (429, True)
        assert show(here, keys[0])["version"] == 2
        assert swap(server.at("203.0.113.10"), keys[2], 0, sealed())["stored"]


def test_the_database_has_no_id_and_the_day_of_the_last_use(tmp_path):
    key = secrets.token_hex(32)
    with serving(f"sqlite:///{tmp_path}/x.db") as server:
        swap(server, key, 0, sealed())
        with contextlib.closing(sqlite3.connect(tmp_path / "x.db")) as database:
            database.execute("UPDATE bundles SET used = used - 100000")
            database.commit()
            (before,) = database.execute("SELECT used FROM bundles").fetchone()
            show(server, key)
            (after,) = database.execute("SELECT used FROM bundles").fetchone()
            show(server, key)
            assert database.execute("SELECT used FROM bundles").fetchone() == (after,)
        log = server.log()
    assert after > before + 99_000
    kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert key.encode() not in kept
    assert key not in log
