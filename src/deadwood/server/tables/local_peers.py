"""LocalPeers: the peers of a process that has its store to itself."""

from collections.abc import Callable, Collection

from .bulletins import TableBulletin
from .ports import PeerTable


class LocalPeers:
    """No other processes: all leases are ours, and there is nobody to tell."""

    possible = False
    others = 0
    leases = 0
    cut_off = False

    def join(self, code: str, table: PeerTable, is_new: bool = False) -> None:
        pass

    def leave(self, code: str) -> None:
        pass

    def tell(self, bulletin: TableBulletin) -> None:
        pass

    def fence(self, code: str) -> int | None:  # noqa: ARG002 - the port has it
        return 0

    async def claim(self, codes: Collection[str]) -> set[str]:
        return set(codes)

    async def check(self, code: str) -> None:
        pass

    async def live(self, wake: Callable[[str], None]) -> None:
        pass

    async def close(self) -> None:
        pass
