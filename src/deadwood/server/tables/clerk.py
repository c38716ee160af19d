"""Clerk: everything that changes a table, one thing at a time: commands, the actions of bots, what is due."""

import asyncio
from collections.abc import Callable
from typing import Protocol

from ...engine.actions import Action
from ..protocol.commands import ChangeCommand, FileCommand, Sit
from ..protocol.messages import Done
from .addresses import Addresses
from .audience import Audience
from .caller import Caller, Listener
from .deciding import Decision, Held, Moment, demand_next
from .decisions import decide, play_action
from .lobby import play_again, start_at_once
from .log import Returned
from .logkeeper import LoggedRoom, Logkeeper
from .ports import Listing
from .repeats import SEATING, Repeats, bot_command
from .services import Services
from .table_state import BotTurn
from .timekeeper import Timekeeper

Acknowledge = Callable[[Done], None]


class ChangedRoom(LoggedRoom, Protocol):
    """What a clerk needs from its room."""

    lock: asyncio.Lock
    audience: Audience
    addresses: Addresses
    time: Timekeeper

    @property
    def present(self) -> Held:
        """The chairs that connections hold."""


class Clerk:
    """Stores a change, then acknowledges it, then lets everybody know. All of it happens under the room's lock."""

    def __init__(self, room: ChangedRoom, listing: Listing, services: Services) -> None:
        self._room = room
        self._services = services
        self._logkeeper = Logkeeper(room, listing, services)
        self._repeats = Repeats(services.store)

    async def perform(
        self, caller: Caller, command: ChangeCommand | FileCommand, acknowledge: Acknowledge = lambda _done: None
    ) -> Done:
        """Carry out a command exactly once. It is acknowledged when it is durable, before anybody else hears of it."""
        room = self._room
        async with room.lock:
            room.follower.heed(command)
            event = None
            while event is None:  # until the entry has a number, or is refused
                await room.follower.catch_up()
                done = await self._repeats.first_answer(room.sitting, caller.held | caller.left, command)
                if done is not None:
                    self._acknowledge(caller, done, acknowledge)
                    return done
                await self._bring_back(caller)
                moment = self._moment(caller)
                decision = decide(room.sitting, caller.held, command, self._services.random_bytes, moment)
                event = await self._logkeeper.store(decision, command.id)
            taken = decision.by if isinstance(command, SEATING) else None
            done = Done(id=command.id, seq=event.seq, chair=taken)
            if isinstance(command, Sit):
                room.addresses.add(decision.by, caller.address)
            self._acknowledge(caller, done, acknowledge)
            room.announce(event)
            return done

    def _acknowledge(self, caller: Caller, done: Done, acknowledge: Acknowledge) -> None:
        acknowledge(done)
        if done.chair is not None and isinstance(caller, Listener):
            self._room.audience.hold(caller, done.chair)
            self._room.wake()

    async def _bring_back(self, caller: Caller) -> None:
        """Note that a person without a connection is back. For one with a connection, the timekeeper does it."""
        self._room.time.seen(caller.held)
        sitting = self._room.sitting
        back = tuple(sorted(caller.held.intersection(sitting.attendance.away)))
        if back and sitting.status != "finished":
            await self._logkeeper.store_once(Decision(0, Returned(back)), "")

    def _moment(self, caller: Caller) -> Moment:
        return Moment(self._services.now(), self._room.present, self._room.pending, self._is_crowded(caller))

    def _is_crowded(self, caller: Caller) -> bool:
        """Whether an address has as many chairs here as it may. Private tables are among friends."""
        room, most = self._room, self._services.settings.limits.chairs
        return room.sitting.opened.public and room.addresses[caller.address] >= most

    async def repeated(self, caller: Caller, command: ChangeCommand) -> Done | None:
        """The first answer to this command, if somebody sent it before leaving."""
        async with self._room.lock:
            await self._room.follower.catch_up()
            return await self._repeats.first_answer(self._room.sitting, caller.left, command)

    # --- what happens by itself

    async def start_at_once(self) -> None:
        """Start a new table's game."""
        async with self._room.lock:
            await self._logkeeper.store_once(start_at_once(self._room.sitting), "")

    async def play_again(self, still: Callable[[], bool]) -> None:
        """Start another game with those who agreed, if `still` holds once the table is locked."""
        async with self._room.lock:
            await self._room.follower.catch_up()
            fence = self._room.peering.fence
            if fence is not None and still():
                decision = play_again(self._room.sitting, self._services.random_bytes)
                await self._logkeeper.store_once(decision, "", fence)

    async def play_for(self, turn: BotTurn, seq: int, action: Action) -> None:
        """Play a bot's action as entry `seq`, unless something else happened first."""
        async with self._room.lock:
            await self._room.follower.catch_up()
            demand_next(self._room.sitting, seq)
            by, bot = (0, turn.bot) if turn.stands_in else (turn.chair.id, None)
            fence = self._room.peering.fence
            if fence is not None:
                decision = play_action(self._room.sitting, by, action, bot=bot)
                await self._logkeeper.store_once(decision, bot_command(seq), fence)

    async def do_timely(self) -> None:
        """Store what is due, if it still is."""
        async with self._room.lock:
            await self._room.follower.catch_up()
            decision, fence = self._room.time.due, self._room.peering.fence
            if decision is not None and fence is not None:
                await self._logkeeper.store_once(decision, "", fence)
