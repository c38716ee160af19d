"""The settings of a server."""

import re
from urllib.parse import urlsplit

from msgspec import Struct

from ..engine.board import Board
from ..engine.deck import Deck
from ..engine.refusal import DeadwoodError
from .limits import PROXIES, Rate

PORT = 8000
KEEP_UNSTARTED, KEEP_FINISHED, KEEP_KEYS = 1.0, 90.0, 400.0  # days, on a server with a public address
SNAPSHOT_COST = 5  # in ordinary requests: it takes that much longer
UPDATES_PER_COST = 10  # this many missed updates cost one request more, for their sentences
_USUAL_PORTS = {"http": 80, "https": 443}  # browsers omit them


class SettingsWrong(DeadwoodError):
    """Settings that no server can start with."""


class Limits(Struct, frozen=True, kw_only=True):
    """How much one chair and one address may ask for. Generous, because many people may share an address."""

    chair: Rate = Rate(10, 40)  # commands
    address: Rate = Rate(200, 1000)  # commands and requests; a view of a whole table costs SNAPSHOT_COST of them
    guesses: Rate = Rate(0.5, 200)  # by address: codes that no table has, each counted once
    new_tables: Rate = Rate(0.5, 30)  # by address
    heavy: Rate = Rate(2, 40)  # by address: hints, replays and uploads, which take a worker's time
    files: Rate = Rate(0.2, 20)  # by address: decks and boards for a table, which are stored for ever
    daily_files: Rate = Rate(200 / 86_400, 200)  # the same by day: each may have 64 KiB
    asking: Rate = Rate(0.2, 30)  # by address: requests for notices, or for a test notice
    seat_notices: Rate = Rate(1 / 20, 12)  # sent for a chair
    host_notices: Rate = Rate(10, 40)  # sent to a host; many people share a push service
    bundles: Rate = Rate(1, 60)  # by address: what personal keys carry
    new_bundles: Rate = Rate(0.02, 20)  # by address: personal keys that are new here
    jobs: int = 2  # by address: heavy jobs at the same time
    connections: int = 500  # by address
    sits: Rate = Rate(0.5, 20)  # by table and address: every one is in the table's log for ever
    chairs: int = 3  # by address: at a public table, for people who sit down there
    talk: Rate = Rate(0.5, 8)  # by chair, or by connection of a spectator: lines and reactions
    talk_address: Rate = Rate(3, 40)  # by address
    talk_spectators: Rate = Rate(2, 30)  # by table: of all its spectators, because everybody gets every line


_ANY = Rate(1e9, 1e9)
UNLIMITED = Limits(
    chair=_ANY,
    address=_ANY,
    guesses=_ANY,
    new_tables=_ANY,
    heavy=_ANY,
    files=_ANY,
    daily_files=_ANY,
    asking=_ANY,
    seat_notices=_ANY,
    host_notices=_ANY,
    bundles=_ANY,
    new_bundles=_ANY,
    jobs=10**9,
    connections=10**9,
    sits=_ANY,
    chairs=10**9,
    talk=_ANY,
    talk_address=_ANY,
    talk_spectators=_ANY,
)


class Settings(Struct, frozen=True, kw_only=True):
    """All settings; times are in seconds."""

    database: str
    host: str = "127.0.0.1"
    port: int = PORT
    url: str = ""  # where people find the server; links start with this
    sharing: str = "deadwood serve --host 0.0.0.0"  # the command that lets other machines reach it
    origins: frozenset[str] = frozenset()  # the origins of pages that may talk to it
    proxies: tuple[str, ...] = PROXIES  # whose X-Forwarded-For is true
    bot_pause: float = 0.8  # before a bot acts: long enough to see what happened, and to undo
    correction_pause: float = 5.0  # the same at a table with real dice, where people may have mistyped what came up
    rematch_pause: float = 10.0  # for somebody whose connection broke, before the others play again without them
    workers: int = 1  # processes for bots
    database_patience: float = 5.0  # for any call to the database
    thinking: float = 20.0  # the longest a bot may think
    stalled: float = 4.0  # after which a client that does not read is dropped
    asleep: float = 60.0  # after which an unused table leaves memory
    unwatched: float = 60.0  # after which bots that play alone pause, while nobody watches
    hello: float = 10.0  # the longest to wait for hello
    notices: bool = True  # whether anything is ever sent to people whose page is closed
    private_notices: bool = False  # also to addresses in private networks, and without TLS
    contact: str = ""  # of the operator, for push services: mailto:… or https://…
    notice_delay: float = 5.0  # before a notice is sent, in case the person is present or an undo follows
    notice_seen: float = 60.0  # somebody who is still connected after this long has seen it
    notice_retry: float = 30.0  # until the second attempt; each one after that waits twice as long
    notice_poll: float = 1.0  # how often to look for notices to send
    log_requests: bool = False  # whether to log every request
    admin_poll: float = 2.0  # how often to look for what operators did
    keep_unstarted: float | None = None  # days after which a table without any game is deleted; None: never
    keep_finished: float | None = None  # the same after a game, if no other follows
    keep_keys: float | None = None  # days after which the bundle of an unused personal key is deleted
    talk: bool = True  # whether people may talk at tables whose house rules allow it
    metrics_token: str = ""  # lets other machines read /metrics; without one, only this machine may
    metrics_host: str = "127.0.0.1"
    metrics_port: int | None = None  # where this process alone answers; in the supervisor, that of the first one
    limits: Limits = Limits()
    printed_deck: Deck | None = None  # what /api/kit shows unless a built-in deck is asked for
    printed_board: Board | None = None


def origin_of(url: str) -> str:
    """Scheme, host and port of a URL, as browsers send it."""
    wrong = SettingsWrong(f"'{url}' is not the address of a server, as in https://play.example.org")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise wrong from None
    if parts.scheme not in _USUAL_PORTS or not parts.hostname or "@" in parts.netloc:
        raise wrong
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise wrong
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    shown = "" if port in (None, _USUAL_PORTS[parts.scheme]) else f":{port}"
    return f"{parts.scheme}://{host}{shown}"


def contact_of(text: str) -> str:
    """How push services reach the operator: an e-mail address, or the address of a page."""
    if re.fullmatch(r"(mailto:)?[^\s@:/]+@[^\s@:/]+", text):
        return text if text.startswith("mailto:") else f"mailto:{text}"
    if re.fullmatch(r"https://[^\s@]+", text):
        return text
    raise SettingsWrong(f"'{text}' is not a contact, such as admin@example.org or https://example.org/contact")
