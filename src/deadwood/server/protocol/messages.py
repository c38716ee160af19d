"""What the server sends over a socket; `commands.py` has what clients send, `answers.py` what HTTP answers."""

from msgspec import Struct

from ...bots import Unit
from ...engine.events import Event
from ...engine.rules import OutcomeNeed
from .table_events import TableEvent
from .talk import Heard, TalkLine, TalkMessage
from .views import ClockView, PendingOutcome, Position, TableView


class Update(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="update"):
    """One entry of the log: its events, as data and as sentences, and the resulting position.

    `table` replaces `position` when more than the game's position changed. `by` is the bot that decided for a person.
    """

    seq: int
    kind: str
    chair: int | None = None
    action: str | None = None
    by: str | None = None
    events: tuple[Event | TableEvent, ...] = ()
    sentences: tuple[str, ...] = ()
    position: Position | None = None
    table: TableView | None = None


class TakenChair(Struct, frozen=True, kw_only=True):
    """A chair that another browser holds now: the number of its old token in hello, from 0, and the chair."""

    number: int
    chair: int


class Welcome(Struct, frozen=True, kw_only=True, tag_field="type", tag="welcome"):
    """The answer to hello and sync: the table, the chairs held, and the updates missed.

    `unknown` are the positions, from 0, of the hello's tokens that hold no chair here: given up, or removed.
    Those that another browser took over are `taken`.
    `present` are the chairs that some connection holds now, `waiting` how long they wait for an absent player.
    `talk` is what was said lately; only in the answer to hello, and only where people may talk.
    """

    id: str | None = None
    table: TableView
    held: tuple[int, ...]
    missed: tuple[Update, ...]
    unknown: tuple[int, ...] = ()
    taken: tuple[TakenChair, ...] = ()
    present: tuple[int, ...] = ()
    waiting: ClockView | None = None
    talk: tuple[TalkLine, ...] | None = None


class Done(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="done"):
    """The command was carried out and is durable; `seq` is its entry, `chair` what `sit` or `take_over` took."""

    id: str
    seq: int
    chair: int | None = None


class Pong(Struct, frozen=True, kw_only=True, tag_field="type", tag="pong"):
    """The answer to ping: the number of the latest entry."""

    id: str
    seq: int


class Advised(Struct, frozen=True):
    """What a bot thinks of an action; higher values are better."""

    action: str
    value: float
    reason: str


class Hints(Struct, frozen=True, kw_only=True, tag_field="type", tag="hints"):
    """All legal actions, the best first. Their values are chances, shown as percentages, or points."""

    id: str
    seq: int
    bot: str
    unit: Unit
    advice: tuple[Advised, ...]


class CardsFound(Struct, frozen=True, kw_only=True, tag_field="type", tag="cards"):
    """The numbers of the cards that a text may mean; `card` if it means exactly one, else `sentence` says why not."""

    id: str
    cards: tuple[int, ...]
    card: int | None
    sentence: str | None


class Handover(Struct, frozen=True, kw_only=True, tag_field="type", tag="handover"):
    """The chairs that a secret hands over, and how many seconds are left."""

    id: str
    chairs: tuple[int, ...]
    seconds: float


class Problem(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="refused"):
    """A command was refused and nothing changed. `table` is included if the client was out of date.

    `line` is the line of an uploaded file, counted from 1.
    """

    code: str
    sentence: str
    id: str | None = None
    rule: str | None = None
    needs: OutcomeNeed | None = None
    line: int | None = None
    table: TableView | None = None


class Waiting(Struct, frozen=True, kw_only=True, tag_field="type", tag="waiting"):
    """The active player is absent: how long until the stand-in plays. Null: nobody is being waited for."""

    waiting: ClockView | None


class OutcomeWanted(Struct, frozen=True, kw_only=True, tag_field="type", tag="pending"):
    """A bot waits for people to roll dice or turn a card."""

    pending: PendingOutcome


class Present(Struct, frozen=True, kw_only=True, tag_field="type", tag="present"):
    """Somebody came or went: the chairs that connections hold now. It is not in the log, so it has no number."""

    chairs: tuple[int, ...]


class Goodbye(Struct, frozen=True, kw_only=True, tag_field="type", tag="goodbye"):
    """The server restarts; reconnect after this many seconds."""

    retry_after: float


Answer = Done | Hints | CardsFound | Handover | Welcome | Pong | Heard
Message = Answer | Update | Problem | OutcomeWanted | Present | Waiting | TalkMessage | Goodbye
