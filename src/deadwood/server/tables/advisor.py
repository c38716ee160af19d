"""Advisor: hints for the players of one table, computed once per position, however many players ask."""

import asyncio

from ...bots import Unit
from ...engine.state import State
from ..protocol.commands import Hint
from ..protocol.messages import Advised, Hints
from ..protocol.refusals import refuse
from .caller import Caller
from .ports import Thinker
from .sitting import Sitting

Advice = tuple[str, Unit, tuple[Advised, ...]]
_Key = tuple[int, str]


class Advisor:
    """Asks the thinker, and remembers the answer for the current position."""

    def __init__(self, thinker: Thinker) -> None:
        self._thinker = thinker
        self._latest: tuple[_Key, asyncio.Task[Advice]] | None = None

    async def answer(self, sitting: Sitting, caller: Caller, query: Hint) -> Hints:
        """Hints for somebody who plays here."""
        seq, game = sitting.seq, sitting.game
        if game is None or game.over:
            raise refuse("table_not_running")
        if not caller.held:
            raise refuse("token_unknown")
        bot, unit, advice = await self.advise(seq, game.state, caller)
        return Hints(id=query.id, seq=seq, bot=bot, unit=unit, advice=advice)

    async def advise(self, seq: int, state: State, caller: Caller) -> Advice:
        """The strongest bot's name, the unit of its values, and what it thinks of every legal action.

        It counts for who asks first.
        """
        try:  # one caller may leave while others wait for the same answer
            return await asyncio.shield(self._task((seq, caller.language), state, caller.address))
        except Exception:
            self._latest = None
            raise

    def _task(self, key: _Key, state: State, address: str) -> "asyncio.Task[Advice]":
        if self._latest is None or self._latest[0] != key:
            task = asyncio.create_task(self._thinker.advise(state, key[1], address))
            task.add_done_callback(_retrieve)
            self._latest = key, task
        return self._latest[1]


def _retrieve(task: "asyncio.Task[Advice]") -> None:
    """Retrieve the exception so that asyncio does not log it."""
    if not task.cancelled():
        task.exception()
