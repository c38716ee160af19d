"""`deadwood admin`: looking after the tables of a server, which may be running or stopped."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import reduce
from pathlib import Path

from msgspec import Struct

from ..engine.refusal import DeadwoodError
from .networks import demand_bannable, parse_network
from .protocol.codes import parse_code
from .protocol.views import Status
from .store import administration, removal
from .store.administration import Ban, Storage, TableRow
from .store.database import DatabaseStore
from .store.files import existing_file
from .tables.listing import listed
from .tables.log import CalledOff, Deleted, Entry, Rewritten
from .tables.ports import Age, GameRow
from .tables.sitting import Sitting, advanced, sitting_of

_TRIES = 10  # to take a number before a running server does
_AT_ONCE = 500
_PATIENCE = 600.0  # seconds for one transaction; counting a long log takes a while
_DAY = 86_400.0


class AdminFailed(DeadwoodError):
    """An operator's request cannot be carried out."""


class Usage(Struct, frozen=True):
    """What fills a database, and the size of its file if it has one."""

    storage: Storage
    bytes: int | None


@asynccontextmanager
async def administering(url: str, *, reads: bool = False) -> AsyncIterator["Administration"]:
    """The tables in a database. One that does not exist is not created, and reading migrates nothing."""
    file = existing_file(url)
    store = await DatabaseStore.open(url, _PATIENCE, migrates=not reads)
    try:
        yield Administration(store, file)
    finally:
        await store.close()


class Administration:
    """What an operator can ask for and do."""

    def __init__(self, store: DatabaseStore, file: Path | None) -> None:
        self._store = store
        self._file = file

    # --- looking

    async def tables(self, status: Status | None, limit: int, idle: float | None) -> list[TableRow]:
        """The newest tables; with a number of days, those that have been idle for longer, the longest first."""
        before = None if idle is None else time.time() - idle * _DAY
        return await self._store.administer(administration.listed_tables(status, limit, before))

    async def games(self, typed: str) -> list[GameRow]:
        """The finished games of a table, the latest first."""
        code = await self._code(typed)
        return [game for game in await self._store.games(code, None, _AT_ONCE) if game.summary]

    async def usage(self) -> Usage:
        """What fills the database."""
        found = await self._store.administer(administration.storage)
        return Usage(found, None if self._file is None else self._file.stat().st_size)

    # --- tables

    async def end(self, typed: str) -> None:
        """Call off a running game: the table and its record stay."""
        code, sitting = await self._code(typed), None
        for _ in range(_TRIES):
            sitting = await self._followed(code, sitting)
            if await self._call_off(sitting):
                await self._store.administer(administration.touch_table(code, time.time()))
                return
        raise AdminFailed(f"The table {code} is too busy to be changed; try again.")

    async def _followed(self, code: str, sitting: Sitting | None) -> Sitting:
        """A table as it is now. Reading the whole log again for every try would never be quicker than its players."""
        new = [] if sitting is None else await self._store.entries(code, sitting.seq + 1)
        if sitting is not None and not any(isinstance(entry.body, Rewritten | Deleted) for entry in new):
            return reduce(advanced, new, sitting)
        games = await self._store.games(code, None, 1)
        if not games:
            raise AdminFailed(f"There is no table {code}.")
        return sitting_of(await self._store.entries(code, games[0].first_seq))

    async def _call_off(self, sitting: Sitting) -> bool:
        """Whether our entry got its number; a running server may have been quicker."""
        listing = await self._store.listing(sitting.code)
        if listing is None or sitting.game is None or sitting.status != "running":
            raise AdminFailed(f"No game is running at the table {sitting.code}.")
        game = sitting.game.copy()
        game.call_off()
        entry = Entry(sitting.code, sitting.seq + 1, time.time(), 0, "", CalledOff())
        append = listed(listing, sitting, sitting.after(entry, game), entry)
        return (await self._store.commit([append]))[0]

    async def delete(self, typed: str) -> None:
        """Delete a table with its games."""
        code = await self._code(typed)
        await self._store.administer(removal.delete_table(code, time.time()))
        await self._erase_deleted()

    async def clean(self, unstarted: float | None, finished: float | None) -> list[str]:
        """Delete tables where nothing has happened for this many days; returns their codes."""
        now, gone = time.time(), list[str]()
        age = Age(*(None if days is None else now - days * _DAY for days in (unstarted, finished)))
        while some := await self._store.delete_old(age, now, _AT_ONCE):
            gone += some
        await self._erase_deleted()
        return gone

    async def _erase_deleted(self) -> None:
        """Empty the logs of deleted tables. If this is interrupted, a server goes on with it."""
        while await self._store.tidy(time.time()):
            pass
        await self._erase()

    async def _erase(self) -> None:
        if not await self._store.erase():
            raise AdminFailed(
                "It is done. But something reads the database all the time, perhaps a backup, so traces stay in its "
                "-wal file until the server writes over it."
            )

    # --- people

    async def forget(self, name: str, typed: str) -> str:
        """Replace a name at a table; returns the new one, or "" for somebody who only watched and talked."""
        code = await self._code(typed)
        new = await self._store.administer(removal.forget_person(name, code, time.time()))
        if new is None:
            raise AdminFailed(f"Nobody at the table {code} was ever called '{name}'.")
        await self._erase()
        return new

    async def forget_everywhere(self, name: str) -> list[str]:
        """Replace a name at all tables; returns the codes of those where somebody had it."""
        found, last = list[str](), ""
        while codes := await self._store.administer(administration.codes_after(last, _AT_ONCE)):
            for code in codes:
                if await self._store.administer(removal.forget_person(name, code, time.time())) is not None:
                    found.append(code)
            last = codes[-1]
        await self._erase()
        return found

    # --- addresses, and everything

    async def ban(self, address: str, reason: str, days: float | None) -> str:
        """Ban an address or a network; returns it as it is stored."""
        network = parse_network(address)
        demand_bannable(network)
        now = time.time()
        until = None if days is None else now + days * _DAY
        if not await self._store.administer(administration.ban(Ban(str(network), reason, now, until))):
            raise AdminFailed(f"There are {administration.MOST_BANS} bans already; ban whole networks, or lift some.")
        return str(network)

    async def unban(self, address: str) -> str:
        """Lift a ban."""
        network = str(parse_network(address))
        if not await self._store.administer(administration.unban(network)):
            raise AdminFailed(f"{network} is not banned.")
        return network

    async def bans(self) -> list[Ban]:
        """All bans in force."""
        return await self._store.administer(administration.banned(time.time()))

    async def read_only(self, on: bool) -> None:
        """Make servers read-only, or let them change tables again."""
        await self._store.administer(administration.set_read_only(on, time.time()))

    async def _code(self, typed: str) -> str:
        code = parse_code(typed)
        if code is None:
            raise AdminFailed(f"'{typed}' is no code of a table; one has eight letters and digits, as in K7RM-4TXC.")
        if await self._store.listing(code) is None:
            raise AdminFailed(f"There is no table {code}.")
        return code
