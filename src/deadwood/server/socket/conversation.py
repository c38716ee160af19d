"""Conversation: what is said over one connection, from hello to the end. It knows no WebSocket."""

import asyncio
import logging
from contextlib import suppress
from math import ceil

import msgspec

from ...engine.refusal import DeadwoodError, Refusal
from ...narration import languages
from ..protocol.commands import AnyCommand, Change, Hello, Hint, Question, Sit, Sync
from ..protocol.decoding import read_command, read_hello
from ..protocol.messages import Done
from ..protocol.refusals import ServerRefused, Stale, problem, refuse
from ..store.rows import StoreFailed
from ..tables.hall import Hall
from ..tables.room import Room
from .connection import POLICY, TRY_LATER, Connection, Transport

log = logging.getLogger("deadwood.server")
_COST_OF_A_SNAPSHOT = 5  # as many ordinary commands
_MOST_IMPATIENT = 100  # refusals for haste, after which a connection is closed


class Gone(Exception):
    """The client has left, or must leave."""


class Enough(ServerRefused):
    """The client has asked for too much, for too long."""


class Conversation:
    """One client at one table."""

    def __init__(self, transport: Transport, hall: Hall, code: str, address: str) -> None:
        self._transport = transport
        self._hall = hall
        self._code = code
        self._address = address
        self._connection = Connection(transport, "en", hall.sending, hall.services.counters.dropped)
        self._impatience = 0

    async def run(self) -> None:
        """Talk until either side has had enough."""
        writer = asyncio.create_task(self._connection.write())
        try:
            await self._talk()
        except Gone:
            pass
        except Exception as error:
            told = problem(self._known(error), self._connection.language)
            self._say(told)
            self._connection.close(TRY_LATER if isinstance(error, StoreFailed) else POLICY, told.code)
            await self._wait_for(writer)
        finally:
            writer.cancel()
            await asyncio.gather(writer, return_exceptions=True)

    async def _wait_for(self, writer: asyncio.Task[None]) -> None:
        with suppress(TimeoutError, ConnectionError):
            await asyncio.wait_for(writer, self._hall.services.settings.stalled)

    async def _talk(self) -> None:
        hello = await self._hello()
        async with self._hall.visit(self._code) as room:
            welcome = room.join(self._connection, hello)
            try:
                self._say(welcome)
                while True:
                    await self._answer(room, await self._receive())
            finally:
                room.leave(self._connection)

    async def _hello(self) -> Hello:
        self._limit_address(_COST_OF_A_SNAPSHOT)
        try:
            async with asyncio.timeout(self._hall.services.settings.hello):
                hello = read_hello(await self._receive())
        except TimeoutError:
            raise Gone from None
        if hello.language not in languages():
            raise refuse("language_unknown", language=hello.language, choices=languages())
        self._connection.language = hello.language
        return hello

    async def _receive(self) -> str:
        message = await self._transport.receive()
        if message is None or self._connection.dropped:
            raise Gone
        if isinstance(message, bytes):
            raise refuse("message_not_text")
        return message

    async def _answer(self, room: Room, text: str) -> None:
        id = None
        try:
            self._limit_address()
            command = read_command(text)
            id = command.id
            self._limit_seat(room, command)
            await self._obey(room, command)
        except (Gone, Enough):
            raise
        except Exception as error:
            self._refuse(room, self._known(error), id)

    def _known(self, error: Exception) -> DeadwoodError:
        """An error that clients can be told; any other is a mistake of ours, for the log."""
        if isinstance(error, DeadwoodError):
            return error
        log.error("a command failed", exc_info=error)
        self._hall.services.counters.errors += 1
        return refuse("not_kept")

    async def _obey(self, room: Room, command: AnyCommand) -> None:
        self._hall.services.counters.commands += 1
        if isinstance(command, Hint):
            self._hall.services.spawn(self._hint(room, command))  # it may take long; the client may go on
        elif isinstance(command, Question):
            self._say(await room.answer(self._connection, command))
        else:
            await self._perform(room, command)

    async def _perform(self, room: Room, command: Change) -> None:
        def acknowledge(done: Done) -> None:
            self._say(done)
            if isinstance(command, Sit) and done.seat is not None:
                room.hold(self._connection, done.seat)

        await room.perform(self._connection.held, command, acknowledge, self._connection.left)

    async def _hint(self, room: Room, command: Hint) -> None:
        try:
            with self._hall.heavy_job(self._address):
                self._say(await room.answer(self._connection, command))
        except Exception as error:
            self._refuse(room, self._known(error), command.id)

    def _refuse(self, room: Room, error: DeadwoodError, id: str | None) -> None:
        self._hall.services.counters.refusals += 1
        told = problem(error, self._connection.language, id)
        self._say(msgspec.structs.replace(told, table=room.view()) if isinstance(error, Stale) else told)

    def _say(self, message: msgspec.Struct) -> None:
        self._connection.say(msgspec.json.encode(message))

    def _limit_seat(self, room: Room, command: AnyCommand) -> None:
        who = (room.sitting.code, min(self._connection.held)) if self._connection.held else id(self)
        self._demand(self._hall.seat_buckets.take(who))
        if isinstance(command, Sync):
            self._limit_address(_COST_OF_A_SNAPSHOT)
        if isinstance(command, Hint):
            self._demand(self._hall.heavy_buckets.take(self._address))

    def _limit_address(self, cost: int = 1) -> None:
        self._demand(self._hall.address_buckets.take(self._address, cost))

    def _demand(self, wait: float) -> None:
        if wait:
            self._impatience += 1
            refusal = Refusal("", "too_many_requests", {"seconds": ceil(wait)})
            raise Enough(refusal) if self._impatience > _MOST_IMPATIENT else ServerRefused(refusal)
