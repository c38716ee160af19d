"""Coming to a served table: by a link or a code, with the seats that we have there, or as the host of a new one."""

import os
import secrets
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

from msgspec import Struct

from ..client import USUAL_SERVER, Keeper, Listener, ServedTable, Server, TableAddress, server_address
from ..engine.options import Options
from ..server.protocol.commands import NewBot, NewPerson, NewTable
from .seat_tokens import SeatTokens
from .wording import language

SERVER_VARIABLE = "DEADWOOD_SERVER"
CLOSED = frozenset(  # why nobody else may sit down: another name would not help
    {"address_has_chairs", "chairs_kept", "invitation_unknown", "table_full", "table_locked", "table_not_waiting"}
)


class Visit(Struct, frozen=True):
    """A table to come to. With a name we sit down as that person; without one, as all who sat here from this computer.

    A `bot`, known by that name, comes back only to seats of bots. `opened`: we have just opened the table.
    """

    address: TableAddress
    name: str | None = None
    bot: str | None = None
    opened: bool = False

    @property
    def link(self) -> str:
        """The link that leads anybody here."""
        return f"{self.address.server}/t/{self.address.code}"

    @property
    def way_back(self) -> str:
        """The command that brings us back to our seat."""
        return f"deadwood join {self.link}"


def usual_server() -> str:
    """The server to use if nobody names one."""
    return os.environ.get(SERVER_VARIABLE) or USUAL_SERVER


async def host_table(
    server: str, name: str, bots: Iterable[str] = (), options: Options | None = None, bot: str | None = None
) -> Visit:
    """Open a table with ourselves, or a bot of ours, as the host."""
    token = secrets.token_hex(32)
    chairs: list[NewPerson | NewBot] = [NewPerson(name=name, token=token, bot=bot), *(NewBot(bot=one) for one in bots)]
    async with Server(server, language=language()) as client:
        made = await client.open_table(NewTable(chairs=tuple(chairs), options=options or Options()))
    address = TableAddress(server_address(server), made.table.code)
    SeatTokens(address, bot is not None).keep(token, name)
    return Visit(address, name, bot, opened=True)


@asynccontextmanager
async def visiting(visit: Visit, listener: Listener) -> AsyncIterator[ServedTable]:
    """The table, connected, with the seats that we have there. It is looked up first, for clear errors."""
    kept = SeatTokens(visit.address, visit.bot is not None)
    tokens = [seat.token for seat in kept.seats(visit.name)]
    async with Server(visit.address.server, language=language()) as server:
        await server.table(visit.address.code)
        keeper: Keeper = kept
        async with server.join(visit.address.code, tokens, listener=listener, keeper=keeper) as table:
            yield table
