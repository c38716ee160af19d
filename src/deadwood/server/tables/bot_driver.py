"""BotDriver: plays for the bots of one table, one action at a time."""

import asyncio
from typing import Protocol

from ...engine.actions import Action
from ...engine.chance import OutcomeNeeded
from ...engine.notation import format_action
from ...engine.rules import outcome_needed
from ..protocol.messages import PendingOutcome
from ..protocol.refusals import ServerRefused, Stale, StoreFailed
from .log import Chair
from .services import Services
from .sitting import Sitting

BETWEEN_BOTS = 0.3  # of the pause: nobody takes back what a bot did, and screens show it at a pace of their own
RETRY = 1.0  # seconds until the next try after the database failed


class BotTable(Protocol):
    """What a driver needs of its room."""

    sitting: Sitting
    pending: PendingOutcome | None

    @property
    def in_use(self) -> bool:
        """Whether anybody plays here, watches, or did so a moment ago; otherwise bots may pause."""

    async def play_for(self, bot: Chair, seq: int, action: Action) -> None:
        """Play a bot's action as entry `seq`."""

    def ask_outcome(self, pending: PendingOutcome) -> None:
        """Ask people for the dice or the card of a bot's action."""


class BotDriver:
    """One background task while it is a bot's turn."""

    def __init__(self, table: BotTable, services: Services) -> None:
        self._table = table
        self._services = services
        self._task: asyncio.Task[None] | None = None

    @property
    def busy(self) -> bool:
        """Whether a bot is playing."""
        return self._task is not None

    def wake(self) -> None:
        """Go on if it is a bot's turn."""
        if self._task is None and self._bot is not None:
            self._task = self._services.spawn(self._run())

    @property
    def _bot(self) -> Chair | None:
        active = self._table.sitting.active
        return active if active and active.bot and self._table.pending is None and self._table.in_use else None

    @property
    def _pause(self) -> float:
        """How long people can see what happened and take it back, or correct what they typed (R12.7)."""
        settings, sitting = self._services.settings, self._table.sitting
        if sitting.game is not None and sitting.game.correct_refusal() is None:
            return max(settings.bot_pause, settings.correction_pause)
        after_bot = sitting.last_actor is not None and sitting.last_actor.bot is not None
        return settings.bot_pause * BETWEEN_BOTS if after_bot else settings.bot_pause

    async def _run(self) -> None:
        try:
            while (bot := self._bot) is not None:
                seq = self._table.sitting.seq + 1
                await asyncio.sleep(self._pause)
                if self._table.sitting.seq + 1 == seq:
                    await self._play(bot, seq)
        finally:
            self._task = None

    async def _play(self, bot: Chair, seq: int) -> None:
        game = self._table.sitting.game
        assert game is not None
        assert bot.bot is not None
        unwatched = not any(chair.token for chair in self._table.sitting.chairs)
        action = await self._services.thinker.decide(bot.bot, game.state, unwatched)
        try:
            await self._table.play_for(bot, seq, action)
        except Stale:
            return  # somebody took back the action that led here
        except OutcomeNeeded:
            needs = outcome_needed(game.state, action)
            assert needs is not None
            self._table.ask_outcome(PendingOutcome(bot.id, format_action(action), needs))
        except (ServerRefused, StoreFailed):
            await asyncio.sleep(RETRY)
