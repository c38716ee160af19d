"""A client of the server: tables, chairs and commands, over an unreliable network. Needs httpx and websockets."""

from ..extras import needs

with needs("deadwood.client", "client"):
    from .addresses import USUAL_SERVER, TableAddress, link_with, server_address, table_address
    from .countdown import Countdown
    from .errors import AddressWrong, ClientError, NotAServer, ServerRefused, ServerUnreachable, TableLeft
    from .files import FileKind, Offers
    from .server import Server
    from .table import Keeper, Listener, ServedTable

__all__ = [
    "USUAL_SERVER",
    "AddressWrong",
    "ClientError",
    "Countdown",
    "FileKind",
    "Keeper",
    "Listener",
    "NotAServer",
    "Offers",
    "ServedTable",
    "Server",
    "ServerRefused",
    "ServerUnreachable",
    "TableAddress",
    "TableLeft",
    "link_with",
    "server_address",
    "table_address",
]
