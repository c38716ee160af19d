"""Room: a table in memory, with those who listen. Persist, then acknowledge, then broadcast."""

import asyncio
import logging
from collections.abc import Callable, Iterable

import msgspec

from ...engine.chance import OutcomeNeeded
from ...engine.game import Game
from ..protocol.commands import Change, Choices, Hello, Hint, Move, Ping, Question, Sit, Sync, Undo
from ..protocol.messages import Advised, Asked, ChoicesView, Done, Hints, Pending, Pong, Present, TableView, Welcome
from ..protocol.refusals import ServerRefused, Stale, problem, refuse
from ..socket.connection import Connection
from ..store.rows import Answers, GameRow, Listing, StoreFailed
from ..store.rows import Change as StoreChange
from .attendance import Attendance
from .decisions import Decision, Held, decide, undo_refusal
from .log import Chair, Entry, Opened, Played, Started, Undone
from .services import Services
from .sitting import Page, Sitting, sitting_of
from .views import choices, game_summary, listed, table_view, update, update_now

log = logging.getLogger("deadwood.server")
Acknowledge = Callable[[Done], None]
Advice = tuple[str, tuple[Advised, ...]]
_RETRY = 1.0  # seconds after which we try again when the database failed
MOST_MISSED = 200  # entries that a client is told when it comes back; telling all of a long game would hold up others


class Room:
    """The present sitting of a table. All changes go through `perform`, one at a time."""

    def __init__(self, listing: Listing, sitting: Sitting, services: Services) -> None:
        self.sitting = sitting
        self.connections: dict[Connection, None] = {}  # in the order in which they came
        self.visits = 0
        self._attendance = Attendance()
        self.used = self.seen = services.monotonic()
        self._listing = listing
        self._services = services
        self._lock = asyncio.Lock()
        self._behind = False  # the log may hold more than we know
        self._bot: asyncio.Task[None] | None = None
        self._pending: Pending | None = None
        self._answered: tuple[int, Answers] | None = None  # in earlier sittings, those before this number
        self._thought: tuple[tuple[int, str], asyncio.Task[Advice]] | None = None

    @property
    def link(self) -> str:
        """Where the table is found."""
        return self._services.link(self.sitting.code)

    @property
    def idle(self) -> bool:
        """Whether nobody needs it in memory."""
        return not self.visits and self._bot is None and not self._behind and not self._lock.locked()

    def view(self) -> TableView:
        """All that is so now."""
        return table_view(self.sitting, self.link, self._pending)

    def wake(self) -> None:
        """Let a bot go on whose turn it is."""
        if self._bot is None and self._bot_to_act is not None:
            self._bot = self._services.spawn(self._play_bots())

    @property
    def _has_people(self) -> bool:
        return any(chair.token for chair in self.sitting.chairs)

    @property
    def _matters(self) -> bool:
        """Whether somebody plays here, or looks, or did just now; else bots may pause."""
        unseen = self._services.monotonic() - self.seen
        return self._has_people or self.visits > 0 or unseen <= self._services.settings.unwatched

    @property
    def _bot_to_act(self) -> Chair | None:
        active = self.sitting.active
        return active if active and active.bot and self._pending is None and self._matters else None

    async def start_bots(self) -> None:
        """Start a game that bots play alone."""
        async with self._lock:
            decision = Decision(0, Started(), self.sitting.new_game())
            if await self._keep(self._entry(decision, ""), decision) is None:
                await self._catch_up()  # it was kept, by a commit that was said to have failed
        self.wake()

    # --- listening

    def join(self, connection: Connection, hello: Hello) -> Welcome:
        """Let a client listen from now on; nothing can happen between its snapshot and its first update."""
        seats = [self.seat_of(token) for token in hello.tokens]
        connection.held = frozenset(seat for seat in seats if seat is not None)
        connection.left = self.left_seats(hello.tokens)
        self.connections[connection] = None
        if self._attendance.come(connection.held):
            self._tell_presence(but=connection)
        unknown = tuple(number for number, seat in enumerate(seats) if seat is None)
        return msgspec.structs.replace(self._welcome(connection, hello.since, None), unknown=unknown)

    def leave(self, connection: Connection) -> None:
        """A client is gone."""
        del self.connections[connection]
        if self._attendance.go(connection.held):
            self._tell_presence()

    def hold(self, connection: Connection, seat: int) -> None:
        """A client that listens has taken a seat."""
        taken = {seat} - connection.held
        connection.held |= taken
        if self._attendance.come(taken):
            self._tell_presence()

    def _tell_presence(self, but: Connection | None = None) -> None:
        """Tell this table who is here; the one who just came hears it in its welcome."""
        self._say_to_all(Present(seats=self._attendance.seats), but)

    def _say_to_all(self, message: msgspec.Struct, but: Connection | None = None) -> None:
        text = msgspec.json.encode(message)
        for connection in tuple(self.connections):
            if connection is not but:
                connection.say(text)

    def seat_of(self, token: str) -> int | None:
        """The seat that a token holds."""
        chair = self.sitting.chair_of(token)
        return None if chair is None else chair.id

    def left_seats(self, tokens: Iterable[str]) -> frozenset[int]:
        """The seats that tokens held once."""
        seats = map(self.sitting.left_seat, tokens)
        return frozenset(seat for seat in seats if seat is not None)

    def _welcome(self, connection: Connection, since: int | None, id: str | None) -> Welcome:
        pages = [] if since is None else [page for page in self.sitting.pages if page.seq > since]
        missed = tuple(update(page, connection.language) for page in pages[-MOST_MISSED:])
        return Welcome(
            id=id,
            table=self.view(),
            held=tuple(sorted(connection.held)),
            missed=missed,
            present=self._attendance.seats,
        )

    def _broadcast(self, page: Page) -> None:
        """Encode once for every language, however many listen."""
        encoded: dict[str, bytes] = {}
        for connection in tuple(self.connections):
            language = connection.language
            if language not in encoded:
                message = update_now(page, self.sitting, self.link, language)
                encoded[language] = msgspec.json.encode(message)
            connection.say(encoded[language])

    # --- answering

    async def answer(self, connection: Connection, question: Question) -> Welcome | ChoicesView | Hints | Pong:
        """Answer what changes nothing."""
        async with self._lock:
            await self._catch_up()
        if isinstance(question, Ping):
            return Pong(id=question.id, seq=self.sitting.seq)
        if isinstance(question, Sync):
            return self._welcome(connection, question.since, question.id)
        sitting, game = self.sitting, self.sitting.game
        if game is None or game.over:
            raise refuse("table_not_running")
        if isinstance(question, Choices):
            return self._choices(connection, question, sitting.seq, game)
        return await self._hint(connection, question, sitting.seq, game)

    def _choices(self, connection: Connection, question: Choices, seq: int, game: Game) -> ChoicesView:
        language = connection.language
        problem_of_undo = undo_refusal(self.sitting, connection.held)
        undo = None if problem_of_undo is None else problem(problem_of_undo, language).sentence
        return ChoicesView(id=question.id, seq=seq, choices=choices(game.state, language), undo=undo)

    async def _hint(self, connection: Connection, question: Hint, seq: int, game: Game) -> Hints:
        if not connection.held:
            raise refuse("token_unknown")
        thinking = self._advice(seq, connection.language, game)
        try:
            bot, advice = await asyncio.shield(thinking)  # whoever asks may go; others wait for the same
        except Exception:
            self._thought = None
            raise
        return Hints(id=question.id, seq=seq, bot=bot, advice=advice)

    def _advice(self, seq: int, language: str, game: Game) -> "asyncio.Task[Advice]":
        """Thought about once for every number, however many ask."""
        if self._thought is None or self._thought[0] != (seq, language):
            thinking = asyncio.create_task(self._services.thinker.advise(game.state, language))
            thinking.add_done_callback(_look_at)
            self._thought = (seq, language), thinking
        return self._thought[1]

    async def first_answer(self, left: Held, command: Change) -> Done | None:
        """What somebody was told who has left, if this is a repeat."""
        async with self._lock:
            await self._catch_up()
            return await self._earlier(left, command)

    async def perform(self, held: Held, command: Change, acknowledge: Acknowledge, left: Held = frozenset()) -> None:
        """Do what a command says: exactly once, kept first, acknowledged second, told to everybody third."""
        async with self._lock:
            self._behind |= _is_ahead(command, self.sitting)
            page = None
            while page is None:  # until it has a number, or is refused
                await self._catch_up()
                earlier = await self._earlier(held | left, command)
                if earlier is not None:
                    acknowledge(earlier)
                    return
                decision = decide(self.sitting, held, command, self._services.random_bytes, self._pending)
                page = await self._keep(self._entry(decision, command.id), decision)
            seat = decision.by if isinstance(command, Sit) else None
            acknowledge(Done(id=command.id, seq=page.seq, seat=seat))
            self._broadcast(page)
            self.wake()

    def _entry(self, decision: Decision, command: str) -> Entry:
        sitting = self.sitting
        return Entry(sitting.code, sitting.seq + 1, self._services.now(), decision.by, command, decision.body)

    async def _earlier(self, held: Held, command: Change) -> Done | None:
        """The first answer to a repeat. Memory knows this sitting; the database knows the earlier ones."""
        sitting = self.sitting
        if isinstance(command, Sit):
            chair = sitting.chair_of(command.token)
            if chair is None:
                return None
            return Done(id=command.id, seq=sitting.answers.get((chair.id, command.id), sitting.seq), seat=chair.id)
        for by in held:
            seq = sitting.answers.get((by, command.id))
            if seq is None and sitting.first_seq > 1 and not self._is_bot(by):
                seq = (await self._earlier_answers()).get((by, command.id))
            if seq is not None:
                return Done(id=command.id, seq=seq)
        return None

    async def _earlier_answers(self) -> Answers:
        """What was answered before this sitting; read once, for every move asks."""
        first = self.sitting.first_seq
        if self._answered is None or self._answered[0] != first:
            self._answered = first, await self._services.store.answers(self.sitting.code, first)
        return self._answered[1]

    def _is_bot(self, seat: int) -> bool:
        """A bot's ids are told by their numbers, so they never come again."""
        chair = self.sitting.chair(seat)
        return chair is not None and chair.bot is not None

    async def _keep(self, entry: Entry, decision: Decision) -> Page | None:
        """Persist an entry; only then may anybody know of it. None if another process has taken its number."""
        after = None if _is_plain(decision) else self.sitting.after(entry, decision.game)
        change = StoreChange(entry) if after is None else self._change(entry, after)
        self._behind = True  # until we know what became of it, however this ends
        try:
            kept = await self._services.append(change)
        except BaseException as error:
            self._services.spawn(self._heal())
            if isinstance(error, StoreFailed):
                log.warning("an entry may not be kept: %s", error)
            raise
        if not kept:
            return None
        self._behind = False
        return self._take(entry, after, decision.game)

    def _take(self, entry: Entry, after: Sitting | None, game: Game | None) -> Page:
        self.used = self._services.monotonic()
        self._pending = None
        if after is None:
            page = self.sitting.take(entry, game)
        else:
            self._services.counters.games_finished += after.status == "finished"
            self.sitting = after
            page = after.pages[-1]
            self._release_lost_seats()
        return page

    def _release_lost_seats(self) -> None:
        present = {chair.id for chair in self.sitting.chairs}
        for connection in self.connections:
            lost = connection.held - present
            if lost:
                self._attendance.go(lost)  # all are told of it by the table itself
                connection.left |= lost
                connection.held &= present

    def _change(self, entry: Entry, after: Sitting) -> StoreChange:
        """An entry with what lists show after it."""
        created = self._services.created(self._listing)
        summary = msgspec.json.encode(listed(after, created)).decode()
        listing = msgspec.structs.replace(self._listing, status=after.status, summary=summary)
        game = None
        if isinstance(entry.body, Opened):
            game = GameRow(entry.code, after.opened.game, entry.seq)
        elif after.status == "finished":
            told = msgspec.json.encode(game_summary(after, entry.at)).decode()
            game = GameRow(entry.code, after.opened.game, after.first_seq, entry.seq, told)
        return StoreChange(entry, listing, game)

    # --- what others wrote

    async def _heal(self) -> None:
        """Find out what became of an entry: its writer was called off, or the database failed."""
        while self._behind:
            try:
                async with self._lock:
                    await self._catch_up()
            except StoreFailed:
                await asyncio.sleep(_RETRY)
        self.wake()

    async def _catch_up(self) -> None:
        """Take what is in the log and not yet here: by another process, or by a commit of unknown fate."""
        if not self._behind:
            return
        entries = await self._services.store.entries(self.sitting.code, self.sitting.seq + 1)
        for entry in entries:
            if isinstance(entry.body, Opened):
                self.sitting = sitting_of([entry])
                page = self.sitting.pages[-1]
            else:
                page = self.sitting.take(entry)
            self._pending = None
            self._release_lost_seats()
            self._broadcast(page)
        self._behind = False

    # --- bots

    async def _play_bots(self) -> None:
        try:
            while (active := self._bot_to_act) is not None:
                seq = self.sitting.seq + 1
                await asyncio.sleep(self._services.bot_pause)
                if self.sitting.seq + 1 == seq:
                    await self._play_bot(active, seq)
        finally:
            self._bot = None

    async def _play_bot(self, bot: Chair, seq: int) -> None:
        assert self.sitting.game is not None
        assert bot.bot is not None
        action = await self._services.thinker.decide(bot.bot, self.sitting.game.state, not self._has_people)
        try:
            move = Move(id=f"bot-{seq}", seq=seq, action=action)
            await self.perform(frozenset({bot.id}), move, lambda _done: None)
        except Stale:
            return  # somebody took back what the bot thought about
        except OutcomeNeeded as needed:
            self._ask(Pending(bot.id, action, needed.kind, needed.count))
        except (ServerRefused, StoreFailed):
            await asyncio.sleep(_RETRY)

    def _ask(self, pending: Pending) -> None:
        self._pending = pending
        self._say_to_all(Asked(pending=pending))


def _look_at(thinking: "asyncio.Task[Advice]") -> None:
    """An error that nobody waited for is none."""
    if not thinking.cancelled():
        thinking.exception()


def _is_plain(decision: Decision) -> bool:
    """Whether an entry changes nothing that lists show."""
    if isinstance(decision.body, Played):
        return decision.game is not None and not decision.game.over
    return isinstance(decision.body, Undone)


def _is_ahead(command: Change, sitting: Sitting) -> bool:
    """Whether the client has heard of more than we have: from another process, perhaps."""
    return isinstance(command, Move | Undo) and command.seq > sitting.seq + 1
