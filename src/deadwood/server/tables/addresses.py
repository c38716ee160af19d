"""Addresses from which people sat down. None of this is stored."""

from collections.abc import Container

from ..limits import PROXIES


class Addresses:
    """Counts the chairs of a table that were taken from an address, while the table is in memory."""

    def __init__(self) -> None:
        self._by_chair: dict[int, str] = {}

    def __getitem__(self, address: str) -> int:
        return 0 if address in PROXIES else list(self._by_chair.values()).count(address)

    def add(self, chair: int, address: str) -> None:
        """Somebody sat down."""
        self._by_chair[chair] = address

    def keep(self, chairs: Container[int]) -> None:
        """Forget chairs that nobody holds any more."""
        self._by_chair = {chair: address for chair, address in self._by_chair.items() if chair in chairs}
