"""BotDriver: plays for the bots of one table and for absent people, one action at a time."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Protocol

from ...engine.actions import Action
from ...engine.chance import OutcomeNeeded
from ...engine.notation import format_action
from ...engine.rules import outcome_needed
from ..protocol.refusals import ServerRefused, Stale, StoreFailed
from ..protocol.views import PendingOutcome
from .services import Services
from .sitting import Sitting
from .table_state import BotTurn

BETWEEN_BOTS = 0.3  # of the pause: nobody can undo what a bot did, and screens set their own pace
RETRY = 1.0  # seconds until the next try after the database failed
PlayFor = Callable[[BotTurn, int, Action], Awaitable[None]]  # plays a bot's action as the entry with a number


class BotTable(Protocol):
    """What a driver needs from its room."""

    sitting: Sitting

    @property
    def leads(self) -> bool:
        """Whether this process plays the bots."""

    @property
    def bot_turn(self) -> BotTurn | None:
        """The bot that may act now."""

    @property
    def address(self) -> str:
        """The address of the people who wait for its bots."""

    def ask_outcome(self, pending: PendingOutcome) -> None:
        """Ask people for the dice or the card of a bot's action."""

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run a background task, during which the room stays in memory."""


class BotDriver:
    """One background task while it is a bot's turn."""

    def __init__(self, table: BotTable, services: Services, play_for: PlayFor) -> None:
        self._table = table
        self._services = services
        self._play_for = play_for
        self._task: asyncio.Task[None] | None = None

    @property
    def busy(self) -> bool:
        """Whether a bot is playing."""
        return self._task is not None

    def wake(self) -> None:
        """Go on if it is a bot's turn."""
        if self._task is None and self._turn is not None:
            self._task = self._table.spawn(self._run())

    @property
    def _turn(self) -> BotTurn | None:
        turn = self._table.bot_turn
        return turn if turn is not None and self._table.leads else None

    @property
    def _pause(self) -> float:
        """How long people have to see what happened and undo it, or correct what they typed (R12.7)."""
        settings, sitting = self._services.settings, self._table.sitting
        if sitting.deserted:
            return 0.0
        if sitting.game is not None and sitting.game.correct_refusal() is None:
            return max(settings.bot_pause, settings.correction_pause)
        return settings.bot_pause * BETWEEN_BOTS if sitting.bot_acted else settings.bot_pause

    async def _run(self) -> None:
        try:
            while (turn := self._turn) is not None:
                position = self._table.sitting.position_seq
                await asyncio.sleep(self._pause)
                if self._table.sitting.position_seq == position:
                    await self._play(turn, self._table.sitting.seq + 1)
        finally:
            self._task = None

    async def _play(self, turn: BotTurn, seq: int) -> None:
        game = self._table.sitting.game
        assert game is not None
        unwatched = not self._table.sitting.holders
        action = await self._services.thinker.decide(turn.bot, game.state, unwatched, self._table.address)
        try:
            await self._play_for(turn, seq, action)
        except Stale:
            return  # somebody took back the action that led here, or came back to play
        except OutcomeNeeded:
            needs = outcome_needed(game.state, action)
            assert needs is not None
            self._table.ask_outcome(PendingOutcome(turn.chair.id, format_action(action), needs))
        except (ServerRefused, StoreFailed):
            await asyncio.sleep(RETRY)
