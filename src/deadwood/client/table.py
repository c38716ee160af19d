"""A table on a server as we know it, and everything that people do there."""

import asyncio
import random
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from types import TracebackType
from typing import Protocol, Self

from msgspec.structs import replace

from ..engine.actions import Action
from ..engine.notation import format_action
from ..engine.state import State
from ..server.protocol import commands
from ..server.protocol.commands import AnyCommand
from ..server.protocol.messages import (
    Answer,
    Done,
    OutcomeWanted,
    Present,
    Problem,
    Update,
    Waiting,
    Welcome,
)
from ..server.protocol.talk import Said, TalkCleared, TalkLine
from ..server.protocol.views import ChairView, Position, TableView
from .connection import PATIENCE, Connection, Open, Status, Unnumbered
from .countdown import Countdown, countdown
from .errors import ClientError, ServerRefused, TableLeft
from .files import FileKind, GameFiles, Offers, Source
from .table_commands import TableCommands

MOST_LINES = 200  # of talk that we remember
NOT_STORED = "not_stored"  # the only refusal after which something may have happened
NOT_THIS_TOKEN = frozenset({"not_the_host", "token_unknown"})
_FIRST_WELCOME = 3 * PATIENCE


class Listener:
    """Hears what happens at a table; override what you need."""

    def status_changed(self, status: Status) -> None:
        """The connection was lost, works again, or has ended."""

    def caught_up(self, missed: tuple[Update, ...], first: bool) -> None:
        """We are connected, and this happened meanwhile; the `first` time, it is the game so far."""

    def updated(self, update: Update) -> None:
        """Something happened, and the view shows it already."""

    def said(self, line: TalkLine) -> None:
        """Somebody talks."""

    def changed(self) -> None:
        """Something changed that is not in the log: who is here, whom everybody waits for, what must be rolled."""

    def refused(self, problem: Problem) -> None:
        """The server refused the connection, or something else that is not a command."""


class Keeper(Protocol):
    """Keeps the tokens of our chairs, so that we can come back."""

    def keep(self, token: str, name: str) -> None:
        """Keep a token that may hold a chair. This is called before the server knows it: an answer can be lost."""

    def forget(self, token: str) -> None:
        """Forget a token: the server said that it holds no chair."""


class ServedTable(TableCommands):
    """A table on a server: what is there, what we do, and what others do meanwhile.

    Use it as an async context manager: inside the block it is connected, and reconnects by itself.
    """

    def __init__(
        self,
        code: str,
        open: Open,
        source: Source,
        *,
        tokens: Iterable[str] = (),
        language: str = "en",
        listener: Listener | None = None,
        keeper: Keeper | None = None,
        chance: random.Random | None = None,
    ) -> None:
        self.code = code
        self.tokens = list(tokens)
        self.status: Status = "connecting"
        self.held: tuple[int, ...] = ()
        self.present: tuple[int, ...] = ()
        self.waiting: Countdown | None = None  # until a stand-in plays for the active player, who is absent
        self.clock: Countdown | None = None  # the time that the active player has left
        self.talk: deque[TalkLine] = deque(maxlen=MOST_LINES)
        self.problem = ""  # why the connection has ended, if the server said so
        self.listener = listener or Listener()
        self._keeper = keeper
        self._view: TableView | None = None
        self._source = source
        self._files = GameFiles(source)
        self._changed = asyncio.Event()
        self._chance = chance or random.SystemRandom()
        self._connection = Connection(open, self._shown_tokens, self, language=language, chance=self._chance)
        self._running: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._running = asyncio.create_task(self._connection.run())
        try:
            async with asyncio.timeout(_FIRST_WELCOME):
                await self.until(lambda: self._view is not None)
        except BaseException as error:
            await self.close()
            if isinstance(error, TimeoutError):
                raise ClientError(f"The table {self.code} does not answer; try again later.") from error
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """End the connection. Our chairs stay ours."""
        self._connection.end()
        if self._running is not None:
            self._running.cancel()
            with suppress(asyncio.CancelledError):
                await self._running

    # --- what is there

    @property
    def view(self) -> TableView:
        """The table as the server described it last."""
        assert self._view is not None  # it comes with the first welcome
        return self._view

    @property
    def position(self) -> Position | None:
        """The game, once it has started."""
        return self.view.position

    async def state(self) -> State | None:
        """The game as the engine knows it, for bots and everything else that asks for legal actions or odds."""
        return await self._files.state(self.view)

    async def offers(self) -> Offers:
        """What this table can choose from."""
        about, options = await self._source.about(), await self._source.options(self.code)
        return Offers(about.bots, options.options, about.house, about.invitation_seconds)

    async def use_file(self, kind: FileKind, text: str | None) -> None:
        """Play with a custom deck or board, as TOML, or with the built-in one again; for the host."""
        *others, last = self.tokens or (None,)
        for token in others:  # one of them is the host's, but only the server knows which
            try:
                await self._use_file(kind, text, token)
                return
            except ServerRefused as error:
                if error.problem.code not in NOT_THIS_TOKEN:
                    raise
        await self._use_file(kind, text, last)

    async def _use_file(self, kind: FileKind, text: str | None, token: str | None) -> None:
        done = await self._source.use_file(self.code, kind, text, token)
        await self.until(lambda: self.view.seq >= done.seq)

    async def record(self) -> str:
        """The record of the game, once it is over."""
        return await self._source.record(self.code, self.view.game)

    @property
    def own_chairs(self) -> tuple[ChairView, ...]:
        """The chairs that we hold."""
        return tuple(chair for chair in self.view.chairs if chair.id in self.held)

    @property
    def active(self) -> ChairView | None:
        """Whose turn it is."""
        position = self.position
        seat = position.state.active if position and self.view.status == "running" else None
        return None if seat is None else self.view.chairs[seat]

    @property
    def hosts(self) -> bool:
        """Whether we are the host."""
        return self.view.host in self.held

    @property
    def absent(self) -> tuple[ChairView, ...]:
        """The chairs whose holders have not left, but are not connected."""
        holders = (chair for chair in self.view.chairs if chair.bot is None or chair.remote)
        return tuple(chair for chair in holders if not chair.left and chair.id not in self.present)

    @property
    def my_turn(self) -> bool:
        """Whether we may act now: the game runs, no stand-in plays for us, and the connection works."""
        active, position = self.active, self.position
        if active is None or position is None or self.status != "open":
            return False
        return active.id in self.held and position.stand_in is None and not position.paused

    def chair(self, id: int | None) -> ChairView | None:
        """The chair with this id."""
        return next((chair for chair in self.view.chairs if chair.id == id), None)

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until a condition holds; raises TableLeft if the connection ends first."""
        while not condition():
            if self.status == "ended":
                raise TableLeft(self.problem)
            await self._changed.wait()

    async def next_turn(self) -> bool:
        """Wait until it is our turn; False if the game ends first, or has not started."""
        await self.until(lambda: self.my_turn or self.view.status != "running")
        return self.my_turn

    # --- what we do

    async def send(self, command: AnyCommand) -> Answer:
        answer = await self._connection.send(command)
        if isinstance(answer, Problem):
            raise ServerRefused(answer)
        if isinstance(answer, Done):
            await self.until(lambda: self.view.seq >= answer.seq)
        return answer

    async def sit(
        self, name: str, colour: str | None = None, invitation: str | None = None, bot: str | None = None
    ) -> int:
        """Take a chair; returns its id. A program says which bot it is, in one word."""
        token = self.new_secret()
        sit = commands.Sit(id=self.new_id(), name=name, token=token, colour=colour, invitation=invitation, bot=bot)
        return await self._take(sit, token, name)

    async def take_over(self, secret: str) -> tuple[int, ...]:
        """Take over the chairs that a secret hands over; returns their ids."""
        chairs = (await self.find_handover(secret)).chairs
        return tuple([await self._take_over(secret, chair) for chair in chairs])

    async def _take_over(self, secret: str, chair: int) -> int:
        token, player = self.new_secret(), self.chair(chair)
        take_over = commands.TakeOver(id=self.new_id(), secret=secret, token=token)
        return await self._take(take_over, token, player.name if player else "")

    async def _take(self, command: AnyCommand, token: str, name: str) -> int:
        """Take a chair. Its token is kept first, because the connection may break before we hear the answer."""
        if self._keeper is not None:
            self._keeper.keep(token, name)
        self.tokens.append(token)
        try:
            done = await self.send(command)
        except ServerRefused as error:
            if error.problem.code != NOT_STORED:
                self._forget(token)
            raise
        assert isinstance(done, Done)
        assert done.chair is not None
        self._hold(done.chair)
        return done.chair

    def _forget(self, token: str) -> None:
        self.tokens.remove(token)
        if self._keeper is not None:
            self._keeper.forget(token)

    async def play(self, action: Action | str, outcome: str | None = None) -> None:
        """Play an action; `outcome` is what came up, at a table with real dice."""
        text = action if isinstance(action, str) else format_action(action)
        await self.send(commands.Play(id=self.new_id(), seq=self._connection.next, action=text, outcome=outcome))

    async def undo(self) -> None:
        """Take back the last action."""
        await self.send(commands.Undo(id=self.new_id(), seq=self._connection.next))

    async def correct(self, outcome: str) -> None:
        """Correct what came up last, at a table with real dice."""
        await self.send(commands.Correct(id=self.new_id(), seq=self._connection.next, outcome=outcome))

    def new_id(self) -> str:
        return self._connection.new_id()

    def new_secret(self) -> str:
        return f"{self._chance.getrandbits(256):064x}"

    def check(self) -> None:
        """Check the connection at once, or try to connect without waiting any longer."""
        self._connection.check()

    # --- what the server says

    def status_changed(self, status: Status) -> None:
        self.status = status
        self.listener.status_changed(status)
        self._tell()

    def welcomed(self, message: Welcome, first: bool) -> None:
        self._view = message.table
        self._hear_clock(message.table.position)
        self.held, self.present, self.waiting = message.held, message.present, countdown(message.waiting, _now())
        if message.talk is not None:
            self._hear_again(message.talk)
        self.listener.caught_up(message.missed, first)
        self._tell()

    def _hear_clock(self, position: Position | None) -> None:
        if position is not None:
            self.clock = countdown(position.clock, _now())

    def _hear_again(self, lines: tuple[TalkLine, ...]) -> None:
        """Hear what was said lately, without the lines that we know already."""
        latest = self.talk[-1].number if self.talk else 0
        for line in lines:
            if line.number > latest:
                self._said(line)

    def updated(self, update: Update) -> None:
        self._view = after(self.view, update)
        self._hear_clock(update.table.position if update.table else update.position)
        there = {chair.id for chair in self.view.chairs if not chair.left}
        if update.kind == "taken_over" and update.chair in self.held:
            self._connection.start_over()  # somebody took over our chair; a new welcome says what is still ours
        self.held = tuple(chair for chair in self.held if chair in there)
        self.listener.updated(update)
        self._tell()

    def heard(self, message: Unnumbered) -> None:
        match message:
            case Present():
                self.present = message.chairs
            case Waiting():
                self.waiting = countdown(message.waiting, _now())
            case OutcomeWanted():
                self._view = replace(self.view, pending=message.pending)
            case Said():
                self._hear_again((message.line,))
                return
            case TalkCleared():
                kept = [line for line in self.talk if line.number > message.number]
                self.talk = deque(kept, MOST_LINES)
        self.listener.changed()
        self._tell()

    def refused(self, problem: Problem) -> None:
        self.problem = problem.sentence
        self.listener.refused(problem)
        self._tell()

    def _said(self, line: TalkLine) -> None:
        self.talk.append(line)
        self.listener.said(line)
        self._tell()

    def _hold(self, chair: int) -> None:
        """Note that the connection holds a chair that it took; a welcome may have said so already."""
        self.held = tuple(sorted({*self.held, chair}))
        self._tell()

    def _shown_tokens(self) -> tuple[str, ...]:
        return tuple(self.tokens[-commands.MOST_TOKENS :])

    def _tell(self) -> None:
        """Wake every task that waits for a change."""
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()


def _now() -> float:
    return asyncio.get_running_loop().time()


def after(view: TableView, update: Update) -> TableView:
    """The table after an update."""
    if update.table is not None:
        return update.table
    return replace(view, seq=update.seq, position=update.position or view.position, pending=None)
