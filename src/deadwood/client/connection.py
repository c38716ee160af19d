"""A connection to a table. It reconnects by itself, and retries a command with the same id until it is answered."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import Literal, Protocol

import msgspec
from msgspec import Struct

from ..engine.refusal import Refused
from ..server.protocol.commands import AnyCommand, Hello, Hint, Ping, Sync
from ..server.protocol.messages import (
    Answer,
    Goodbye,
    Message,
    OutcomeWanted,
    Pong,
    Present,
    Problem,
    Update,
    Waiting,
    Welcome,
)
from ..server.protocol.talk import Said, TalkCleared
from .errors import ClientError, TableLeft
from .sockets import Socket

Status = Literal["connecting", "open", "lost", "ended"]
Unnumbered = Present | Waiting | OutcomeWanted | Said | TalkCleared  # messages that are in no log
Open = Callable[[], Awaitable[Socket]]  # raises OSError
TABLE_UNKNOWN = "table_unknown"

# All in seconds.
SHORTEST = 0.5
LONGEST = 8.0
PATIENCE = 12.0  # without an answer, the connection counts as dead
HINT_PATIENCE = 60.0  # bots may think, and others may have asked first
QUIET = 20.0  # after this much silence we ping: a connection can die without notice
SHORT_PATIENCE = 4.0  # for the pong
LONGEST_HINTED = 60.0  # the longest that a server may ask us to stay away
MOST_WAITING = 256  # commands without an answer

_decode = msgspec.json.Decoder(Message).decode


class Receiver(Protocol):
    """Receives what the server says."""

    def status_changed(self, status: Status) -> None:
        """The connection was lost, works again, or has ended for good."""

    def welcomed(self, message: Welcome, first: bool) -> None:
        """The whole table, with the updates that were missed; `first` unless there was an earlier welcome."""

    def updated(self, update: Update) -> None:
        """The next entry of the log. None is skipped, and none comes twice."""

    def heard(self, message: Unnumbered) -> None:
        """Something that is not in the log."""

    def refused(self, problem: Problem) -> None:
        """The server refused something other than a command, such as the connection itself."""


class _Sent(Struct):
    """A command that has no answer yet."""

    command: AnyCommand
    answer: asyncio.Future[Answer | Problem]


def pause(attempt: int, chance: float) -> float:
    """How long to wait before the next attempt: doubling, with jitter."""
    return min(LONGEST, SHORTEST * 2.0 ** min(attempt, 10)) * (0.5 + chance / 2)


class Connection:
    """Keeps one socket at a time open to one table, while `run` runs."""

    def __init__(
        self,
        open: Open,
        tokens: Callable[[], tuple[str, ...]],
        receiver: Receiver,
        *,
        language: str = "en",
        chance: random.Random | None = None,
    ) -> None:
        self.seq = 0  # the last entry of the log that we know
        self._open = open
        self._tokens = tokens
        self._receiver = receiver
        self._language = language
        self._chance = chance or random.SystemRandom()
        self._waiting: dict[str, _Sent] = {}  # in the order in which they were sent
        self._timers: dict[str, asyncio.TimerHandle] = {}  # by what is due
        self._socket: Socket | None = None
        self._outgoing: asyncio.Queue[str] = asyncio.Queue()
        self._known = False
        self._greeted = False
        self._afresh = False  # whether the next welcome has everything from the beginning
        self._attempt = 0
        self._hinted: float | None = None
        self._ended = False
        self._hurry = asyncio.Event()

    @property
    def next(self) -> int:
        """The number that the next entry of the log will have."""
        return self.seq + 1

    def new_id(self) -> str:
        """An id for a command."""
        return f"{self._chance.getrandbits(96):024x}"

    async def send(self, command: AnyCommand) -> Answer | Problem:
        """Send a command until it is answered: the server never carries out the same id twice."""
        if self._ended:
            raise TableLeft
        if len(self._waiting) >= MOST_WAITING:
            raise ClientError("Too many commands wait for an answer; wait until the connection works again.")
        sent = _Sent(command, asyncio.get_running_loop().create_future())
        self._waiting[command.id] = sent
        if self._greeted:
            self._say_command(command)
        try:
            return await sent.answer
        finally:
            self._waiting.pop(command.id, None)
            self._stop_timer(command.id)

    def start_over(self) -> None:
        """Reconnect and hear everything from the beginning, for instance with other tokens."""
        self._afresh = True
        self.drop()

    def check(self) -> None:
        """Check the connection at once, or try again without waiting any longer."""
        if self._greeted:
            self._ping()
        self._hurry.set()

    def drop(self) -> None:
        """Give up the present socket; `run` opens another one."""
        if self._socket is not None:
            self._socket.abort()

    def end(self) -> None:
        """Give up the table."""
        self._ended = True
        self._hurry.set()
        self.drop()

    async def run(self) -> None:
        """Stay connected until `end`, or until the server says that there is no such table."""
        try:
            self._receiver.status_changed("connecting")
            while not self._ended:
                await self._connect()
                if not self._ended:
                    self._receiver.status_changed("lost" if self._known else "connecting")
                    await self._wait()
        finally:
            self._finish()

    def _finish(self) -> None:
        self._ended = True
        for sent in self._waiting.values():
            if not sent.answer.done():
                sent.answer.set_exception(TableLeft())
        self._receiver.status_changed("ended")

    async def _wait(self) -> None:
        """Wait for the next attempt: as long as the server asked for, or longer after every failure."""
        seconds = pause(self._attempt, self._chance.random()) if self._hinted is None else self._hinted
        self._attempt += self._hinted is None
        self._hinted = None
        self._hurry.clear()
        try:
            async with asyncio.timeout(seconds):
                await self._hurry.wait()
        except TimeoutError:
            pass

    async def _connect(self) -> None:
        """One socket, from the first message to the last."""
        try:
            async with asyncio.timeout(PATIENCE):
                socket = await self._open()
        except (OSError, TimeoutError):
            return
        self._socket, self._outgoing = socket, asyncio.Queue()
        writer = asyncio.create_task(self._write(socket, self._outgoing))
        try:
            if not self._ended:
                self._say(self._hello(), "hello", PATIENCE)
                await self._listen(socket)
        finally:
            self._hang_up(socket)
            writer.cancel()
            await asyncio.gather(writer, return_exceptions=True)

    def _hang_up(self, socket: Socket) -> None:
        self._socket, self._greeted = None, False
        socket.abort()
        for due in tuple(self._timers):
            self._stop_timer(due)

    async def _listen(self, socket: Socket) -> None:
        while not self._ended and (text := await socket.receive()) is not None:
            self._start_timer("quiet", QUIET, self._ping)
            try:
                message = _decode(text)
            except (msgspec.MsgspecError, ValueError, RecursionError, Refused):
                self._misunderstood()
                return
            self._receive(message)

    def _misunderstood(self) -> None:
        """The server is newer, or not ours at all: a retry would not help."""
        sentence = (
            "The server says something that this version of Deadwood does not understand; install the latest one."
        )
        self.end()
        self._receiver.refused(Problem(code="not_understood", sentence=sentence))

    async def _write(self, socket: Socket, outgoing: "asyncio.Queue[str]") -> None:
        try:
            while True:
                await socket.send(await outgoing.get())
        except OSError:
            socket.abort()

    # --- what we say

    def _hello(self) -> Hello:
        since = 0 if not self._known or self._afresh else self.seq
        return Hello(tokens=self._tokens(), since=since, language=self._language, explain=False)

    def _say(self, message: Struct, due: str, patience: float) -> None:
        """Send a message now; if its answer takes too long, the socket is dead."""
        self._outgoing.put_nowait(msgspec.json.encode(message).decode())
        self._start_timer(due, patience, self.drop)

    def _say_command(self, command: AnyCommand) -> None:
        self._say(command, command.id, HINT_PATIENCE if isinstance(command, Hint) else PATIENCE)

    def _sync(self) -> None:
        if "sync" not in self._timers:
            self._say(Sync(id="sync", since=self.seq), "sync", PATIENCE)

    def _ping(self) -> None:
        self._say(Ping(id="ping"), "ping", SHORT_PATIENCE)

    def _start_timer(self, due: str, seconds: float, work: Callable[[], None]) -> None:
        self._stop_timer(due)
        self._timers[due] = asyncio.get_running_loop().call_later(seconds, work)

    def _stop_timer(self, due: str) -> None:
        if timer := self._timers.pop(due, None):
            timer.cancel()

    # --- what we hear

    def _receive(self, message: Message) -> None:
        match message:
            case Welcome():
                self._welcomed(message)
            case Update():
                self._updated(message)
            case Goodbye():
                self._hinted = min(max(message.retry_after, 0.0), LONGEST_HINTED)
            case Problem():
                self._refused(message)
            case Pong() if self._greeted and message.seq > self.seq:
                self._sync()
            case Present() | Waiting() | OutcomeWanted() | Said() | TalkCleared():
                self._receiver.heard(message)
        if isinstance(message, Answer | Problem) and message.id:
            self._answered(message.id, message)

    def _answered(self, id: str, message: Answer | Problem) -> None:
        self._stop_timer(id)
        sent = self._waiting.get(id)
        if sent is not None and not sent.answer.done():
            sent.answer.set_result(message)

    def _welcomed(self, message: Welcome) -> None:
        if message.id:
            self._stop_timer(message.id)
        if self._greeted and (not message.id or message.table.seq < self.seq):
            return  # a duplicate, or newer updates have arrived since we asked
        first = not self._known or (self._afresh and not message.id)
        missed = tuple(one for one in message.missed if first or one.seq > self.seq)
        self._known = True
        self._afresh = self._afresh and not first
        self._attempt = 0
        self.seq = message.table.seq
        self._receiver.welcomed(msgspec.structs.replace(message, missed=missed), first)
        if not message.id:
            self._greet()

    def _greet(self) -> None:
        self._stop_timer("hello")
        self._greeted = True
        self._receiver.status_changed("open")
        for sent in self._waiting.values():
            self._say_command(sent.command)

    def _updated(self, update: Update) -> None:
        if not self._greeted or update.seq <= self.seq:
            return
        if update.seq > self.seq + 1:
            self._sync()
            return
        self.seq = update.seq
        self._receiver.updated(update)

    def _refused(self, problem: Problem) -> None:
        if problem.table and problem.table.seq > self.seq:
            self._sync()
        if problem.id:
            return
        if problem.code == TABLE_UNKNOWN:
            self.end()
        self._receiver.refused(problem)
