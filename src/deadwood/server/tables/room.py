"""Room: a table in memory. It knows who is here, tells everybody what happened, and lets bots and clocks go on."""

import asyncio
import weakref
from collections.abc import Coroutine, Iterable
from typing import Any

from msgspec.structs import replace

from ..protocol.commands import Hello, TalkCommand
from ..protocol.messages import OutcomeWanted, Waiting, Welcome
from ..protocol.refusals import refuse
from ..protocol.talk import Heard, TalkMessage
from ..protocol.views import ClockView, PendingOutcome
from .absence import Countdown, is_awaited
from .addresses import Addresses
from .audience import Audience
from .bot_driver import BotDriver
from .caller import Caller, Listener
from .clerk import Clerk
from .deciding import Held
from .following import Follower
from .log import Entry, TakenOver
from .peering import Peering
from .ports import Listing
from .queries import Queries
from .rematch import RematchDriver
from .services import Services
from .sitting import LogEvent, Sitting
from .table_state import BotTurn
from .talk import Talk
from .timekeeper import Timekeeper
from .views import taken_chairs


class Room:
    """The current sitting of a table. All changes go through one lock, one at a time: see `Clerk`.

    Its parts hold only weak references to it. Otherwise a room would stay in memory after the hall has forgotten it:
    the garbage collector looks only at young objects. Code that uses a part has to hold the room.
    """

    def __init__(self, listing: Listing, sitting: Sitting, services: Services) -> None:
        room: Room = weakref.proxy(self)
        self.sitting = sitting
        self.peering = Peering(room, services)
        self.audience = Audience(self.peering.tell_who_attends)
        self.pending: PendingOutcome | None = None
        self.gone = False  # an operator has deleted the table
        self.visits = 0
        self.used = self.seen = services.monotonic()
        self._services = services
        self.lock = asyncio.Lock()
        self.addresses = Addresses()
        self.follower = Follower(room, services)
        self.clerk = Clerk(room, listing, services)
        self._bots = BotDriver(room, services, self.clerk.play_for)
        self.time = Timekeeper(room, services, self.clerk.do_timely)
        self._rematch = RematchDriver(room, services, self.clerk.play_again)
        self._talk = Talk(services, self.audience)
        self.queries = Queries(room, self._talk, services)
        self._said_wait: tuple[Countdown, bool] | None = None

    @property
    def idle(self) -> bool:
        """Whether nobody needs this room in memory."""
        busy = self._bots.busy or self.time.busy or self._rematch.busy or self.follower.behind or self.lock.locked()
        return not self.visits and not busy

    @property
    def in_use(self) -> bool:
        """Whether anybody plays here, watches, or did so a moment ago; otherwise bots may pause."""
        unseen = self._services.monotonic() - self.seen
        people = bool(self.sitting.holders) or self.sitting.deserted
        watched = self.visits > 0 or self.audience.watched_elsewhere
        return people or watched or unseen <= self._services.settings.unwatched

    @property
    def leads(self) -> bool:
        """Whether this process looks after bots, clocks and rematches."""
        return self.peering.fence is not None

    @property
    def still(self) -> bool:
        """Whether nothing may happen here by itself: the table is deleted, or the server is read-only."""
        return self.gone or self._services.read_only

    @property
    def address(self) -> str:
        """The address of the people who wait for the bots here; that of the first player, if there are several."""
        return self.audience.address

    @property
    def bot_turn(self) -> BotTurn | None:
        """The bot that may act now. A stand-in plays for people who wait, or because there is a clock."""
        sitting, turn = self.sitting, self.sitting.bot_turn
        if turn is None or self.pending is not None or sitting.attendance.paused or not self.in_use or self.still:
            return None
        goes_on = turn.chair.id not in sitting.attendance.away or sitting.house.clock is not None
        return turn if goes_on or is_awaited(sitting, self.present, turn.chair) else None

    @property
    def seconds_left(self) -> float | None:
        """The seconds left on the clock of the active chair; None without a clock."""
        clock = self.sitting.attendance.clock
        if clock is None or self.sitting.attendance.paused:
            return None if clock is None else clock.left
        return clock.left - self._services.served(clock.since)

    def wake(self, but: Listener | None = None) -> None:
        """Let bots play if it is their turn, do what is due, and tell everybody except `but` whom they wait for."""
        if not self._services.closing and not self.gone:
            self._bots.wake()
            self.time.wake()
            self._say_waiting(but)

    def _say_waiting(self, but: Listener | None) -> None:
        """Send `Waiting` when it changes. It is not in the log, because it follows from who is connected."""
        wait = self.time.wait
        said = None if wait is None else (wait.countdown, wait.runs)
        if said != self._said_wait:
            self._said_wait = said
            self.audience.send(Waiting(waiting=self.waiting), but)

    @property
    def waiting(self) -> ClockView | None:
        """Whom the others wait for."""
        wait = self.time.wait
        return None if wait is None else ClockView(wait.countdown[1], round(wait.seconds, 1), wait.runs)

    def go_on(self) -> None:
        """Do what could not be done while the server was read-only, or before the log was read."""
        self.wake()
        self._rematch.consider()

    def rest(self) -> None:
        """Stop the timer: the table leaves memory."""
        self.time.rest()

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run a background task of one of the room's parts. The room stays in memory until it ends."""
        task = self._services.spawn(work)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, _task: asyncio.Task[None]) -> None:
        """The task held the room by this method alone."""

    # --- who is here

    @property
    def present(self) -> Held:
        """The chairs that connections hold."""
        return self.audience.present_set

    def caller(self, tokens: Iterable[str], language: str, address: str = "") -> Caller:
        """Somebody with these tokens; a token that never held a chair here is refused."""
        tokens = tuple(tokens)
        held, left = self.sitting.held_with(tokens), self.sitting.left_with(tokens)
        if len(held) + len(left) < len(tokens):
            raise refuse("token_unknown")
        return Caller(language, held, left, address=address)

    async def catch_up_with(self, tokens: Iterable[str], since: int | None = None) -> None:
        """Read the log if somebody seems to know more of it than we do, perhaps from another process."""
        unknown = any(self.sitting.chair_of(one) is None and self.sitting.left_chair(one) is None for one in tokens)
        if unknown or (since is not None and since > self.sitting.seq):
            await self.follower.look()

    def join(self, listener: Listener, hello: Hello) -> Welcome:
        """Let a client listen from now on; it misses nothing between its snapshot and its first update."""
        listener.held, listener.left = self.sitting.held_with(hello.tokens), self.sitting.left_with(hello.tokens)
        listener.explain = hello.explain
        self.audience.join(listener)
        chairs = map(self.sitting.chair_of, hello.tokens)
        unknown = tuple(number for number, chair in enumerate(chairs) if chair is None)
        self.wake(but=listener)  # the listener learns this from its welcome
        welcome = self.queries.welcome(listener, hello.since)
        talk = self._talk.lines(self.sitting)
        return replace(welcome, unknown=unknown, taken=taken_chairs(self.sitting, hello.tokens), talk=talk)

    def leave(self, listener: Listener) -> None:
        """A client is gone."""
        self.audience.leave(listener)
        self.wake()
        self._rematch.consider()

    def seat_listeners(self, entry: Entry) -> None:
        """Take chairs that an entry gave up or handed over away from the listeners who held them."""
        chairs = {chair.id for chair in self.sitting.holders}
        self.audience.keep_chairs(chairs)
        if isinstance(entry.body, TakenOver):
            self.audience.release(entry.body.chair)
        self.addresses.keep(chairs)

    # --- talk

    async def talk(self, caller: Caller, command: TalkCommand) -> Heard:
        """Pass on what somebody says; it changes nothing at the table."""
        if self.gone:
            raise refuse("table_unknown", code=self.sitting.code)
        return await self._talk.answer(self.sitting, caller, command)

    def hear_talk(self, message: TalkMessage) -> None:
        """Something was said here."""
        self._talk.hear(message)

    # --- telling everybody

    def ask_outcome(self, pending: PendingOutcome) -> None:
        """Ask people for the dice or the card of a bot's action."""
        self.show_outcome_wanted(pending)
        self.peering.tell_of_wanted_outcome()

    def show_outcome_wanted(self, pending: PendingOutcome) -> None:
        """Show people that a bot waits for them, here or in another process."""
        self.pending = pending
        self.audience.send(OutcomeWanted(pending=pending))

    def announce(self, event: LogEvent) -> None:
        """Tell everybody of an entry that is durable, and go on from there."""
        self._broadcast(event)
        self.wake()
        self._rematch.consider()

    def show_read(self, entry: Entry) -> None:
        """Show everybody an entry that somebody else has written."""
        self.time.seen((entry.by,))
        self.seat_listeners(entry)
        self._broadcast(self.sitting.events[-1])
        self.peering.show_wanted_outcome()

    def _broadcast(self, event: LogEvent) -> None:
        self.audience.broadcast(event, self.queries.view())
        if self.pending is not None:  # clients forget it with every update
            self.audience.send(OutcomeWanted(pending=self.pending))
