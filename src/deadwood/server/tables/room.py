"""Room: a table in memory. Every change is stored first, then acknowledged, then broadcast."""

import asyncio
from collections.abc import Callable, Iterable

from msgspec.structs import replace

from ...engine.actions import Action
from ..protocol.commands import (
    ChangeCommand,
    FileCommand,
    FindCards,
    FindHandover,
    Hello,
    Hint,
    Ping,
    QueryCommand,
    Sit,
    Sync,
    TalkCommand,
)
from ..protocol.messages import (
    CardsFound,
    Done,
    Handover,
    Hints,
    OutcomeWanted,
    Pong,
    Waiting,
    Welcome,
)
from ..protocol.refusals import refuse
from ..protocol.talk import Heard, TalkMessage
from ..protocol.views import ClockView, PendingOutcome, TableView
from .absence import Countdown, is_awaited
from .addresses import Addresses
from .advisor import Advisor
from .audience import Audience
from .bot_driver import BotDriver
from .caller import Caller, Listener
from .deciding import Decision, Held, Moment, demand_next
from .decisions import decide, play_action
from .following import Follower
from .lobby import play_again, start_at_once
from .log import Entry, Returned, TakenOver
from .logkeeper import Logkeeper
from .peering import Peering
from .ports import Listing
from .rematch import RematchDriver
from .repeats import SEATING, Repeats, bot_command
from .services import Services
from .sitting import LogEvent, Sitting
from .table_state import BotTurn
from .talk import Talk
from .timekeeper import Timekeeper
from .views import View, found_cards, found_handover, taken_chairs, update

Acknowledge = Callable[[Done], None]
MOST_MISSED = 200  # updates that a returning client gets; narrating a whole game would hold up everybody else


class Room:
    """The current sitting of a table. All changes go through one lock, one at a time."""

    def __init__(self, listing: Listing, sitting: Sitting, services: Services) -> None:
        self.sitting = sitting
        self.peering = Peering(self, services)
        self.audience = Audience(self.peering.tell_who_attends)
        self.pending: PendingOutcome | None = None
        self.gone = False  # an operator has deleted the table
        self.visits = 0
        self.used = self.seen = services.monotonic()
        self._services = services
        self.lock = asyncio.Lock()
        self.follower = Follower(self, services)
        self._logkeeper = Logkeeper(self, listing, services)
        self._repeats = Repeats(services.store)
        self._bots = BotDriver(self, services)
        self._time = Timekeeper(self, services)
        self._rematch = RematchDriver(self, services, lambda: self.audience.present)
        self._addresses = Addresses()
        self._advisor = Advisor(services.thinker)
        self._talk = Talk(services, self.audience)
        self._said_wait: tuple[Countdown, bool] | None = None

    @property
    def idle(self) -> bool:
        """Whether nobody needs this room in memory."""
        busy = self._bots.busy or self._time.busy or self._rematch.busy or self.follower.behind or self.lock.locked()
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
            self._time.wake()
            self._say_waiting(but)

    def _say_waiting(self, but: Listener | None) -> None:
        """Send `Waiting` when it changes. It is not in the log, because it follows from who is connected."""
        wait = self._time.wait
        said = None if wait is None else (wait.countdown, wait.runs)
        if said != self._said_wait:
            self._said_wait = said
            self.audience.send(Waiting(waiting=self._waiting), but)

    @property
    def _waiting(self) -> ClockView | None:
        wait = self._time.wait
        return None if wait is None else ClockView(wait.countdown[1], round(wait.seconds, 1), wait.runs)

    def go_on(self) -> None:
        """Do what could not be done while the server was read-only, or before the log was read."""
        self.wake()
        self._rematch.consider()

    def rest(self) -> None:
        """Stop the timer: the table leaves memory."""
        self._time.rest()

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
        self.wake(but=listener)  # its welcome says it all
        welcome = self._welcome(listener, hello.since, None)
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
        self._addresses.keep(chairs)

    # --- what it looks like

    def missed(self, since: int | None) -> int:
        """How many updates a client has missed if it has seen the entries up to a number."""
        return 0 if since is None else min(MOST_MISSED, len(self._missed(since)))

    def _missed(self, since: int) -> list[LogEvent]:
        return self.sitting.events[max(0, since + 1 - self.sitting.first_seq) :]

    def view(self, caller: Caller) -> TableView:
        """The table as it is now."""
        view = self._view()
        return view.table(caller.language, view.explains(caller))

    def _view(self) -> View:
        link, talk = self._services.link(self.sitting.code), self._talk.allowed(self.sitting)
        return View(self.sitting, link, self.pending, self.seconds_left, talk)

    def _welcome(self, caller: Caller, since: int | None, id: str | None) -> Welcome:
        events = [] if since is None else self._missed(since)
        return Welcome(
            id=id,
            table=self.view(caller),
            held=tuple(sorted(caller.held)),
            missed=tuple(update(event, caller.language) for event in events[-MOST_MISSED:]),
            present=self.audience.present,
            waiting=self._waiting,
        )

    # --- queries

    async def answer(self, caller: Caller, query: QueryCommand) -> Welcome | Hints | CardsFound | Handover | Pong:
        """Answer a command that changes nothing."""
        async with self.lock:
            await self.follower.catch_up()
        match query:
            case Ping():
                return Pong(id=query.id, seq=self.sitting.seq)
            case Sync():
                return self._welcome(caller, query.since, query.id)
            case FindHandover():
                return found_handover(self.sitting, query, self._services.now())
            case FindCards():
                return found_cards(self.sitting, query, caller.language)
            case Hint():
                return await self._advisor.answer(self.sitting, caller, query)

    # --- talk

    async def talk(self, caller: Caller, command: TalkCommand) -> Heard:
        """Pass on what somebody says; it changes nothing at the table."""
        return await self._talk.answer(self.sitting, caller, command)

    def hear_talk(self, message: TalkMessage) -> None:
        """Something was said here."""
        self._talk.hear(message)

    # --- changes

    async def perform(
        self, caller: Caller, command: ChangeCommand | FileCommand, acknowledge: Acknowledge = lambda _done: None
    ) -> Done:
        """Carry out a command exactly once. It is acknowledged when it is durable, before anybody else hears of it."""
        async with self.lock:
            self.follower.heed(command)
            event = None
            while event is None:  # until the entry has a number, or is refused
                await self.follower.catch_up()
                done = await self._repeats.first_answer(self.sitting, caller.held | caller.left, command)
                if done is not None:
                    self._acknowledge(caller, done, acknowledge)
                    return done
                await self._bring_back(caller)
                moment = self._moment(caller)
                decision = decide(self.sitting, caller.held, command, self._services.random_bytes, moment)
                event = await self._logkeeper.store(decision, command.id)
            taken = decision.by if isinstance(command, SEATING) else None
            done = Done(id=command.id, seq=event.seq, chair=taken)
            if isinstance(command, Sit):
                self._addresses.add(decision.by, caller.address)
            self._acknowledge(caller, done, acknowledge)
            self.announce(event)
            return done

    async def repeated(self, caller: Caller, command: ChangeCommand) -> Done | None:
        """The first answer to this command, if somebody sent it before leaving."""
        async with self.lock:
            await self.follower.catch_up()
            return await self._repeats.first_answer(self.sitting, caller.left, command)

    async def start_at_once(self) -> None:
        """Start a new table's game."""
        async with self.lock:
            await self._logkeeper.store_once(start_at_once(self.sitting), "")

    async def play_again(self, still: Callable[[], bool]) -> None:
        """Start another game with those who agreed, if `still` holds once the table is locked."""
        async with self.lock:
            await self.follower.catch_up()
            fence = self.peering.fence
            if fence is not None and still():
                await self._logkeeper.store_once(play_again(self.sitting, self._services.random_bytes), "", fence)

    async def play_for(self, turn: BotTurn, seq: int, action: Action) -> None:
        """Play a bot's action as entry `seq`, unless something else happened first."""
        async with self.lock:
            await self.follower.catch_up()
            demand_next(self.sitting, seq)
            by, bot = (0, turn.bot) if turn.stands_in else (turn.chair.id, None)
            fence = self.peering.fence
            if fence is not None:
                decision = play_action(self.sitting, by, action, bot=bot)
                await self._logkeeper.store_once(decision, bot_command(seq), fence)

    async def do_timely(self) -> None:
        """Store what is due, if it still is."""
        async with self.lock:
            await self.follower.catch_up()
            decision, fence = self._time.due, self.peering.fence
            if decision is not None and fence is not None:
                await self._logkeeper.store_once(decision, "", fence)

    async def _bring_back(self, caller: Caller) -> None:
        """Note that a person without a connection is back. For one with a connection, the timekeeper does it."""
        self._time.seen(caller.held)
        back = tuple(sorted(caller.held.intersection(self.sitting.attendance.away)))
        if back and self.sitting.status != "finished":
            await self._logkeeper.store_once(Decision(0, Returned(back)), "")

    def _moment(self, caller: Caller) -> Moment:
        return Moment(self._services.now(), self.present, self.pending, self._is_crowded(caller))

    def _is_crowded(self, caller: Caller) -> bool:
        """Whether an address has as many chairs here as it may. Private tables are among friends."""
        return self.sitting.opened.public and self._addresses[caller.address] >= self._services.settings.limits.chairs

    # --- telling everybody

    def ask_outcome(self, pending: PendingOutcome) -> None:
        """Ask people for the dice or the card of a bot's action."""
        self.show_outcome_wanted(pending)
        self.peering.tell_of_wanted_outcome()

    def show_outcome_wanted(self, pending: PendingOutcome) -> None:
        """Show people that a bot waits for them, here or in another process."""
        self.pending = pending
        self.audience.send(OutcomeWanted(pending=pending))

    def _acknowledge(self, caller: Caller, done: Done, acknowledge: Acknowledge) -> None:
        acknowledge(done)
        if done.chair is not None and isinstance(caller, Listener):
            self.audience.hold(caller, done.chair)
            self.wake()

    def announce(self, event: LogEvent) -> None:
        """Tell everybody of an entry that is durable, and go on from there."""
        self._broadcast(event)
        self.wake()
        self._rematch.consider()

    def show_read(self, entry: Entry) -> None:
        """Show everybody an entry that somebody else has written."""
        self._time.seen((entry.by,))
        self.seat_listeners(entry)
        self._broadcast(self.sitting.events[-1])
        self.peering.show_wanted_outcome()

    def _broadcast(self, event: LogEvent) -> None:
        self.audience.broadcast(event, self._view())
        if self.pending is not None:  # clients forget it with every update
            self.audience.send(OutcomeWanted(pending=self.pending))
