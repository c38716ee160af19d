"""The tokens of our seats at served tables. Anybody who reads them can play for us, so only the user may."""

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
from msgspec import Struct
from platformdirs import user_data_path

from ..client import TableAddress
from ..engine.refusal import DeadwoodError
from ..files import replacing
from ..locks import lock_or_raise
from ..server.protocol.commands import MOST_TOKENS

MOST_TABLES = 200
_PATIENCE = 10.0  # seconds to wait for another program that is writing


class KeptSeat(Struct, frozen=True):
    """Somebody's seat, the token that holds it, and whether a bot of ours plays there."""

    name: str
    token: str
    bot: bool = False


Seats = tuple[KeptSeat, ...]


class KeptTable(Struct, frozen=True):
    """The seats at one table; the latest is the last."""

    server: str
    code: str
    seats: Seats = ()


def folder() -> Path:
    """The folder of the tokens, with one file for each table."""
    return user_data_path("deadwood") / "seats"


class SeatTokens:
    """The seats of this computer's user at one table, or those of the user's bots: neither plays for the other."""

    def __init__(self, address: TableAddress, bots: bool = False) -> None:
        self._server = address.server
        self._code = address.code
        self._bots = bots
        server = hashlib.sha256(address.server.encode()).hexdigest()[:16]
        self.file = folder() / f"{address.code}-{server}.json"

    def seats(self, name: str | None = None) -> Seats:
        """All seats, or those of the person with this name."""
        found = [seat for seat in self._read().seats if seat.bot == self._bots]
        return tuple(seat for seat in found if name is None or seat.name.casefold() == name.casefold())

    def keep(self, token: str, name: str) -> None:
        """Remember a seat, before the server knows of it."""
        self._change(lambda seats: (*seats, KeptSeat(name, token, self._bots)))

    def forget(self, token: str) -> None:
        """Forget a token: the server said that it holds no seat."""
        self._change(lambda seats: tuple(seat for seat in seats if seat.token != token))

    def _change(self, change: Callable[[Seats], Seats]) -> None:
        """Change the file; only one program at a time reads and writes it."""
        _make_folder()
        refusal = DeadwoodError(f"Another program does not finish writing in {folder()}; end it first.")
        lock = lock_or_raise(folder() / "lock", refusal, _PATIENCE)
        try:
            self._write(change(self._read().seats)[-MOST_TOKENS:])
            _forget_oldest()
        finally:
            lock.release()

    def _write(self, seats: Seats) -> None:
        with replacing(self.file, private=True) as draft:
            draft.write_bytes(msgspec.json.encode(KeptTable(self._server, self._code, seats)))

    def _read(self) -> KeptTable:
        try:
            return msgspec.json.decode(self.file.read_bytes(), type=KeptTable)
        except FileNotFoundError:
            return KeptTable(self._server, self._code)
        except (msgspec.MsgspecError, ValueError):
            raise DeadwoodError(f"{self.file} is damaged; move it away to sit down at this table again.") from None


def _make_folder() -> None:
    folder().mkdir(parents=True, exist_ok=True)
    folder().chmod(0o700)


def _forget_oldest() -> None:
    for file in sorted(folder().glob("*.json"), key=_age)[:-MOST_TABLES]:
        file.unlink(missing_ok=True)


def _age(file: Path) -> float:
    return file.stat().st_mtime


def kept_tables() -> Iterator[KeptTable]:
    """The tables where we have had a seat ourselves, the latest first; damaged files are left out."""
    for file in sorted(folder().glob("*.json"), key=_age, reverse=True):
        try:
            table = msgspec.json.decode(file.read_bytes(), type=KeptTable)
        except (OSError, msgspec.MsgspecError, ValueError):
            continue
        if not all(seat.bot for seat in table.seats):
            yield table
