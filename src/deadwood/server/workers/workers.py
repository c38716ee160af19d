"""Workers: bots think, and records are replayed, in processes, so that the event loop never waits for them."""

import logging
import random
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from typing import Any, TypeVar

import msgspec

from ...bots import USUAL_SECONDS, Unit, advice, decision, make, strongest, unit
from ...engine import rules
from ...engine.actions import Action
from ...engine.board import Board, built_in_board
from ...engine.deck import Deck
from ...engine.notation import format_action
from ...engine.options import Options
from ...engine.state import Snapshot, State
from ...engine.table import Table, TableSnapshot, choose_deck, is_custom_board, is_custom_deck
from ...narration import narrate
from ..metrics import Counters
from ..protocol.answers import CheckedBoard, CheckedDeck, Replay
from ..protocol.drafts import DraftDeck, DraftView, TrialView
from ..protocol.messages import Advised
from ..protocol.refusals import refuse
from . import checking, drafting, replaying
from .pool import Pool

log = logging.getLogger("deadwood.server")
_MANY = 20  # that wait for a process that answers people; from then on, an address may have only one of them
_MOST_WAITING = 200
T = TypeVar("T")
PackedTable = tuple[tuple[str, ...], bytes, tuple[str, ...], bytes, bytes]  # names, options, draws, own deck and board
PackedState = tuple[PackedTable, bytes]  # and the snapshot


class Workers:
    """Some processes for bots, one each for hints, for files and for trials, so that none of them holds up another."""

    def __init__(self, count: int, patience: float, counters: Counters) -> None:
        self._counters = counters
        self._bots = Pool(count, patience)
        self._hints = Pool(1, patience)
        self._records = Pool(1, patience)
        self._trials = Pool(1, patience)
        self._pools = (self._bots, self._hints, self._records, self._trials)

    async def warm_up(self) -> None:
        """Start a process for bots before one is needed: it takes a second or two, and people would wait."""
        await self._bots.run(_load_everything)

    async def decide(self, bot: str, state: State, patient: bool = False, address: str = "") -> Action:
        """A bot's decision, for people at an address; if it fails or takes too long, any legal action."""
        legal = rules.legal_actions(state)
        try:
            decided = await self._bots.run(_decide, bot, _packed(state), patient=patient, address=address)
            action = legal[legal.index(decided)]  # a bot's action may be equal, but of other types
        except Exception:
            log.exception("the bot %s failed", bot)
            self._counters.bot_failures += 1
            return random.choice(legal)
        self._counters.bot_decisions += 1
        return action

    async def advise(self, state: State, language: str, address: str = "") -> tuple[str, Unit, tuple[Advised, ...]]:
        """The strongest bot's name, the unit of its values, and its advice on all legal actions, the best first."""
        return await self._run(self._hints, _advise, _packed(state), language, address=address)

    async def replay(self, record: str, first: int, limit: int, language: str, address: str) -> Replay:
        """A part of a record, for somebody at an address."""
        return await self._run(self._records, replaying.replay, record, first, limit, language, address=address)

    async def check_deck(self, text: str, address: str) -> CheckedDeck:
        """A deck from the text of a file."""
        return await self._run(self._records, checking.check_deck, text, address=address)

    async def check_board(self, text: str, address: str) -> CheckedBoard:
        """A board from the text of a file."""
        return await self._run(self._records, checking.check_board, text, address=address)

    async def check_draft(self, draft: DraftDeck, language: str, address: str) -> DraftView:
        """What is wrong with a deck that somebody is writing."""
        return await self._run(self._records, drafting.check_draft, draft.name, draft.cards, language, address=address)

    async def try_draft(self, draft: DraftDeck, first: int, games: int, address: str) -> TrialView:
        """Games with such a deck, and with the classic one."""
        return await self._run(self._trials, drafting.try_draft, draft.name, draft.cards, first, games, address=address)

    async def _run(self, pool: Pool, function: Callable[..., T], *arguments: Any, address: str = "") -> T:
        if _is_full(pool, address):
            raise refuse("took_too_long")
        try:
            return await pool.run(function, *arguments, address=address)
        except (BrokenProcessPool, TimeoutError) as error:
            raise refuse("took_too_long") from error

    @property
    def waiting(self) -> int:
        """How many jobs wait for a process."""
        return sum(pool.waiting for pool in self._pools)

    def close(self) -> None:
        """Stop all processes."""
        for pool in self._pools:
            pool.close()


def _is_full(pool: Pool, address: str) -> bool:
    """Whether one more has to be refused. A few people with slow files must not keep everybody else out."""
    return pool.waiting >= (_MANY if pool.waiting_for(address) else _MOST_WAITING)


def _packed(state: State) -> PackedState:
    """A state in a kilobyte. A pickled one would include the board and the deck; here, only custom ones are sent."""
    table = state.table
    deck = msgspec.json.encode(table.deck) if is_custom_deck(table.deck) else b""
    board = msgspec.json.encode(table.board) if is_custom_board(table.board) else b""
    packed = table.names, msgspec.json.encode(table.options), table.drawn, deck, board
    return packed, msgspec.json.encode(state.snapshot())


def _unpacked(packed: PackedState) -> State:
    table, snapshot = packed
    return msgspec.json.decode(snapshot, type=Snapshot).state(_table(*table))


@lru_cache(64)
def _table(names: tuple[str, ...], encoded: bytes, drawn: tuple[str, ...], own_deck: bytes, own_board: bytes) -> Table:
    options = msgspec.json.decode(encoded, type=Options)
    deck = msgspec.json.decode(own_deck, type=Deck) if own_deck else choose_deck(options, None)
    board = msgspec.json.decode(own_board, type=Board) if own_board else built_in_board()
    return TableSnapshot(names, options, drawn, board, deck).table()


def _load_everything() -> None:
    """Does nothing: importing this module has loaded everything."""


def _decide(bot: str, packed: PackedState) -> Action:
    return decision(make(bot, seconds=USUAL_SECONDS), bot, _unpacked(packed))


def _advise(packed: PackedState, language: str) -> tuple[str, Unit, tuple[Advised, ...]]:
    bot = strongest()
    thoughts = advice(bot, _unpacked(packed), seconds=USUAL_SECONDS)
    advised = (Advised(format_action(one.action), one.value, narrate(one.reason, language)) for one in thoughts)
    return bot, unit(bot), tuple(advised)
