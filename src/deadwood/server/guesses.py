"""Guesses: codes that no table has. An address that tries many must wait, or it would find somebody's table."""

from collections import OrderedDict
from collections.abc import Callable

from .limits import Buckets, Rate

_MOST_REMEMBERED = 10_000  # pairs of an address and a code


class Guesses:
    """Counts the wrong codes that each address has tried."""

    def __init__(self, rate: Rate, now: Callable[[], float]) -> None:
        self._buckets = Buckets(rate, now)
        self._tried: OrderedDict[int, None] = OrderedDict()

    def wait(self, address: str) -> float:
        """The seconds until an address may try another code."""
        return self._buckets.wait(address)

    def take(self, address: str) -> float:
        """Count a code before anybody knows whether it is wrong; or return the seconds to wait.

        Counted later, many codes tried at the same moment would all be looked up.
        """
        return self._buckets.take(address)

    def right(self, address: str) -> None:
        """The code that was counted is not wrong."""
        self._buckets.give_back(address)

    def wrong(self, address: str, code: str) -> None:
        """It is wrong. The same code again does not count: browsers keep asking for tables that are gone."""
        tried = hash((address, code))  # a hash, because the typed text may be long
        if tried in self._tried:
            self._buckets.give_back(address)
        self._tried[tried] = None
        self._tried.move_to_end(tried)
        if len(self._tried) > _MOST_REMEMBERED:
            self._tried.popitem(last=False)

    def forget(self) -> None:
        """Drop the buckets that are full again."""
        self._buckets.forget()
