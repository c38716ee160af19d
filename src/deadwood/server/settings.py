"""What a server may be told when it starts."""

from urllib.parse import urlsplit

from msgspec import Struct

from ..engine.refusal import DeadwoodError
from .limits import Rate


class SettingsWrong(DeadwoodError):
    """A server cannot be started like that."""


class Limits(Struct, frozen=True, kw_only=True):
    """How much one seat, and one address, may ask for. Loose: many people may share an address."""

    seat: Rate = Rate(10, 40)  # commands
    address: Rate = Rate(200, 1000)  # commands and requests
    new_tables: Rate = Rate(0.5, 30)  # by address
    heavy: Rate = Rate(2, 40)  # by address: hints, replays and uploads, which cost a worker's time
    connections: int = 500  # by address


UNLIMITED = Limits(
    seat=Rate(1e9, 1e9), address=Rate(1e9, 1e9), new_tables=Rate(1e9, 1e9), heavy=Rate(1e9, 1e9), connections=10**9
)


class Settings(Struct, frozen=True, kw_only=True):
    """All settings; times are in seconds."""

    database: str
    host: str = "127.0.0.1"
    port: int = 8000
    url: str = ""  # where people find the server; links start with it
    origins: frozenset[str] = frozenset()  # whose pages may talk to it
    bot_pause: float = 0.8  # before a bot acts: long enough to see what happened, and to undo
    workers: int = 1  # processes in which bots think
    thinking: float = 20.0  # after which a bot is not waited for any more
    stalled: float = 4.0  # after which a client that does not read is dropped
    asleep: float = 60.0  # after which a table that nobody looks at leaves memory
    hello: float = 10.0  # in which a connection must say who it is
    limits: Limits = Limits()


def origin_of(url: str) -> str:
    """Scheme, host and port of a URL, as browsers send it."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path not in ("", "/") or parts.query:
        raise SettingsWrong(f"'{url}' is not the address of a server, as in https://play.example.org")
    return f"{parts.scheme}://{parts.netloc.lower()}"
