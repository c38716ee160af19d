"""Bots think, and records are replayed, in worker processes, so that no socket ever waits for them."""

import asyncio
import logging
import multiprocessing
import os
import random
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from typing import Any, Protocol, TypeVar

import msgspec

from ..bots import USUAL_SECONDS, make
from ..engine import rules
from ..engine.board import built_in_board
from ..engine.layout import parse_layout
from ..engine.notation import format_action
from ..engine.options import Options
from ..engine.state import Snapshot, State
from ..engine.table import Table, choose_deck, make_table
from . import hints, replaying
from .metrics import Counters
from .refusals import refuse
from .replies import Advised, Replay

log = logging.getLogger("deadwood.server")
_MOST_WAITING = 20  # for the one process that answers people
T = TypeVar("T")
Thought = tuple[tuple[str, ...], bytes, tuple[str, ...], bytes]  # names, options, what was drawn, the state


class Thinker(Protocol):
    """Whoever thinks for bots."""

    async def decide(self, level: str, state: State) -> str:
        """An action in notation, which is always legal."""

    async def advise(self, state: State, language: str) -> tuple[str, tuple[Advised, ...]]:
        """The strongest bot's name, and what it thinks."""

    async def replay(self, record: str, first: int, limit: int, language: str) -> Replay:
        """A part of a record."""

    def close(self) -> None:
        """Stop."""


class Workers:
    """Worker processes: some for bots, and one for what people ask for, so that no upload holds up a bot."""

    def __init__(self, count: int, patience: float, counters: Counters) -> None:
        self._counters = counters
        self._bots = Pool(count, patience)
        self._others = Pool(1, patience)

    async def decide(self, level: str, state: State) -> str:
        """Where a bot fails or takes too long, something legal is played for it."""
        legal = [format_action(action) for action in rules.legal_actions(state)]
        try:
            action = await self._bots.run(_decide, level, _packed(state))
        except Exception:
            log.exception("the bot %s failed", level)
            action = ""
        if action in legal:
            self._counters.bot_decisions += 1
            return action
        self._counters.bot_failures += 1
        return random.choice(legal)

    async def advise(self, state: State, language: str) -> tuple[str, tuple[Advised, ...]]:
        return await self._ask(_advise, _packed(state), language)

    async def replay(self, record: str, first: int, limit: int, language: str) -> Replay:
        return await self._ask(replaying.replay, record, first, limit, language)

    async def _ask(self, function: Callable[..., T], *arguments: Any) -> T:
        if self._others.waiting >= _MOST_WAITING:
            raise refuse("took_too_long")
        try:
            return await self._others.run(function, *arguments)
        except (BrokenProcessPool, TimeoutError) as error:
            raise refuse("took_too_long") from error

    def close(self) -> None:
        self._bots.close()
        self._others.close()


class Pool:
    """Processes that run one thing at a time each. One that dies or takes too long is replaced."""

    def __init__(self, count: int, patience: float) -> None:
        self.patience = patience
        self.waiting = 0
        self._count = count
        self._free = asyncio.Semaphore(count)  # so that only the work is timed, not the waiting for it
        self._processes: ProcessPoolExecutor | None = None

    async def run(self, function: Callable[..., T], *arguments: Any) -> T:
        """The result of a function that can be pickled."""
        self.waiting += 1
        try:
            async with self._free:
                return await self._tried_twice(function, *arguments)
        finally:
            self.waiting -= 1

    async def _tried_twice(self, function: Callable[..., T], *arguments: Any) -> T:
        try:
            return await self._try(function, *arguments)
        except BrokenProcessPool:  # perhaps by another one's fault
            return await self._try(function, *arguments)

    async def _try(self, function: Callable[..., T], *arguments: Any) -> T:
        processes = self._processes = self._processes or self._started()
        try:
            running = asyncio.get_running_loop().run_in_executor(processes, function, *arguments)
            return await asyncio.wait_for(running, self.patience)
        except (BrokenProcessPool, TimeoutError):
            self._discard(processes)
            raise

    def _started(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self._count, multiprocessing.get_context("spawn"), initializer=_settle)

    def _discard(self, processes: ProcessPoolExecutor) -> None:
        if self._processes is processes:
            self._processes = None
        for process in list((processes._processes or {}).values()):  # there is no public way to stop one that hangs
            process.kill()
        processes.shutdown(wait=False)  # what still ran there fails, and is tried again

    def close(self) -> None:
        """Stop, whatever is running."""
        if self._processes is not None:
            self._discard(self._processes)


def _settle() -> None:
    """In a new worker: leave Ctrl-C to the server, and end with it however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
    os._exit(1)


def _packed(state: State) -> Thought:
    """A state in a kilobyte; a whole one would carry board and deck along."""
    table = state.table
    return table.names, msgspec.json.encode(table.options), table.drawn, msgspec.json.encode(state.snapshot())


def _unpacked(thought: Thought) -> State:
    names, options, drawn, snapshot = thought
    return msgspec.json.decode(snapshot, type=Snapshot).state(_table(names, options, drawn))


@lru_cache(64)
def _table(names: tuple[str, ...], encoded: bytes, drawn: tuple[str, ...]) -> Table:
    options, board = msgspec.json.decode(encoded, type=Options), built_in_board()
    layout, deck = parse_layout(options.layout, board), choose_deck(options, None)
    return make_table(
        names, options, board=board, deck=deck, layout=layout, first=names.index(options.first), drawn=drawn
    )


def _decide(level: str, thought: Thought) -> str:
    state = _unpacked(thought)
    return format_action(make(level, seconds=USUAL_SECONDS).decide(state, rules.legal_actions(state)))


def _advise(thought: Thought, language: str) -> tuple[str, tuple[Advised, ...]]:
    return hints.advise(_unpacked(thought), language)
