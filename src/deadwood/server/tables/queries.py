"""Queries: answers what changes nothing, and shows the table as it is now."""

import asyncio
from typing import Protocol

from ..protocol.commands import FindCards, FindHandover, Hint, Ping, QueryCommand, Sync
from ..protocol.messages import CardsFound, Handover, Hints, Pong, Welcome
from ..protocol.views import ClockView, PendingOutcome, TableView
from .advisor import Advisor
from .audience import Audience
from .caller import Caller
from .following import Follower
from .services import Services
from .sitting import LogEvent, Sitting
from .talk import Talk
from .views import View, found_cards, found_handover, update

MOST_MISSED = 200  # updates that a returning client gets; narrating a whole game would hold up everybody else


class QueriedRoom(Protocol):
    """What queries need from their room."""

    sitting: Sitting
    pending: PendingOutcome | None
    lock: asyncio.Lock
    follower: Follower
    audience: Audience

    @property
    def seconds_left(self) -> float | None:
        """The seconds left on the clock of the active chair."""

    @property
    def waiting(self) -> ClockView | None:
        """Whom the others wait for."""


class Queries:
    """One table, as clients see it."""

    def __init__(self, room: QueriedRoom, talk: Talk, services: Services) -> None:
        self._room = room
        self._talk = talk
        self._services = services
        self._advisor = Advisor(services.thinker)

    async def answer(self, caller: Caller, query: QueryCommand) -> Welcome | Hints | CardsFound | Handover | Pong:
        """Answer a command that changes nothing."""
        async with self._room.lock:
            await self._room.follower.catch_up()
        sitting = self._room.sitting
        match query:
            case Ping():
                return Pong(id=query.id, seq=sitting.seq)
            case Sync():
                return self.welcome(caller, query.since, query.id)
            case FindHandover():
                return found_handover(sitting, query, self._services.now())
            case FindCards():
                return found_cards(sitting, query, caller.language)
            case Hint():
                return await self._advisor.answer(sitting, caller, query)

    def welcome(self, caller: Caller, since: int | None, id: str | None = None) -> Welcome:
        """Everything that a client needs if it has seen the entries up to a number."""
        events = [] if since is None else self._missed(since)
        return Welcome(
            id=id,
            table=self.table(caller),
            held=tuple(sorted(caller.held)),
            missed=tuple(update(event, caller.language) for event in events[-MOST_MISSED:]),
            present=self._room.audience.present,
            waiting=self._room.waiting,
        )

    def missed(self, since: int | None) -> int:
        """How many updates a client has missed if it has seen the entries up to a number."""
        return 0 if since is None else min(MOST_MISSED, len(self._missed(since)))

    def _missed(self, since: int) -> list[LogEvent]:
        sitting = self._room.sitting
        return sitting.events[max(0, since + 1 - sitting.first_seq) :]

    def table(self, caller: Caller) -> TableView:
        """The table as it is now, for somebody."""
        view = self.view()
        return view.table(caller.language, view.explains(caller))

    def view(self) -> View:
        """The table as it is now, for everybody."""
        room = self._room
        link, talk = self._services.link(room.sitting.code), self._talk.allowed(room.sitting)
        return View(room.sitting, link, self._services.now(), room.pending, room.seconds_left, talk)
