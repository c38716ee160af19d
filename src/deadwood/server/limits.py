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

    def _fill(self, now: float) -> None:
        self._left = min(self._rate.burst, self._left + (now - self._at) * self._rate.per_second)
        self._at = now


class Buckets:
    """One for everybody who asks. One that nobody has asked for long enough to fill up is forgotten."""

    def __init__(self, rate: Rate, now: Callable[[], float]) -> None:
        self._rate = rate
        self._now = now
        self._recent: dict[Hashable, Bucket] = {}
        self._older: dict[Hashable, Bucket] = {}
        self._turned = now()

    def take(self, who: Hashable, count: float = 1) -> float:
        """Take some for somebody; how many seconds to wait if there are too few, else 0."""
        now = self._now()
        bucket = self._recent.get(who)
        if bucket is None:
            older = self._older.pop(who, None)
            bucket = self._recent[who] = Bucket(self._rate, now) if older is None else older
        return bucket.take(now, count)

    def forget(self) -> None:
        """Drop those that have filled up: all that were not asked since the last but one turn, whoever they are."""
        now = self._now()
        if now - self._turned >= self._rate.burst / self._rate.per_second:
            self._older, self._recent, self._turned = self._recent, {}, now

    def __len__(self) -> int:
        return len(self._recent) + len(self._older)
