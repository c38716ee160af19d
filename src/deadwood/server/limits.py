"""How much one may ask for: buckets that fill up again."""

from collections.abc import Callable, Hashable

from msgspec import Struct


class Rate(Struct, frozen=True):
    """So many a second, and so many at once."""

    per_second: float
    burst: float


class Bucket:
    """Full at first; every request takes one out."""

    __slots__ = ("_at", "_left", "_rate")

    def __init__(self, rate: Rate, now: float) -> None:
        self._rate = rate
        self._left = rate.burst
        self._at = now

    def take(self, now: float, count: float = 1) -> float:
        """Take some; how many seconds to wait if there are too few, else 0."""
        self._fill(now)
        if self._left < count:
            return (count - self._left) / self._rate.per_second
        self._left -= count
        return 0.0

    def full(self, now: float) -> bool:
        """Whether it could as well be forgotten."""
        self._fill(now)
        return self._left >= self._rate.burst

    def _fill(self, now: float) -> None:
        self._left = min(self._rate.burst, self._left + (now - self._at) * self._rate.per_second)
        self._at = now


class Buckets:
    """One for everybody who asks; full ones are forgotten."""

    def __init__(self, rate: Rate, now: Callable[[], float]) -> None:
        self._rate = rate
        self._now = now
        self._buckets: dict[Hashable, Bucket] = {}

    def take(self, who: Hashable, count: float = 1) -> float:
        """Take some for somebody; how many seconds to wait if there are too few, else 0."""
        now = self._now()
        bucket = self._buckets.get(who)
        if bucket is None:
            bucket = self._buckets[who] = Bucket(self._rate, now)
        return bucket.take(now, count)

    def forget(self) -> None:
        """Drop the full ones."""
        now = self._now()
        self._buckets = {who: bucket for who, bucket in self._buckets.items() if not bucket.full(now)}

    def __len__(self) -> int:
        return len(self._buckets)
