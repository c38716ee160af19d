"""What tables need from outside: a store for their logs, a thinker for bots, a grapevine for talk, peers."""

from collections.abc import Callable, Collection
from typing import Protocol

from msgspec import Struct

from ...bots import Unit
from ...engine.actions import Action
from ...engine.state import State
from ..protocol.messages import Advised
from ..protocol.talk import TalkLine, TalkMessage
from ..protocol.views import Status
from .bulletins import Attending, TableBulletin, TalkBulletin
from .log import Entry
from .news import Kind, Notice
from .uptime import Run

Answers = dict[tuple[int, str], int]  # entries by chair and the id of the command that made them
MOST_ANSWERS = 2_000  # entries of earlier games whose commands get their first answer again
Hear = Callable[[TalkMessage], None]
MOST_TALK = 100  # lines of a table's players that are remembered, and as many of its spectators
TALK_DAYS = 30  # for which they are remembered, at most


class Listing(Struct, frozen=True):
    """A table as lists show it; `summary` is JSON (`summaries.py`).

    If a server runs without a break from `since` on, the table must be woken at `due`.
    """

    code: str
    number: int
    public: bool
    status: Status
    summary: str
    since: float | None = None
    due: float | None = None


class GameRow(Struct, frozen=True):
    """A game at a table, and its entries; `summary` is JSON (`summaries.py`), set once the game is over."""

    code: str
    number: int
    first_seq: int
    last_seq: int | None = None
    summary: str | None = None


class BundleRow(Struct, frozen=True):
    """What a personal key carries, encrypted by a browser; `id` is a hash, `used` when somebody last asked for it."""

    id: str
    version: int
    sealed: str
    used: float


MOST_CHANGES = 1000  # changed tables that a process learns of at once


class Orders(Struct, frozen=True):
    """What operators have told all processes that share a store.

    `touched` names tables whose logs somebody else changed, with the id of each change; if there are many, the latest.
    """

    touched: dict[str, str] = {}
    bans: tuple[str, ...] = ()  # addresses and networks
    read_only: bool = False


class Age(Struct, frozen=True):
    """What may be deleted: tables where nothing has happened, and keys not used, since these times. None keeps all."""

    unstarted: float | None = None
    finished: float | None = None
    keys: float | None = None


class Append(Struct, frozen=True):
    """An entry to append to its log, and what lists show afterwards. All of it is stored, or nothing.

    That includes the `notices` it causes, and the end of notices for chairs that were `given_up`. An entry that was
    made under a lease has its `fence`: if another process has the lease by now, nothing is stored.
    """

    entry: Entry
    listing: Listing | None = None
    game: GameRow | None = None
    notices: tuple[Notice, ...] = ()
    given_up: tuple[int, ...] = ()
    fence: int = 0


class Subscription(Struct, frozen=True):
    """Where somebody wants notices for a chair, in a language. Everything about the `target` is secret.

    `holder` is the hash of the token that the chair had when they asked. `keys` are those of a browser, as JSON.
    """

    id: str
    code: str
    chair: int
    holder: str
    kind: str  # `push`, or that of a webhook
    target: str
    keys: str
    language: str
    asked: float  # when they last asked for notices


class Unsent(Struct, frozen=True):
    """A notice that waits to be sent to a subscription, which has at most one: newer news replaces older."""

    subscription: str
    code: str
    chair: int
    kind: Kind
    tag: str
    at: float
    due: float
    attempts: int = 0


class Outbox(Protocol):
    """Notices that wait to be sent, and where to. They are stored in the transaction of the entry that causes them."""

    async def subscribe(self, subscription: Subscription, most: int) -> bool:
        """Store a subscription, or renew the one with the same target. False if the chair has too many already."""

    async def unsubscribe(self, id: str) -> None:
        """Forget a subscription, and what waits for it."""

    async def subscription(self, id: str) -> Subscription | None:
        """The subscription with this id."""

    async def subscriptions(self, code: str, chair: int) -> list[Subscription]:
        """The subscriptions of a chair, the oldest first."""

    async def redirect(self, was: str, target: str, keys: str) -> int:
        """Give all subscriptions of a browser its new address; returns how many there were."""

    async def due(self, now: float, limit: int) -> list[Unsent]:
        """What may be sent, the most overdue first."""

    async def reschedule(self, unsent: Unsent, due: float, attempts: int) -> bool:
        """Retry at `due`. False if somebody else has rescheduled or replaced it: then it is theirs."""

    async def settle(self, unsent: Unsent) -> None:
        """Remove a notice that was sent, or need not be; newer news for the same subscription stays."""

    async def forget(self, asked_before: float) -> None:
        """Forget subscriptions that nobody has renewed since then."""

    async def size(self) -> int:
        """How many notices wait to be sent."""

    async def key(self, name: str, made: str) -> str:
        """A key of this server. The first to ask makes it; all who share the database have the same."""


class TalkRow(Struct, frozen=True):
    """A line that somebody said at a table, and the id of the command that said it."""

    code: str
    command: str
    line: TalkLine


class TalkStore(Protocol):
    """The last lines of all tables."""

    async def lines(self, code: str) -> list[TalkRow]:
        """What was said at a table lately, in order."""

    async def keep(self, rows: list[TalkRow]) -> None:
        """Store lines; of each table only the last ones stay."""

    async def forget(self, code: str, number: int) -> None:
        """Delete the lines of a table up to a number."""

    async def forget_names(self, code: str, names: Collection[str]) -> None:
        """Delete the lines of people with these names."""


class Grapevine(Protocol):
    """Passes on what people say at tables, and remembers the last lines."""

    async def join(self, code: str, hear: Hear, is_new: bool = False) -> None:
        """From now on `hear` gets what is said at a table, in any process."""

    def leave(self, code: str) -> None:
        """Stop passing on what is said at a table."""

    def lines(self, code: str) -> tuple[TalkLine, ...]:
        """What was said lately."""

    def say(self, code: str, line: TalkLine, command: str) -> tuple[int, bool]:
        """Pass a line on. Returns its number, and whether the command came for the first time. Never waits."""

    async def clear(self, code: str) -> int:
        """Delete everything that was said so far; returns the number of the last line."""

    async def forget(self, code: str, names: Collection[str]) -> None:
        """Delete what people with these names said, and forget whatever else an operator has deleted.

        Lines that are not stored yet are dropped as well, to be on the safe side: the talk of about a second.
        """

    def hear(self, bulletin: TalkBulletin) -> None:
        """Something was said or cleared in another process."""

    def repeat(self, code: str) -> None:
        """Tell other processes what was said here and is not stored yet."""

    async def refresh(self, code: str) -> None:
        """Pass on lines that other processes have stored but whose bulletins were lost."""

    async def close(self) -> None:
        """Store what is left."""


class BundleStore(Protocol):
    """What personal keys carry."""

    async def find(self, id: str) -> BundleRow | None:
        """What a personal key carries."""

    async def swap(self, row: BundleRow) -> bool:
        """Store the next version of a bundle; False if the stored version is not the one before it."""

    async def use(self, id: str, used: float) -> None:
        """Note when a bundle was last asked for."""

    async def drop(self, id: str) -> None:
        """Delete a bundle."""


class Store(Protocol):
    """The logs of all tables."""

    @property
    def failures(self) -> int:
        """How many times the database has failed since the start."""

    @property
    def outbox(self) -> Outbox:
        """What waits to be sent to people."""

    @property
    def talk(self) -> TalkStore:
        """What people said at the tables."""

    @property
    def bundles(self) -> BundleStore:
        """What personal keys carry."""

    async def commit(self, appends: list[Append]) -> list[bool]:
        """Store entries durably in one transaction. Returns, for each, whether it was the first to take its number.

        An entry whose fence is no longer that of its table's lease is left out, as if its number were taken.
        """

    async def listing(self, code: str) -> Listing | None:
        """The table with this code."""

    async def listings(self, status: Status, before: int | None, limit: int) -> list[Listing]:
        """Public tables, the newest first, starting below a number."""

    async def entries(self, code: str, first: int, last: int | None = None) -> list[Entry]:
        """A table's log, from one number to another."""

    async def games(self, code: str, before: int | None, limit: int) -> list[GameRow]:
        """A table's games, the latest first."""

    async def game(self, code: str, number: int) -> GameRow | None:
        """One game of a table."""

    async def answers(self, code: str, before: int) -> Answers:
        """The entries that commands made, among the latest below a number."""

    async def due(self, now: float, limit: int) -> list[Listing]:
        """Tables that may have to be woken, the most overdue first."""

    async def postpone(self, listing: Listing, since: float, due: float) -> None:
        """Wake a table later, unless something has happened there."""

    async def runs(self) -> list[Run]:
        """The runs of servers on this store; only the latest if there are very many."""

    async def beat(self, run: Run) -> None:
        """Store a run, or how long it has lasted by now. This also shows that the database can be written to."""

    async def orders(self, now: float) -> Orders:
        """What operators have ordered."""

    async def delete_old(self, age: Age, now: float, limit: int) -> list[str]:
        """Delete tables that are too old, but none whose game is running; returns their codes.

        Nobody can see them any more; `tidy` removes what they held.
        """

    async def tidy(self, now: float) -> bool:
        """Remove some of what nobody needs any more: what deleted tables held, old talk. Whether there may be more."""

    async def close(self) -> None:
        """Disconnect from the database."""


class PeerTable(Protocol):
    """A table in memory, as `Peers` knows it."""

    @property
    def attending(self) -> Attending:
        """Who is connected to it here."""

    def wake(self) -> None:
        """Look again: this process has its lease now."""

    def hear(self, sender: str, bulletin: TableBulletin) -> None:
        """Handle a bulletin of another process."""

    def lose(self, sender: str) -> None:
        """Another process is gone, and its connections with it."""

    async def refresh(self) -> None:
        """Report and request everything again: bulletins may have been lost."""


class Peers(Protocol):
    """The other processes that serve the same tables.

    Exactly one process has the lease of a table: it plays the bots, keeps the clocks and sends the notices.
    """

    @property
    def possible(self) -> bool:
        """Whether there may be other processes, known or not."""

    @property
    def others(self) -> int:
        """How many are known to be alive."""

    @property
    def leases(self) -> int:
        """How many tables this process looks after, if there may be others."""

    @property
    def cut_off(self) -> bool:
        """Whether this process has lost the database, so that only the others can serve anybody."""

    def join(self, code: str, table: PeerTable, is_new: bool = False) -> None:
        """A table is in memory here: it hears bulletins from now on, and gets its lease once that is free."""

    def leave(self, code: str) -> None:
        """A table is no longer in memory here."""

    def tell(self, bulletin: TableBulletin) -> None:
        """Tell all others something about a table. Never waits."""

    def fence(self, code: str) -> int | None:
        """The fence of a table's lease, which entries made under it carry; None if this process has no such lease."""

    async def claim(self, codes: Collection[str]) -> set[str]:
        """Take the leases that nobody else has; returns the codes whose leases this process has now."""

    async def check(self, code: str) -> None:
        """An entry was not stored: find out whether another process has the lease."""

    async def live(self, wake: Callable[[str], None]) -> None:
        """Run until the server ends; `wake` is called for tables that a dead process has left behind."""

    async def close(self) -> None:
        """Tell the others that this process is shutting down."""


class Thinker(Protocol):
    """Decides for bots, and gives advice."""

    async def decide(self, bot: str, state: State, patient: bool = False, address: str = "") -> Action:
        """A legal action. Patient requests wait until nobody else does; requests of one address wait for each other."""

    async def advise(self, state: State, language: str, address: str = "") -> tuple[str, Unit, tuple[Advised, ...]]:
        """The strongest bot's name, the unit of its values, and its opinion of every action. Addresses take turns."""
