"""What is written to the store and read from it."""

from typing import Literal, Protocol

from msgspec import Struct

from ...engine.refusal import DeadwoodError
from ..tables.log import Entry

Status = Literal["waiting", "running", "finished"]
Answers = dict[tuple[int, str], int]  # by seat and the command's id


class StoreFailed(DeadwoodError):
    """The database did not do what it was asked for, or did not say whether."""


class StoreGone(StoreFailed):
    """There is no connection to the database: whatever is tried next will fail, too."""


class Listing(Struct, frozen=True):
    """A table as lists show it; `summary` is JSON."""

    code: str
    number: int
    public: bool
    status: Status
    summary: str


class GameRow(Struct, frozen=True):
    """A game of a table: which entries tell it; `summary`, JSON, is there once it is over."""

    code: str
    number: int
    first_seq: int
    last_seq: int | None = None
    summary: str | None = None


class Change(Struct, frozen=True):
    """An entry, and what lists must show once it is in the log. All of it is kept, or nothing."""

    entry: Entry
    listing: Listing | None = None
    game: GameRow | None = None


class Store(Protocol):
    """A database of tables."""

    async def commit(self, changes: list[Change]) -> list[bool]:
        """Keep changes durably, in one transaction; which of them were the first to take their number."""

    async def listing(self, code: str) -> Listing | None:
        """The table with this code."""

    async def listings(self, status: Status, before: int | None, limit: int) -> list[Listing]:
        """Public tables, the newest first, from those before a number on."""

    async def entries(self, code: str, first: int, last: int | None = None) -> list[Entry]:
        """A table's log, from one number to another."""

    async def games(self, code: str, before: int | None, limit: int) -> list[GameRow]:
        """A table's games, the latest first."""

    async def game(self, code: str, number: int) -> GameRow | None:
        """One game of a table."""

    async def answers(self, code: str, before: int) -> Answers:
        """The numbers of the entries that seats' commands made, among those before a number."""

    async def ping(self) -> None:
        """Fails if the database does not answer."""

    async def close(self) -> None:
        """Let go of the database."""
