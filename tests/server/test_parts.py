"""Small parts by themselves."""

import asyncio
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadwood.server.codes import LENGTH, SIGNS, new_code, read_code, shown_code
from deadwood.server.connection import MOST_SIGNS, MOST_WAITING, Connection
from deadwood.server.limits import Bucket, Buckets, Rate
from deadwood.server.origins import address, origins
from deadwood.server.settings import SettingsWrong, origin_of


@given(st.integers(0, 2**32))
def test_codes_are_read_as_they_are_shown(seed):
    code = new_code(random.Random(seed).randbytes)
    assert len(code) == LENGTH
    assert set(code) <= set(SIGNS)
    assert read_code(shown_code(code).lower()) == read_code(f" {code[:2]} {code[2:]}") == code


@pytest.mark.parametrize("typed", ["", "CCCC", "CCCCFFFFF", "AAAAAAAA", "CCCC_FFFF", "ССССFFFF", "CCCCFFF\x00"])
def test_what_is_no_code(typed):
    assert read_code(typed) is None


def test_codes_have_no_words_and_no_lookalikes():
    assert not set(SIGNS) & set("AEIOUY0158BDGNPQSVZ6")
    assert len(set(SIGNS)) == 16


def test_a_bucket_empties_and_fills_again():
    bucket = Bucket(Rate(2, 3), now=0.0)
    assert [bucket.take(0.0) for _ in range(4)] == [0, 0, 0, 0.5]
    assert bucket.take(0.5) == 0
    assert bucket.take(0.6) == pytest.approx(0.4)
    assert not bucket.full(1.0)
    assert bucket.full(10.0)
    assert bucket.take(10.0, 4) == pytest.approx(0.5)


def test_full_buckets_are_forgotten():
    now = [0.0]
    buckets = Buckets(Rate(1, 5), lambda: now[0])
    for who in range(100):
        buckets.take(who)
    buckets.forget()
    assert len(buckets) == 100
    now[0] = 1.0
    buckets.forget()
    assert len(buckets) == 0


class Deaf:
    """A transport whose client never reads."""

    def __init__(self):
        self.aborted = False
        self.sent = []

    async def send(self, text):
        self.sent.append(text)
        await asyncio.get_running_loop().create_future()

    def abort(self):
        self.aborted = True


def test_a_queue_that_is_full_drops_its_client():
    async def run():
        transport = Deaf()
        connection = Connection(transport, "en")
        writer = asyncio.create_task(connection.write())
        await asyncio.sleep(0)
        for number in range(MOST_WAITING + 2):
            connection.say(str(number))
            await asyncio.sleep(0)
        assert transport.sent == ["0"]
        assert connection.dropped
        assert transport.aborted
        connection.say("too late")
        assert connection.stalled(asyncio.get_running_loop().time() + 5, 4)
        writer.cancel()
        await asyncio.gather(writer, return_exceptions=True)

    asyncio.run(run())


def test_a_queue_of_huge_messages_drops_its_client_sooner():
    async def run():
        connection = Connection(Deaf(), "en")
        for _ in range(3):
            connection.say("x" * MOST_SIGNS)
        assert connection.dropped

    asyncio.run(run())


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://play.example.org", "https://play.example.org"),
        ("https://Play.Example.org:8443/", "https://play.example.org:8443"),
        ("http://[::1]:8000", "http://[::1]:8000"),
    ],
)
def test_origins_of_addresses(url, origin):
    assert origin_of(url) == origin


@pytest.mark.parametrize("url", ["play.example.org", "ftp://x", "https://", "https://x/path", "https://x?y", ""])
def test_what_is_no_address(url):
    with pytest.raises(SettingsWrong):
        origin_of(url)


def test_our_own_origins():
    assert origins("127.0.0.1", 8000) == {"http://127.0.0.1:8000", "http://localhost:8000"}
    assert address("example.org", 80) == "http://example.org"
    assert address("::1", 8000) == "http://[::1]:8000"
    assert len(origins("0.0.0.0", 80)) >= 3
