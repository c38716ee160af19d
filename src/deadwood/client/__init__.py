"""A client of the server: tables, chairs and commands, over an unreliable network. Needs httpx and websockets."""

from ..extras import needs

with needs("deadwood.client", "client"):
    from .addresses import USUAL_SERVER, TableAddress, link_with, server_address, table_address
    from .countdown import Countdown
    from .errors import AddressWrong, ClientError, NotAServer, ServerRefused, ServerUnreachable, TableLeft
    from .files import FileKind, Offers
    from .server import Server
    from .table import Keeper, ServedTable, Watcher

__all__ = [
    "USUAL_SERVER",
    "AddressWrong",
    "ClientError",
    "Countdown",
    "FileKind",
    "Keeper",
    "NotAServer",
    "Offers",
    "ServedTable",
    "Server",
    "ServerRefused",
    "ServerUnreachable",
    "TableAddress",
    "TableLeft",
    "Watcher",
    "link_with",
    "server_address",
    "table_address",
]
