"""Small parts by themselves."""

import asyncio
import random

import pytest
from deadwood.server.tables.attendance import Attendance
from hypothesis import given
from hypothesis import strategies as st

from deadwood.server.limits import Bucket, Buckets, Rate
from deadwood.server.origins import address, origins
from deadwood.server.settings import SettingsWrong, origin_of
from deadwood.server.socket.connection import MOST_BYTES, MOST_WAITING, Connection
from deadwood.server.tables.codes import LENGTH, SIGNS, new_code, read_code
from deadwood.server.workers.priority_semaphore import Turns


@given(st.integers(0, 2**32))
def test_codes_are_read_as_they_are_shown(seed):
    code = new_code(random.Random(seed).randbytes)
    assert len(code) == LENGTH
    assert set(code) <= set(SIGNS)
    assert read_code(f"{code[:4]}-{code[4:]}".lower()) == read_code(f" {code[:2]} {code[2:]}") == code


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
    assert bucket.take(10.0, 4) == pytest.approx(0.5)


def test_full_buckets_are_forgotten():
    now = [0.0]
    buckets = Buckets(Rate(1, 5), lambda: now[0])
    for who in range(100):
        assert [buckets.take(who) for _ in range(6)][-1] > 0
    buckets.forget()
    assert len(buckets) == 100
    now[0] = 5.0
    buckets.forget()
    assert [buckets.take(7) for _ in range(6)][-1] > 0  # remembered, and full again by now
    assert len(buckets) == 100
    now[0] = 9.0
    assert buckets.take(7) == 0
    now[0] = 10.0
    buckets.forget()
    assert len(buckets) == 1
    assert [buckets.take(7) for _ in range(6)][-1] > 0  # not forgotten too early


class Deaf:
    """A transport whose client never reads."""

    def __init__(self):
        self.aborted = False
        self.sent = []

    def send_now(self, text):
        return False

    async def send(self, text):
        self.sent.append(text)
        await asyncio.get_running_loop().create_future()

    def abort(self):
        self.aborted = True


def test_a_queue_that_is_full_drops_its_client():
    async def run():
        transport, sending = Deaf(), {}
        connection = Connection(transport, "en", sending)
        writer = asyncio.create_task(connection.write())
        await asyncio.sleep(0)
        for number in range(MOST_WAITING + 2):
            connection.say(b"%d" % number)
            await asyncio.sleep(0)
        assert transport.sent == [b"0"]
        assert list(sending) == [connection]
        assert connection.dropped
        assert transport.aborted
        connection.say(b"too late")
        writer.cancel()
        await asyncio.gather(writer, return_exceptions=True)
        assert sending == {}

    asyncio.run(run())


class Moody:
    """A transport that takes some messages at once, and lets others wait."""

    def __init__(self, chance):
        self._chance = chance
        self.sent = []

    def send_now(self, text):
        willing = self._chance.random() < 0.5
        if willing:
            self.sent.append(text)
        return willing

    async def send(self, text):
        await asyncio.sleep(self._chance.choice([0, 0, 0.001]))
        self.sent.append(text)


@pytest.mark.parametrize("seed", range(20))
def test_no_message_overtakes_another(seed):
    async def run():
        chance = random.Random(seed)
        transport, messages = Moody(chance), [b"%d" % number for number in range(100)]
        connection = Connection(transport, "en")
        writer = asyncio.create_task(connection.write())
        for message in messages:
            connection.say(message)
            if chance.random() < 0.3:
                await asyncio.sleep(0)
        async with asyncio.timeout(10):
            while len(transport.sent) < len(messages):
                await asyncio.sleep(0.001)
        assert transport.sent == messages
        writer.cancel()

    asyncio.run(run())


def test_a_queue_of_huge_messages_drops_its_client_sooner():
    async def run():
        connection = Connection(Deaf(), "en")
        for _ in range(3):
            connection.say(b"x" * MOST_BYTES)
        assert connection.dropped

    asyncio.run(run())


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://play.example.org", "https://play.example.org"),
        ("https://Play.Example.org:8443/", "https://play.example.org:8443"),
        ("http://[::1]:8000", "http://[::1]:8000"),
        ("https://play.example.org:443", "https://play.example.org"),
        ("http://play.example.org:80/", "http://play.example.org"),
        ("https://play.example.org:80", "https://play.example.org:80"),
    ],
)
def test_origins_of_addresses(url, origin):
    assert origin_of(url) == origin


NO_ADDRESSES = ["play.example.org", "ftp://x", "https://", "https://x/path", "https://x?y", ""]


@pytest.mark.parametrize(
    "url", [*NO_ADDRESSES, "http://[", "http://x:99999", "http://x:y", "http://a:b@x", "http://x#y"]
)
def test_what_is_no_address(url):
    with pytest.raises(SettingsWrong):
        origin_of(url)


def test_the_patient_let_others_go_first():
    async def run():
        turns, order = Turns(1), []

        async def work(name, patient):
            async with turns.turn(patient):
                order.append(name)
                await asyncio.sleep(0)

        wishes = [("first", True), ("patient", True), ("gone", False), ("hasty", False)]
        tasks = [asyncio.create_task(work(*wish)) for wish in wishes]
        await asyncio.sleep(0)
        tasks[2].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await work("last", True)  # nobody has taken a turn along
        return order

    assert asyncio.run(asyncio.wait_for(run(), 10)) == ["first", "hasty", "patient", "last"]


def test_our_own_origins():
    assert origins("127.0.0.1", 8000) == {"http://127.0.0.1:8000", "http://localhost:8000"}
    assert address("example.org", 80) == "http://example.org"
    assert address("::1", 8000) == "http://[::1]:8000"
    assert len(origins("0.0.0.0", 80)) >= 3


def test_a_seat_is_held_until_its_last_connection_goes():
    attendance = Attendance()
    assert attendance.come({1, 2})
    assert not attendance.come({2})
    assert not attendance.come(())
    assert not attendance.go({2})
    assert attendance.seats == (1, 2)
    assert attendance.go({1, 2})
    assert attendance.seats == ()
