"""Bots think, and records are replayed, in worker processes, so that no socket ever waits for them."""

import asyncio
import logging
import random
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from typing import Any, Protocol, TypeVar

import msgspec

from ...bots import USUAL_SECONDS, make
from ...engine import rules
from ...engine.board import built_in_board
from ...engine.notation import format_action
from ...engine.options import Options
from ...engine.state import Snapshot, State
from ...engine.table import Table, TableSnapshot, choose_deck
from ...processes import WorkerProcesses
from ..metrics import Counters
from ..protocol.messages import Advised, Replay
from ..protocol.refusals import refuse
from . import hints, replaying
from .priority_semaphore import Turns

log = logging.getLogger("deadwood.server")
_MOST_WAITING = 20  # for one process that answers people
T = TypeVar("T")
Thought = tuple[tuple[str, ...], bytes, tuple[str, ...], bytes]  # names, options, what was drawn, the state


class Thinker(Protocol):
    """Whoever thinks for bots."""

    async def decide(self, level: str, state: State, patient: bool = False) -> str:
        """An action in notation, which is always legal; the patient let others go first."""

    async def advise(self, state: State, language: str) -> tuple[str, tuple[Advised, ...]]:
        """The strongest bot's name, and what it thinks."""

    async def replay(self, record: str, first: int, limit: int, language: str) -> Replay:
        """A part of a record."""

    def close(self) -> None:
        """Stop."""


class Workers:
    """Worker processes: some for bots, one for hints, one for records, so that no upload holds up a bot or a hint."""

    def __init__(self, count: int, patience: float, counters: Counters) -> None:
        self._counters = counters
        self._bots = Pool(count, patience)
        self._hints = Pool(1, patience)
        self._records = Pool(1, patience)

    async def decide(self, level: str, state: State, patient: bool = False) -> str:
        """Where a bot fails or takes too long, something legal is played for it."""
        legal = [format_action(action) for action in rules.legal_actions(state)]
        try:
            action = await self._bots.run(_decide, level, _packed(state), patient=patient)
        except Exception:
            log.exception("the bot %s failed", level)
            action = ""
        if action in legal:
            self._counters.bot_decisions += 1
            return action
        self._counters.bot_failures += 1
        return random.choice(legal)

    async def advise(self, state: State, language: str) -> tuple[str, tuple[Advised, ...]]:
        return await self._ask(self._hints, _advise, _packed(state), language)

    async def replay(self, record: str, first: int, limit: int, language: str) -> Replay:
        return await self._ask(self._records, replaying.replay, record, first, limit, language)

    async def _ask(self, pool: "Pool", function: Callable[..., T], *arguments: Any) -> T:
        if pool.waiting >= _MOST_WAITING:
            raise refuse("took_too_long")
        try:
            return await pool.run(function, *arguments)
        except (BrokenProcessPool, TimeoutError) as error:
            raise refuse("took_too_long") from error

    def close(self) -> None:
        for pool in (self._bots, self._hints, self._records):
            pool.close()


class Pool:
    """Processes that run one thing at a time each. One that dies or takes too long is replaced."""

    def __init__(self, count: int, patience: float) -> None:
        self.patience = patience
        self.waiting = 0
        self._count = count
        self._turns = Turns(count)  # so that only the work is timed, not the waiting for it
        self._processes: WorkerProcesses | None = None

    async def run(self, function: Callable[..., T], *arguments: Any, patient: bool = False) -> T:
        """The result of a function that can be pickled."""
        self.waiting += 1
        try:
            async with self._turns.turn(patient):
                return await self._tried_twice(function, *arguments)
        finally:
            self.waiting -= 1

    async def _tried_twice(self, function: Callable[..., T], *arguments: Any) -> T:
        try:
            return await self._try(function, *arguments)
        except BrokenProcessPool:  # perhaps by another one's fault
            return await self._try(function, *arguments)

    async def _try(self, function: Callable[..., T], *arguments: Any) -> T:
        processes = self._processes = self._processes or WorkerProcesses(self._count)
        try:
            running = asyncio.get_running_loop().run_in_executor(processes, function, *arguments)
            return await asyncio.wait_for(running, self.patience)
        except (BrokenProcessPool, TimeoutError):
            self._discard(processes)
            raise

    def _discard(self, processes: WorkerProcesses) -> None:
        """What still ran there fails, and is tried again."""
        if self._processes is processes:
            self._processes = None
        processes.stop()

    def close(self) -> None:
        """Stop, whatever is running."""
        if self._processes is not None:
            self._discard(self._processes)


def _packed(state: State) -> Thought:
    """A state in a kilobyte; a whole one would carry board and deck along."""
    table = state.table
    return table.names, msgspec.json.encode(table.options), table.drawn, msgspec.json.encode(state.snapshot())


def _unpacked(thought: Thought) -> State:
    names, options, drawn, snapshot = thought
    return msgspec.json.decode(snapshot, type=Snapshot).state(_table(names, options, drawn))


@lru_cache(64)
def _table(names: tuple[str, ...], encoded: bytes, drawn: tuple[str, ...]) -> Table:
    options = msgspec.json.decode(encoded, type=Options)
    return TableSnapshot(names, options, drawn, built_in_board(), choose_deck(options, None)).table()


def _decide(level: str, thought: Thought) -> str:
    state = _unpacked(thought)
    return format_action(make(level, seconds=USUAL_SECONDS).decide(state, rules.legal_actions(state)))


def _advise(thought: Thought, language: str) -> tuple[str, tuple[Advised, ...]]:
    return hints.advise(_unpacked(thought), language)
