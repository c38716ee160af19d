"""The messages that the server sends, over the socket and over HTTP alike; `wire.py` has those that clients send."""

from msgspec import Struct

from ...engine.board import Board
from ...engine.chance import OutcomeKind
from ...engine.deck import Role
from ...engine.events import Event, Standing
from ...engine.options import Options, Purse
from ...engine.seats import Seat
from ...engine.state import Snapshot
from ..store.rows import Status
from .table_events import Happening


class SeatView(Struct, frozen=True):
    """Somebody at a table, as everybody may see it."""

    seat: int
    name: str
    colour: str
    bot: str | None
    ready: bool


class ActOddsView(Struct, frozen=True):
    """What acting would bring."""

    needed: int
    chance: float
    success: Purse
    failure: Purse
    wraps: bool
    bonus: float


class Offer(Struct, frozen=True, omit_defaults=True):
    """An action in notation; `chance` is of a success: now for `act`, after it for `rehearse`."""

    action: str
    chance: float | None = None
    odds: ActOddsView | None = None
    refusal: str | None = None
    rule: str | None = None


class Pending(Struct, frozen=True):
    """An action of a bot's at a table with real dice: people must say what came up."""

    seat: int
    action: str
    kind: OutcomeKind
    count: int


class TableView(Struct, frozen=True, kw_only=True):
    """A table at one moment, the same for everybody."""

    code: str
    link: str
    public: bool
    status: Status
    seq: int
    game: int
    options: Options
    drawn: tuple[str, ...]
    host: int | None
    seats: tuple[SeatView, ...]
    commitment: str
    salts: tuple[str, ...] = ()
    seed: str | None = None
    state: Snapshot | None = None
    offers: tuple[Offer, ...] = ()
    standings: tuple[Standing, ...] = ()
    pending: Pending | None = None


class Update(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="update"):
    """One entry of the log: what happened, as data and told, and what is so now.

    `table` is there when more than the state of the game changed.
    """

    seq: int
    kind: str
    seat: int | None = None
    action: str | None = None
    events: tuple[Event | Happening, ...] = ()
    told: tuple[str, ...] = ()
    state: Snapshot | None = None
    offers: tuple[Offer, ...] = ()
    table: TableView | None = None


class Welcome(Struct, frozen=True, kw_only=True, tag_field="type", tag="welcome"):
    """The answer to hello and sync: all that is so, the seats held, and what was missed.

    `unknown` counts, from 0, the tokens of hello that hold no seat here: given up, or sent away.
    `present` are the seats that somebody's connection holds just now.
    """

    id: str | None = None
    table: TableView
    held: tuple[int, ...]
    missed: tuple[Update, ...]
    unknown: tuple[int, ...] = ()
    present: tuple[int, ...] = ()


class Done(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="done"):
    """It is so, and it is kept; `seq` is the entry's number, `seat` the one that was taken."""

    id: str
    seq: int
    seat: int | None = None


class Pong(Struct, frozen=True, kw_only=True, tag_field="type", tag="pong"):
    """The answer to ping: the number of the table's latest entry."""

    id: str
    seq: int


class Advised(Struct, frozen=True):
    """What a bot thinks of an action; of values more is better."""

    action: str
    value: float
    reason: str


class Hints(Struct, frozen=True, kw_only=True, tag_field="type", tag="hints"):
    """All legal actions, the best first."""

    id: str
    seq: int
    bot: str
    advice: tuple[Advised, ...]


class ChoicesView(Struct, frozen=True, kw_only=True, tag_field="type", tag="choices"):
    """What is possible, and what is not and why.

    `undo` says why one cannot take back the last action; null if one can.
    """

    id: str
    seq: int
    choices: tuple[Offer, ...]
    undo: str | None


class Problem(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="refused"):
    """Nothing has changed, and why. `table` is there when the client's picture was old."""

    code: str
    sentence: str
    id: str | None = None
    rule: str | None = None
    needed: str | None = None
    table: TableView | None = None


class Asked(Struct, frozen=True, kw_only=True, tag_field="type", tag="pending"):
    """A bot waits for people to roll or turn something."""

    pending: Pending


class Present(Struct, frozen=True, kw_only=True, tag_field="type", tag="present"):
    """Somebody came or went: the seats that connections hold now. It has no number, for nothing of it is kept."""

    seats: tuple[int, ...]


class Goodbye(Struct, frozen=True, kw_only=True, tag_field="type", tag="goodbye"):
    """The server restarts; come back after so many seconds."""

    retry_after: float


Answer = Done | Hints | ChoicesView | Welcome | Pong


class ListedTable(Struct, frozen=True, kw_only=True):
    """A public table in a list."""

    code: str
    status: Status
    options: Options
    seats: tuple[SeatView, ...]
    created: float


class TableList(Struct, frozen=True, kw_only=True):
    """A page of tables; `next` is the cursor of the following page."""

    tables: tuple[ListedTable, ...]
    next: str | None


class Made(Struct, frozen=True, kw_only=True):
    """A new table, and the host's seat."""

    table: TableView
    seat: int | None


class GameSummary(Struct, frozen=True, kw_only=True):
    """A finished game; seed, salts and commitment let anybody check its dice."""

    game: int
    players: tuple[SeatView, ...]
    options: Options
    standings: tuple[Standing, ...]
    winners: tuple[str, ...]
    finished: float
    actions: int
    commitment: str
    salts: tuple[str, ...]
    seed: str


class GameList(Struct, frozen=True, kw_only=True):
    """A page of a table's finished games, the latest first."""

    games: tuple[GameSummary, ...]
    next: int | None


class ReplayStep(Struct, frozen=True, kw_only=True):
    """One action of a replay; the first has none and is the opening."""

    number: int
    player: str | None
    action: str | None
    events: tuple[Event, ...]
    told: tuple[str, ...]
    state: Snapshot


class Replay(Struct, frozen=True, kw_only=True):
    """A part of a record, as snapshots and events; step 0 is the opening."""

    names: tuple[str, ...]
    seats: tuple[Seat, ...]
    options: Options
    drawn: tuple[str, ...]
    total: int
    steps: tuple[ReplayStep, ...]
    next: int | None


class About(Struct, frozen=True, kw_only=True):
    """What can be chosen on this server: bots from gentle to strong, colours, decks, languages."""

    bots: tuple[str, ...]
    colours: tuple[str, ...]
    decks: tuple[str, ...]
    languages: tuple[str, ...]


class AreaView(Struct, frozen=True, kw_only=True):
    """A place of the board, with the id that states and actions use."""

    id: str
    name: str
    kind: str
    shots: int
    extras: tuple[Role, ...]


class BoardView(Struct, frozen=True, kw_only=True):
    """The areas in the order of the engine, and all that the board's file says, geometry too."""

    areas: tuple[AreaView, ...]
    board: Board
