"""Conversation: everything said over one connection, from hello to the end. It works over any transport."""

import asyncio
import logging
from collections.abc import Callable, Hashable
from contextlib import AbstractContextManager
from time import perf_counter
from typing import ParamSpec, TypeVar

import msgspec

from ...engine.refusal import DeadwoodError, Refused
from ...narration import languages
from ..admission import Admission
from ..protocol.commands import AnyCommand, ClearTalk, Hello, Hint, QueryCommand, Sit, Sync, TalkCommand
from ..protocol.decoding import decode_command, decode_hello
from ..protocol.refusals import ServerRefused, Stale, StoreFailed, problem, refusal_code, refuse
from ..tables.hall import Hall
from ..tables.room import Room
from .connection import POLICY, TRY_LATER, Connection, Stalled, Transport

P = ParamSpec("P")
T = TypeVar("T")
log = logging.getLogger("deadwood.server")
_MOST_IMPATIENT = 100  # refusals for too many requests, after which a connection is closed


class Gone(Exception):
    """The client has left, or must leave."""


class Enough(ServerRefused):
    """The client has sent too many requests for too long."""


class Conversation:
    """One client at one table."""

    def __init__(
        self, transport: Transport, hall: Hall, admission: Admission, stalled: Stalled, code: str, address: str
    ) -> None:
        self._transport = transport
        self._hall = hall
        self._admission = admission
        self._code = code
        self._address = address
        self._connection = Connection(transport, stalled, hall.services.counters.dropped)
        self._connection.address = address
        self._impatience = 0

    async def run(self) -> None:
        """Talk until either side ends it."""
        try:
            await self._talk()
        except Gone:
            pass
        except Exception as error:
            known = self._known(error)
            self._hall.services.counters.refusals.add(refusal_code(known))
            refused = problem(known, self._connection.language)
            self._send(refused)
            self._connection.close(TRY_LATER if isinstance(error, StoreFailed) else POLICY, refused.code)
            await self._connection.closed(self._hall.services.settings.stalled)
        finally:
            await self._connection.end()

    async def _talk(self) -> None:
        hello = await self._hello()
        with self._admission.lookup(self._address, self._code) as found:
            await self._visit(hello, found)

    async def _visit(self, hello: Hello, found: Callable[[], None]) -> None:
        async with self._hall.visit(self._code) as room:
            found()
            await room.catch_up_with(hello.tokens, hello.since)
            self._limit_snapshot(room, hello.since)
            welcome = room.join(self._connection, hello)
            try:
                self._send(welcome)
                while True:
                    await self._answer(room, await self._receive())
                    if self._transport.ready():
                        await asyncio.sleep(0)  # others first: a thousand messages may have come in one piece
            finally:
                room.leave(self._connection)

    async def _hello(self) -> Hello:
        self._limit_address()
        try:
            async with asyncio.timeout(self._hall.services.settings.hello):
                hello = decode_hello(await self._receive())
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
        id, begun = None, perf_counter()
        try:
            self._limit_address()
            command = decode_command(text)
            id = command.id
            self._limit_chair(room, command)
            await self._obey(room, command)
            self._hall.services.counters.command_seconds.observe(perf_counter() - begun)
        except (Gone, Enough):
            raise
        except Exception as error:
            self._refuse(room, self._known(error, id), id)

    def _known(self, error: Exception, command: str | None = None) -> DeadwoodError:
        """An error that clients may see. Any other is a bug of ours, and is logged."""
        if isinstance(error, DeadwoodError):
            return error
        log.error("a command failed", exc_info=error, extra={"table": self._code, "command": command})
        self._hall.services.counters.errors += 1
        return refuse("not_stored")

    async def _obey(self, room: Room, command: AnyCommand) -> None:
        self._hall.services.counters.commands += 1
        if isinstance(command, Hint):
            job = self._patiently(self._admission.heavy_job, self._address)
            self._hall.services.spawn(self._hint(room, command, job))  # it may take long, and the client may go on
        elif isinstance(command, QueryCommand):
            self._send(await room.queries.answer(self._connection, command))
        elif isinstance(command, TalkCommand):
            self._limit_talk(room, command)
            self._send(await room.talk(self._connection, command))
        else:
            await room.clerk.perform(self._connection, command, acknowledge=self._send)

    async def _hint(self, room: Room, command: Hint, job: AbstractContextManager[None]) -> None:
        try:
            with job:
                self._send(await room.queries.answer(self._connection, command))
        except Exception as error:
            self._refuse(room, self._known(error, command.id), command.id)

    def _refuse(self, room: Room, error: DeadwoodError, id: str | None) -> None:
        self._hall.services.counters.refusals.add(refusal_code(error))
        refused = problem(error, self._connection.language, id)
        if isinstance(error, Stale):
            refused = msgspec.structs.replace(refused, table=room.queries.table(self._connection))
        self._send(refused)

    def _send(self, message: msgspec.Struct) -> None:
        self._connection.send(msgspec.json.encode(message))

    def _limit_chair(self, room: Room, command: AnyCommand) -> None:
        self._patiently(self._admission.command, self._sender(room))
        if isinstance(command, Sit):
            self._patiently(self._admission.sit, room.sitting.code, self._address)
        elif isinstance(command, Sync):
            self._limit_snapshot(room, command.since)

    def _limit_snapshot(self, room: Room, since: int | None) -> None:
        self._patiently(self._admission.snapshot, self._address, room.queries.missed(since))

    def _limit_talk(self, room: Room, command: TalkCommand) -> None:
        if not isinstance(command, ClearTalk):
            watched = None if self._connection.held else room.sitting.code
            self._patiently(self._admission.talk, self._sender(room), self._address, watched)

    def _sender(self, room: Room) -> Hashable:
        """The sender whose commands are counted: several connections of one chair are one sender."""
        held = self._connection.held
        return (room.sitting.code, min(held)) if held else id(self)

    def _limit_address(self, cost: int = 1) -> None:
        self._patiently(self._admission.request, self._address, cost)

    def _patiently(self, admit: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """Count refusals: a client that never slows down is disconnected."""
        try:
            return admit(*given, **named)
        except Refused as error:
            self._impatience += 1
            if self._impatience > _MOST_IMPATIENT:
                raise Enough(error.refusal) from None
            raise
