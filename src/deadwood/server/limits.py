"""Rate limits: a token bucket for each sender."""

from collections.abc import Callable, Hashable
from ipaddress import IPv6Address, IPv6Network, ip_address

from msgspec import Struct

PROXIES = ("127.0.0.1", "::1")  # a proxy on this machine speaks for everybody
ONE_CUSTOMER = 64  # bits of an IPv6 address: a customer usually has all addresses that start with the same ones
_ROUNDING = 1e-6  # tokens; a bucket that lacks less has been refilled, apart from rounding


def limited_address(address: str) -> str:
    """The address as limits count it: in IPv6 its network, because one machine may use all of it."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if not isinstance(found, IPv6Address) or found.is_loopback:
        return address
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(IPv6Network((int(found), ONE_CUSTOMER), strict=False).network_address)


class Rate(Struct, frozen=True):
    """Requests a second, and how many may come at once."""

    per_second: float
    burst: float


class Bucket:
    """Full at first; every request takes one token out."""

    __slots__ = ("_at", "_left", "_rate")

    def __init__(self, rate: Rate, now: float) -> None:
        self._rate = rate
        self._left = rate.burst
        self._at = now

    def take(self, now: float, count: float = 1) -> float:
        """Take tokens. If there are too few, take none and return the seconds to wait; otherwise return 0."""
        wait = self.wait(now, count)
        if not wait:
            self._left -= count
        return wait

    def wait(self, now: float, count: float = 1) -> float:
        """The seconds until there are enough tokens."""
        self._refill(now)
        missing = count - self._left
        return missing / self._rate.per_second if missing > _ROUNDING else 0.0

    def give_back(self, now: float) -> None:
        """Put back a token that was not needed after all."""
        self._refill(now)
        self._left = min(self._rate.burst, self._left + 1)

    def _refill(self, now: float) -> None:
        self._left = min(self._rate.burst, self._left + (now - self._at) * self._rate.per_second)
        self._at = now


class Buckets:
    """One bucket for each sender. A bucket that has had time to fill up is forgotten."""

    def __init__(self, rate: Rate, now: Callable[[], float]) -> None:
        self._rate = rate
        self._now = now
        self._recent: dict[Hashable, Bucket] = {}
        self._older: dict[Hashable, Bucket] = {}
        self._rotated = now()

    def take(self, sender: Hashable, count: float = 1) -> float:
        """Take tokens for a sender. If there are too few, return the seconds to wait; otherwise return 0."""
        return self._bucket(sender).take(self._now(), count)

    def wait(self, sender: Hashable) -> float:
        """The seconds until there is a token for a sender."""
        return self._bucket(sender).wait(self._now())

    def give_back(self, sender: Hashable) -> None:
        """Put back a token of a sender that was not needed after all."""
        self._bucket(sender).give_back(self._now())

    def _bucket(self, sender: Hashable) -> Bucket:
        bucket = self._recent.get(sender)
        if bucket is None:
            older = self._older.pop(sender, None)
            bucket = self._recent[sender] = Bucket(self._rate, self._now()) if older is None else older
        return bucket

    def forget(self) -> None:
        """Drop the buckets untouched for two rotations, hence full."""
        now = self._now()
        if now - self._rotated >= self._rate.burst / self._rate.per_second:
            self._older, self._recent, self._rotated = self._recent, {}, now

    def __len__(self) -> int:
        return len(self._recent) + len(self._older)


class Tally:
    """Counts things in use by their user, and forgets users at zero."""

    def __init__(self) -> None:
        self._counts: dict[Hashable, int] = {}

    def __getitem__(self, key: Hashable) -> int:
        return self._counts.get(key, 0)

    def __len__(self) -> int:
        return len(self._counts)

    def add(self, key: Hashable) -> None:
        """Count one more."""
        self._counts[key] = self[key] + 1

    def remove(self, key: Hashable) -> None:
        """Count one less."""
        self._counts[key] -= 1
        if not self._counts[key]:
            del self._counts[key]
