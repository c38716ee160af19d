"""Peering: what a table tells the other processes that serve it, and how it handles what they tell."""

from typing import Protocol

from ..protocol.views import PendingOutcome
from .audience import Audience
from .bulletins import Appended, Asking, Attending, Cleared, Freed, OutcomeAsked, Spoken, TableBulletin
from .following import Follower
from .log import Entry
from .services import Services
from .sitting import Sitting


class PeeredRoom(Protocol):
    """What peering needs from its room."""

    sitting: Sitting
    audience: Audience
    follower: Follower
    pending: PendingOutcome | None

    def wake(self) -> None:
        """Look again: somebody came or went."""

    def show_outcome_wanted(self, pending: PendingOutcome) -> None:
        """People must enter what came up for a bot."""


class Peering:
    """One table's side of the exchange. With a single process there is nobody to tell or to hear from."""

    def __init__(self, room: PeeredRoom, services: Services) -> None:
        self._room = room
        self._services = services
        self._asked: OutcomeAsked | None = None  # for a position that we may not have read yet

    @property
    def fence(self) -> int | None:
        """The fence of the table's lease; None if this process does not have it."""
        return self._services.peers.fence(self._code)

    @property
    def attending(self) -> Attending:
        """Who is connected here."""
        sitting, audience = self._room.sitting, self._room.audience
        return Attending(sitting.code, sitting.seq, audience.here, len(audience) > 0)

    def tell_who_attends(self) -> None:
        """Somebody came or went."""
        self._services.peers.tell(self.attending)

    def tell_of_entry(self, entry: Entry) -> None:
        """A new entry was stored."""
        if self._services.peers.possible:
            self._services.peers.tell(Appended.of(entry))

    def tell_of_wanted_outcome(self) -> None:
        """A bot waits for people to roll or to turn a card."""
        if self._room.pending is not None:
            self._services.peers.tell(OutcomeAsked(self._code, self._room.sitting.position_seq, self._room.pending))

    def wake(self) -> None:
        """Look again: this process has the lease now."""
        self._room.wake()

    def hear(self, sender: str, bulletin: TableBulletin) -> None:
        """Handle a bulletin of another process."""
        match bulletin:
            case Appended(seq=seq):
                self._room.follower.learn(seq, bulletin.entry)
            case Attending(seq=seq):
                self._room.audience.attend(sender, bulletin)
                self._room.follower.learn(seq)
                self._room.wake()
            case OutcomeAsked(position=position):
                self._asked = bulletin
                self._room.follower.learn(position)
                self.show_wanted_outcome()
            case Asking():
                self._answer()
            case Spoken() | Cleared():
                self._services.grapevine.hear(bulletin)
            case Freed():
                pass  # a process that wants the lease takes it

    def lose(self, sender: str) -> None:
        """Another process is gone, and its connections with it."""
        self._room.audience.attend(sender, None)
        self._room.wake()

    async def refresh(self) -> None:
        """Tell and ask everything again: bulletins may have been lost."""
        self._services.peers.tell(Asking(self._code))
        self._answer()
        await self._services.grapevine.refresh(self._code)

    def show_wanted_outcome(self) -> None:
        """Show what another process asked people for, once we have reached the same position."""
        if self._asked is not None and self._asked.position == self._room.sitting.position_seq:
            self._room.show_outcome_wanted(self._asked.pending)
            self._asked = None

    def _answer(self) -> None:
        self.tell_who_attends()
        self.tell_of_wanted_outcome()
        self._services.grapevine.repeat(self._code)

    @property
    def _code(self) -> str:
        return self._room.sitting.code
