"""Token buckets limit the rate of one client."""

import weakref

import pytest

from deadwood.server import guesses as guesses_module
from deadwood.server.guesses import Guesses
from deadwood.server.limits import Bucket, Buckets, Rate, limited_address


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


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2::9", "2001:db8:1:2::"),
        ("2001:db8:1:3::9", "2001:db8:1:3::"),
        ("fe80::1%eth0", "fe80::"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("::1", "::1"),
        ("127.0.0.1", "127.0.0.1"),
        ("", ""),
        ("unix socket", "unix socket"),
    ],
)
def test_a_whole_network_counts_as_one_address(address, counted):
    """Somebody with one IPv6 address has its whole network, and could use another address for every request."""
    assert limited_address(address) == counted


def test_a_bucket_can_owe():
    bucket = Bucket(Rate(2, 3), now=0.0)
    assert bucket.wait(0.0) == 0
    for _ in range(5):
        bucket.owe(0.0)
    assert bucket.wait(0.0) == pytest.approx(1.5)
    assert bucket.wait(1.5) == 0


def test_a_code_that_was_tried_before_costs_nothing():
    guesses = Guesses(Rate(1, 3), lambda: 0.0)
    for code in ("A", "B", "A", "A"):
        guesses.wrong("192.0.2.1", code)
        assert guesses.wait("192.0.2.1") == 0
    guesses.wrong("192.0.2.1", "C")
    assert guesses.wait("192.0.2.1") == 1
    assert guesses.wait("192.0.2.2") == 0


class Typed(str):
    """A text that can be weakly referenced."""


def test_a_long_wrong_code_is_not_kept_in_memory():
    guesses, code = Guesses(Rate(1, 3), lambda: 0.0), Typed("x" * 60_000)
    kept = weakref.ref(code)
    guesses.wrong("192.0.2.1", code)
    del code
    assert kept() is None


def test_codes_are_not_remembered_for_ever(monkeypatch):
    monkeypatch.setattr(guesses_module, "_MOST_REMEMBERED", 10)
    guesses = Guesses(Rate(1, 3), lambda: 0.0)
    for number in range(100):
        guesses.wrong("192.0.2.1", str(number))
    assert len(guesses._tried) == 10
