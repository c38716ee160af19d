"""What belongs to a table besides its view: deck and board as the engine knows them, and what it can choose from."""

from typing import Literal, Protocol

from msgspec import Struct

from ..engine.board import Board, built_in_board
from ..engine.deck import BUILT_IN_DECKS, Deck, built_in_deck
from ..engine.state import State
from ..engine.table import Table, TableSnapshot
from ..server.protocol.answers import About, BotView, HouseRuleView, OptionList, OptionView
from ..server.protocol.messages import Done
from ..server.protocol.views import TableView

FileKind = Literal["deck", "board"]


class Offers(Struct, frozen=True):
    """What a table can choose from: bots from gentle to strong, options on its board, house rules.

    An invitation is good for `invitation_seconds`.
    """

    bots: tuple[BotView, ...]
    options: tuple[OptionView, ...]
    house: tuple[HouseRuleView, ...]
    invitation_seconds: float


class Source(Protocol):
    """A server: the source of decks and boards that we do not have."""

    async def deck(self, code: str, key: str | None) -> Deck:
        """The deck of a table; with a key, only if it still has that key."""

    async def board(self, code: str, key: str | None) -> Board:
        """The board of a table."""

    async def record(self, code: str, game: int) -> str:
        """The record of a finished game."""

    async def about(self) -> About:
        """Bots and house rules."""

    async def options(self, code: str) -> OptionList:
        """The options of a table."""

    async def use_file(self, code: str, kind: FileKind, text: str | None, token: str | None) -> Done:
        """Bring the TOML of a deck or a board, or return to the built-in one."""


class GameFiles:
    """Fetches a deck or a board once, and keeps the latest."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._deck: tuple[object, Deck] | None = None
        self._board: tuple[object, Board] | None = None
        self._table: tuple[object, Table] | None = None

    async def state(self, view: TableView) -> State | None:
        """The state of a table's game; None before the first one."""
        if view.position is None:
            return None
        return view.position.state.state(await self._table_of(view))

    async def _table_of(self, view: TableView) -> Table:
        """What stays the same all game; states of the same game share it."""
        names = tuple(chair.name for chair in view.chairs)
        key = (view.game, names, view.options, view.deck, view.board)
        if self._table is None or self._table[0] != key:
            board, deck = await self._board_of(view), await self._deck_of(view)
            self._table = key, TableSnapshot(names, view.options, view.drawn, board, deck).table()
        return self._table[1]

    async def _deck_of(self, view: TableView) -> Deck:
        label = view.deck
        if label.name in BUILT_IN_DECKS and built_in_deck(label.name).fingerprint == label.fingerprint:
            return built_in_deck(label.name)
        if self._deck is None or self._deck[0] != label:
            self._deck = label, await self._source.deck(view.code, label.key)
        return self._deck[1]

    async def _board_of(self, view: TableView) -> Board:
        label = view.board
        if label.fingerprint == built_in_board().fingerprint:
            return built_in_board()
        if self._board is None or self._board[0] != label:
            self._board = label, await self._source.board(view.code, label.key)
        return self._board[1]
