"""A bot of ours at a table on a server: it sits down, gets ready, plays, and returns to its seat after a restart."""

import asyncio
from collections.abc import Callable

from msgspec import Struct

from ..bots.registry import Bot, BotFailed, decision
from ..client import Listener, ServedTable, ServerRefused
from ..client.connection import Status
from ..engine.actions import Action
from ..engine.refusal import DeadwoodError
from ..engine.state import State
from ..server.protocol.messages import Problem
from ..server.protocol.views import ChairView
from .deciding import decided_in_time, where_it_failed
from .sentences import error_sentence
from .served_views import served_ending_lines
from .visit import Visit, visiting
from .wording import phrase

Say = Callable[[str], None]
OVERTAKEN = frozenset(
    {
        "chair_unknown",
        "not_ready",
        "not_the_host",
        "not_your_chair",
        "not_your_turn",
        "players_missing",
        "stale",
        "table_not_finished",
        "table_not_running",
        "table_not_waiting",
        "table_paused",
    }
)
TIME_IS_UP = "time_is_up"
BUSY = frozenset({"not_stored", "too_many_requests"})
BREATH = 1.0  # seconds for a server that is busy


class Manners(Struct, frozen=True):
    """How our bots behave: whether they play again, how long they wait for an undo, and how long they may think."""

    again: bool = False
    pause: float = 1.0  # seconds
    patience: float = 60.0  # seconds


class SeatLost(DeadwoodError):
    """The bot has no seat at the table, and cannot get one."""


class RemoteBot(Listener):
    """One bot at one table."""

    def __init__(self, visit: Visit, bot: Bot, name: str, manners: Manners, say: Say) -> None:
        self._visit = visit
        self._bot = bot
        self._name = name  # the bot's name, for its owner
        self._manners = manners
        self._tell = say
        self._lost = False
        self._reported = 0  # the number of the last game whose result was said
        self._table: ServedTable

    async def run(self) -> bool:
        """Play until there is nothing left to do; returns whether all went well. Our seat stays ours."""
        try:
            async with visiting(self._visit, self) as self._table:
                await self._sit_down()
                while await self._go_on():
                    pass
        except BotFailed as error:
            self._say(f"{error} {where_it_failed(error)}{phrase('remote.failed')}")
            return False
        except (DeadwoodError, OSError) as error:
            self._say(error_sentence(error))
            return False
        return True

    # --- what we hear

    def status_changed(self, status: Status) -> None:
        if status == "lost" and not self._lost:
            self._lost = True
            self._say(phrase("served.lost"))
        elif status == "open" and self._lost:
            self._lost = False
            self._say(phrase("served.back"))

    def refused(self, problem: Problem) -> None:
        self._say(problem.sentence)

    def _say(self, sentence: str) -> None:
        self._tell(f"{self._visit.address.code}: {sentence}")

    # --- what we do

    async def _sit_down(self) -> None:
        table = self._table
        self._demand_dice_of_the_server()
        if table.own_chairs:
            self._say(phrase("remote.sits_down" if self._visit.opened else "remote.is_back", name=self._chair.name))
        elif table.view.status != "waiting":
            raise SeatLost(phrase("remote.started_without"))
        else:
            name = self._visit.name or self._name
            await table.sit(name, invitation=self._visit.address.invitation, bot=self._visit.bot)
            self._say(phrase("remote.sits_down", name=name))

    async def _go_on(self) -> bool:
        """Do the next thing, or wait for it; False when there is nothing left to do."""
        if not self._table.own_chairs:
            raise SeatLost(phrase("remote.removed"))
        self._demand_dice_of_the_server()
        step = {"waiting": self._prepare, "running": self._play, "finished": self._finish}[self._table.view.status]
        seen = self._table.view.seq
        try:
            return await step()
        except ServerRefused as error:
            await self._overcome(error, seen)
            return True

    async def _overcome(self, error: ServerRefused, seen: int) -> None:
        """Others were quicker, or the server is busy: look again. Anything else is an error."""
        code = error.problem.code
        if code in BUSY:
            await asyncio.sleep(BREATH)
            return
        if code == TIME_IS_UP:
            self._say(phrase("remote.too_slow"))
        elif code not in OVERTAKEN:
            raise error
        await self._news(seen)

    async def _prepare(self) -> bool:
        """Get ready, as often as it takes; as the host, start once that is possible."""
        table, view = self._table, self._table.view
        if not self._chair.ready:
            await table.ready(self._chair.id)
        elif view.host == self._chair.id and view.start_refusal is None:
            await table.start()
        else:
            await self._news(view.seq)
        return True

    async def _play(self) -> bool:
        table, seen = self._table, self._table.view.seq
        state = await table.state() if table.my_turn else None
        if state is None:
            await self._until(lambda: table.my_turn or table.view.status != "running")
            return True
        await self._let_others_undo()
        if table.view.seq == seen:
            action = await self._decide(state)
            if table.view.seq == seen:
                await table.play(action)
            elif self._is_replaced:
                self._say(phrase("remote.too_slow"))
        return True

    @property
    def _is_replaced(self) -> bool:
        """Whether a stand-in plays our turn."""
        position = self._table.position
        return position is not None and position.stand_in is not None and self._table.active in self._table.own_chairs

    async def _decide(self, state: State) -> Action:
        return await decided_in_time(lambda: decision(self._bot, self._name, state), self._name, self._manners.patience)

    async def _let_others_undo(self) -> None:
        position = self._table.position
        actor = self._table.chair(position.undo.chair) if position and position.undo else None
        if actor is not None and actor.bot is None:
            await asyncio.sleep(self._manners.pause)

    async def _finish(self) -> bool:
        view, chair = self._table.view, self._chair
        if self._reported != view.game:
            self._reported = view.game
            self._say("\n".join([phrase("remote.over"), *served_ending_lines(view)]))
        if not self._manners.again:
            return False
        if chair.id not in view.agreed:
            await self._table.agree(chair.id)
        else:
            await self._news(view.seq)
        return True

    # --- the table

    @property
    def _chair(self) -> ChairView:
        return self._table.own_chairs[0]

    def _demand_dice_of_the_server(self) -> None:
        view = self._table.view
        if view.options.dice == "table" and view.status != "finished":
            raise SeatLost(phrase("remote.real_dice"))

    async def _news(self, seen: int) -> None:
        await self._until(lambda: self._table.view.seq != seen)

    async def _until(self, condition: Callable[[], bool]) -> None:
        """Wait until a condition holds, or our seat is gone."""
        await self._table.until(lambda: condition() or not self._table.own_chairs)
