"""Token buckets limit the rate of one client."""

import random
from math import ceil

import pytest

from deadwood.server.limits import Bucket, Buckets, Rate, limited_address


def test_a_bucket_empties_and_fills_again():
    bucket = Bucket(Rate(2, 3), now=0.0)
    assert [bucket.take(0.0) for _ in range(4)] == [0, 0, 0, 0.5]
    assert bucket.take(0.5) == 0
    assert bucket.take(0.6) == pytest.approx(0.4)
    assert bucket.take(10.0, 4) == pytest.approx(0.5)


@pytest.mark.parametrize("per_second", [0.2, 200 / 86_400, 20 / 86_400])
def test_a_bucket_has_a_token_when_it_said_so_whenever_that_is(per_second):
    """The larger the clock, the fewer digits it has for fractions of a second."""
    rng, rate = random.Random(4), Rate(per_second, 4)
    for _ in range(3_000):
        now = rng.uniform(0, 1e6)
        bucket = Bucket(rate, now)
        assert [bucket.take(now) for _ in range(4)] == [0] * 4
        assert bucket.take(now + ceil(bucket.take(now))) == 0


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


def test_a_token_can_be_put_back():
    bucket = Bucket(Rate(2, 3), now=0.0)
    bucket.give_back(0.0)  # it is full
    assert [bucket.take(0.0) for _ in range(4)] == [0, 0, 0, 0.5]
    bucket.give_back(0.0)
    assert [bucket.take(0.0) for _ in range(2)] == [0, 0.5]
