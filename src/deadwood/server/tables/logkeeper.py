"""Logkeeper: stores a room's entries in its log. An entry changes the room only once it is durable."""

import logging
from typing import Protocol

from msgspec.structs import replace

from ...engine.game import Game
from ..protocol.refusals import StoreFailed
from ..protocol.views import PendingOutcome
from .appends import append_of, changes_game_only
from .deciding import Decision
from .following import Follower
from .log import Entry, Played
from .peering import Peering
from .ports import Listing
from .repeats import bot_command
from .services import Services
from .sitting import LogEvent, Sitting

log = logging.getLogger("deadwood.server")


class LoggedRoom(Protocol):
    """What a logkeeper needs from its room."""

    sitting: Sitting
    pending: PendingOutcome | None
    follower: Follower
    peering: Peering
    used: float

    def seat_listeners(self, entry: Entry) -> None:
        """Take chairs that an entry gave up or handed over away from the listeners who held them."""

    def announce(self, event: LogEvent) -> None:
        """Tell everybody of an entry that is durable."""

    def wake(self) -> None:
        """Look again: somebody else made the entry."""


class Logkeeper:
    """Stores one entry at a time; its callers hold the room's lock."""

    def __init__(self, room: LoggedRoom, listing: Listing, services: Services) -> None:
        self._room = room
        self._listing = listing
        self._services = services

    async def store_once(self, decision: Decision, command: str, fence: int = 0) -> None:
        """Store and announce an entry. If its number is taken, a commit that seemed to fail may have stored it."""
        event = await self.store(decision, command, fence)
        if event is not None:
            self._room.announce(event)
            return
        if fence:
            await self._services.peers.check(self._room.sitting.code)
        await self._room.follower.catch_up()
        self._room.wake()

    async def store(self, decision: Decision, command: str, fence: int = 0) -> LogEvent | None:
        """Make an entry durable; only then may anybody know of it. None if another process took its number."""
        self._services.demand_writable()
        sitting, follower = self._room.sitting, self._room.follower
        entry = Entry(sitting.code, sitting.seq + 1, self._services.now(), decision.by, command, decision.body)
        after = None if changes_game_only(sitting, decision) else sitting.after(entry, decision.game)
        delay = self._services.settings.notice_delay
        append = append_of(self._listing, sitting, entry, after, decision.game, delay)
        append = replace(append, fence=fence) if fence else append
        follower.unsure = True  # until we know the commit's fate, however this ends
        try:
            stored = await self._services.append(append)
        except BaseException as error:
            follower.heal_soon()
            if isinstance(error, StoreFailed):
                log.warning("an entry may not be stored: %s", error)
            raise
        if not stored:
            return None
        follower.unsure = False
        event = self._take(entry, after, decision.game)
        self._room.peering.tell_of_entry(entry)
        return event

    def _take(self, entry: Entry, after: Sitting | None, game: Game | None) -> LogEvent:
        """Change the room as the entry says; `after` is the sitting after it, or None if only the game changes."""
        room = self._room
        room.used = self._services.monotonic()
        if isinstance(entry.body, Played):
            self._services.counters.actions.add("bot" if entry.command == bot_command(entry.seq) else "person")
        if after is None or after.position_seq != room.sitting.position_seq:
            room.pending = None
        if after is None:
            return room.sitting.take(entry, game)
        self._services.counters.games_finished += after.status == "finished" != room.sitting.status
        room.sitting = after
        room.seat_listeners(entry)
        return after.events[-1]
