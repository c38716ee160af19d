"""RematchDriver: starts another game at a table once everybody who is there agrees."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any, Protocol

from ...engine.options import PLAYERS
from ...engine.refusal import Refused
from ..protocol.refusals import StoreFailed
from .deciding import Held
from .services import Services
from .sitting import Sitting

log = logging.getLogger("deadwood.server")
PlayAgain = Callable[[Callable[[], bool]], Awaitable[None]]  # starts another game, if that holds once it can


class RematchTable(Protocol):
    """What a driver needs from its room."""

    sitting: Sitting

    @property
    def leads(self) -> bool:
        """Whether this process starts rematches."""

    @property
    def present(self) -> Held:
        """The chairs that connections hold."""

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run a background task, during which the room stays in memory."""


class RematchDriver:
    """One background task while a game may start by itself."""

    def __init__(self, table: RematchTable, services: Services, play_again: PlayAgain) -> None:
        self._table = table
        self._services = services
        self._play_again = play_again
        self._task: asyncio.Task[None] | None = None
        self._news = asyncio.Event()

    @property
    def busy(self) -> bool:
        """Whether a game is about to start."""
        return self._task is not None

    def consider(self) -> None:
        """Check again: somebody agreed, came or went."""
        self._news.set()
        if self._task is None and self._agreed and self._table.leads:
            self._task = self._table.spawn(self._run())

    @property
    def _agreed(self) -> bool:
        """Whether all who are there want another game, and there are enough of them. At least one person must agree."""
        sitting = self._table.sitting
        if not sitting.agreed or sitting.status != "finished":
            return False
        present = self._table.present
        if not present.intersection(sitting.agreed):
            return False
        people, holders = ({chair.id for chair in chairs} for chairs in (sitting.people, sitting.holders))
        if people and not people & sitting.agreed.keys():
            return False
        players = len(sitting.agreed) + sum(chair.own_bot is not None for chair in sitting.chairs)
        return players >= PLAYERS[0] and present & holders <= sitting.agreed.keys()

    @property
    def _unanimous(self) -> bool:
        sitting = self._table.sitting
        return all(chair.id in sitting.agreed for chair in sitting.chairs if chair.token)

    async def _run(self) -> None:
        try:
            await self._wait_for_others()
            await self._play_again(lambda: self._agreed)
        except (Refused, StoreFailed) as error:
            log.warning("no game started by itself: %s", error)
        finally:
            self._task = None

    async def _wait_for_others(self) -> None:
        """Give people whose connection broke a moment to agree: otherwise they are not in the next game."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self._services.settings.rematch_pause):
                while self._agreed and not self._unanimous:
                    self._news.clear()
                    await self._news.wait()
