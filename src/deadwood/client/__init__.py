"""A client of the server: tables, chairs and commands over a network that may fail. It needs httpx and websockets."""

from .addresses import USUAL_SERVER, TableAddress, server_address, table_address
from .errors import AddressWrong, ClientError, NotAServer, ServerRefused, ServerUnreachable, TableLeft
from .server import Server
from .table import Keeper, ServedTable, Watcher

__all__ = [
    "USUAL_SERVER",
    "AddressWrong",
    "ClientError",
    "Keeper",
    "NotAServer",
    "ServedTable",
    "Server",
    "ServerRefused",
    "ServerUnreachable",
    "TableAddress",
    "TableLeft",
    "Watcher",
    "server_address",
    "table_address",
]
