"""Bulletins: what a process tells the others on the same store about a table.

For an entry, the number is enough: others read it from the log. Bulletins about actions carry them, because there are
so many that reading each one would cost more than all the rest.
"""

from typing import Self

from msgspec import Struct

from ..protocol.refusals import ServerRefused
from ..protocol.talk import TalkLine
from ..protocol.views import PendingOutcome
from .log import Entry, Played, decode_body, encode_body


class Bulletin(Struct, frozen=True, tag_field="type"):
    """Something about a table. A lost bulletin does no harm: a process that may have missed one asks again."""

    code: str


class CarriedAction(Struct, frozen=True):
    """The rest of an entry that holds an action; its body as it is stored, with its version."""

    at: float
    by: int
    command: str
    body: str


class Appended(Bulletin, frozen=True, omit_defaults=True, tag="appended"):
    """The log goes up to this number. Carries the last entry if that is an action."""

    seq: int
    action: CarriedAction | None = None

    @classmethod
    def of(cls, entry: Entry) -> Self:
        """The bulletin about an entry that was stored."""
        carried = None
        if isinstance(entry.body, Played):
            carried = CarriedAction(entry.at, entry.by, entry.command, encode_body(entry.body).decode())
        return cls(entry.code, entry.seq, carried)

    @property
    def entry(self) -> Entry | None:
        """The entry that it carries. None if there is none, or if only a later version understands it."""
        if self.action is None:
            return None
        try:
            body = decode_body(self.action.body)
        except ServerRefused:
            return None
        return Entry(self.code, self.seq, self.action.at, self.action.by, self.action.command, body)


class Attending(Bulletin, frozen=True, tag="attending"):
    """The chairs that connections to the sender hold, and whether anybody listens there at all."""

    seq: int
    chairs: tuple[int, ...] = ()
    watched: bool = False


class Asking(Bulletin, frozen=True, tag="asking"):
    """The table has just woken at the sender, which asks for what is not in the log."""


class OutcomeAsked(Bulletin, frozen=True, tag="outcome_asked"):
    """In the position that this entry made, people must enter what came up for a bot."""

    position: int
    pending: PendingOutcome


class Spoken(Bulletin, frozen=True, tag="spoken"):
    """Somebody said something, by the command with this id."""

    command: str
    line: TalkLine


class Cleared(Bulletin, frozen=True, tag="cleared"):
    """The host cleared the talk up to this number."""

    number: int


class Freed(Bulletin, frozen=True, tag="freed"):
    """The sender has given up the table's lease."""


class Parting(Struct, frozen=True, tag_field="type", tag="parting"):
    """The sender is shutting down: its connections are gone, and its leases are free."""


TalkBulletin = Spoken | Cleared
TableBulletin = Appended | Attending | Asking | OutcomeAsked | Spoken | Cleared | Freed
AnyBulletin = TableBulletin | Parting
