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

from ..bots import make
from ..engine import rules
from ..engine.board import built_in_board
from ..engine.layout import parse_layout
from ..engine.notation import format_action
from ..engine.options import Options
from ..engine.state import Snapshot, State
from ..engine.table import Table, choose_deck, make_table
from . import hints, replaying
from .metrics import Counters
from .wire import Advised, Replay

log = logging.getLogger("deadwood.server")
T = TypeVar("T")
Thought = tuple[tuple[str, ...], bytes, tuple[str, ...], bytes]  # names, options, what was drawn, the state


class Thinker(Protocol):
    """Whoever thinks for bots."""

    async def decide(self, level: str, state: State) -> str:
        """An action in notation, which is always legal."""

    async def advise(self, state: State) -> tuple[str, tuple[Advised, ...]]:
        """The strongest bot's name, and what it thinks."""

    async def replay(self, record: str, first: int, limit: int, language: str) -> Replay:
        """A part of a record."""

    def close(self) -> None:
        """Stop."""


class Workers:
    """Worker processes. One that fails or takes too long is replaced, and the bot plays something legal instead."""

    def __init__(self, count: int, patience: float, counters: Counters) -> None:
        self._count = count
        self._patience = patience
        self._counters = counters
        self._pool: ProcessPoolExecutor | None = None

    async def decide(self, level: str, state: State) -> str:
        legal = [format_action(action) for action in rules.legal_actions(state)]
        try:
            action = await self._run(_decide, level, _packed(state))
        except Exception:
            log.exception("the bot %s failed", level)
            action = ""
        if action in legal:
            self._counters.bot_decisions += 1
            return action
        self._counters.bot_failures += 1
        return random.choice(legal)

    async def advise(self, state: State) -> tuple[str, tuple[Advised, ...]]:
        return await self._run(_advise, _packed(state))

    async def replay(self, record: str, first: int, limit: int, language: str) -> Replay:
        return await self._run(replaying.replay, record, first, limit, language)

    async def _run(self, function: Callable[..., T], *arguments: Any) -> T:
        try:
            return await self._try(function, *arguments)
        except BrokenProcessPool:  # perhaps by another one's fault
            return await self._try(function, *arguments)

    async def _try(self, function: Callable[..., T], *arguments: Any) -> T:
        pool = self._pool = self._pool or self._new_pool()
        try:
            running = asyncio.get_running_loop().run_in_executor(pool, function, *arguments)
            return await asyncio.wait_for(running, self._patience)
        except (BrokenProcessPool, TimeoutError):
            self._discard(pool)
            raise

    def _new_pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self._count, multiprocessing.get_context("spawn"), initializer=_settle)

    def _discard(self, pool: ProcessPoolExecutor) -> None:
        if self._pool is pool:
            self._pool = None
        for process in list((pool._processes or {}).values()):  # there is no public way to stop one that hangs
            process.kill()
        pool.shutdown(wait=False)  # what still waited there fails, and is tried again

    def close(self) -> None:
        if self._pool is not None:
            self._discard(self._pool)


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
    return format_action(make(level).decide(state, rules.legal_actions(state)))


def _advise(thought: Thought) -> tuple[str, tuple[Advised, ...]]:
    return hints.advise(_unpacked(thought))
