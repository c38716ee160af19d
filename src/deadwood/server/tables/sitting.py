"""Sitting: one game at a table, from its opening to its end, rebuilt from the log. No clock, no database."""

import hashlib
import hmac
from collections.abc import Iterable
from copy import copy
from functools import reduce

from msgspec import Struct
from msgspec.structs import replace

from ...engine.board import Board, built_in_board
from ...engine.chance import commitment
from ...engine.deck import Deck
from ...engine.events import Event, OutcomeCorrected
from ...engine.game import Game
from ...engine.notation import format_action
from ...engine.seats import Seat
from ...engine.table import choose_deck
from ..protocol.messages import Status
from ..protocol.table_events import (
    ActionUndone,
    BoardChosen,
    ChairLeft,
    ChairTaken,
    DeckChosen,
    OptionsChosen,
    PlayerAgreed,
    PlayerReady,
    TableEvent,
    TableOpened,
)
from .log import (
    Agreed,
    BoardSwapped,
    Chair,
    Chosen,
    Corrected,
    DeckSwapped,
    Entry,
    Left,
    Opened,
    Played,
    Readied,
    Sat,
    Started,
    Undone,
)


class LogEvent(Struct, frozen=True, gc=False):
    """One entry, interpreted: its kind, the chair behind it, and the events it caused."""

    seq: int
    kind: str
    chair: int | None
    action: str | None
    events: tuple[Event | TableEvent, ...]


class Sitting:
    """The current game of a table. Only `take` changes it, one entry at a time; `after` returns a changed copy."""

    def __init__(self, entry: Entry) -> None:
        opened = entry.body
        assert isinstance(opened, Opened)
        self.code = entry.code
        self.first_seq = self.seq = entry.seq
        self.opened = opened
        self.options = opened.options
        self.own_deck = opened.deck
        self.own_board = opened.board
        self.chairs = opened.chairs
        self.host = opened.host
        self.next_chair = opened.next_chair
        self.game: Game | None = None
        self.typist = 0  # the chair that entered what came up last, at a table with real dice
        self.answers = {(entry.by, entry.command): entry.seq} if entry.command else {}
        self.left_tokens = dict(opened.left)
        self.swaps = 0  # of decks and boards since the opening
        self.agreed: dict[int, str] = {}  # the salts of those who want another game, by chair
        self.events = [LogEvent(entry.seq, "opened", entry.by or None, None, self._open())]

    def _open(self) -> tuple[Event | TableEvent, ...]:
        if not self.opened.started:
            return (TableOpened(self.opened.game),)
        self.game = self.new_game()
        return self.game.events

    @property
    def status(self) -> Status:
        """Whether the game waits for people, runs, or is over."""
        if self.game is None:
            return "waiting"
        return "finished" if self.game.over else "running"

    @property
    def commitment(self) -> str:
        """SHA-256 of the seed, public from the start."""
        return commitment(bytes.fromhex(self.opened.seed))

    @property
    def salts(self) -> tuple[str, ...]:
        """The people's salts in seat order."""
        return tuple(chair.salt for chair in self.chairs if chair.salt)

    @property
    def deck(self) -> Deck:
        """The deck of this game."""
        if self.game is not None:
            return self.game.state.table.deck
        return self.own_deck or choose_deck(self.options, None)

    @property
    def board(self) -> Board:
        """The board of this game."""
        return self.own_board or built_in_board()

    @property
    def active(self) -> Chair | None:
        """Whose turn it is."""
        return self.chairs[self.game.state.active] if self.game and not self.game.over else None

    @property
    def last_actor(self) -> Chair | None:
        """Who made the last action of the game."""
        step = self.game.last_step if self.game else None
        return None if step is None else self.chairs[step.seat]

    @property
    def correctors(self) -> tuple[Chair, ...]:
        """Who may correct what came up last: the player who acted, the person who entered it, and the host."""
        if self.game is None or self.last_actor is None or self.game.correct_refusal() is not None:
            return ()
        ids = dict.fromkeys((self.last_actor.id, self.typist, self.host))
        return tuple(chair for chair in map(self.chair, ids) if chair and chair.token)

    def chair(self, id: int | None) -> Chair | None:
        """The chair with this id."""
        return next((chair for chair in self.chairs if chair.id == id), None)

    def chair_of(self, token: str) -> Chair | None:
        """The chair a token holds; every chair is compared, in constant time."""
        digest = hash_token(token)
        found = [chair for chair in self.chairs if chair.token and hmac.compare_digest(chair.token, digest)]
        return found[0] if found else None

    def left_chair(self, token: str) -> int | None:
        """The chair a token held until it was given up."""
        return self.left_tokens.get(hash_token(token))

    def new_game(self) -> Game:
        """The game that would start now, or a SetupError that says why it cannot."""
        return Game.new(
            [chair.name for chair in self.chairs],
            self.options,
            bytes.fromhex(self.opened.seed),
            board=self.own_board,
            deck=self.own_deck,
            seats=[Seat(chair.colour, chair.bot) for chair in self.chairs],
            salts=[bytes.fromhex(salt) for salt in self.salts],
        )

    def take(self, entry: Entry, game: Game | None = None) -> LogEvent:
        """Add an entry that is in the log; `game` is the game after it, if the caller has played it already."""
        assert entry.seq == self.seq + 1
        event = self._interpret(entry, game)
        self.seq = entry.seq
        if entry.command:
            self.answers[entry.by, entry.command] = entry.seq
        self.events.append(event)
        return event

    def after(self, entry: Entry, game: Game | None = None) -> "Sitting":
        """A copy with the entry added; this sitting stays as it is."""
        if isinstance(entry.body, Opened):
            return Sitting(entry)
        twin = copy(self)
        twin.answers, twin.left_tokens, twin.events = self.answers.copy(), self.left_tokens.copy(), self.events.copy()
        twin.agreed = self.agreed.copy()
        twin.take(entry, game)
        return twin

    def _interpret(self, entry: Entry, game: Game | None) -> LogEvent:
        match entry.body:
            case Played() as played:
                return self._play(entry, played, game)
            case Undone():
                return self._undo(entry, game)
            case Corrected() as corrected:
                return self._correct(entry, corrected, game)
            case Started():
                self.game = game or self.new_game()
                return LogEvent(entry.seq, "started", entry.by or None, None, self.game.events)
            case body:
                assert not isinstance(body, Opened)
                kind = str(body.__struct_config__.tag)
                return LogEvent(entry.seq, kind, entry.by or None, None, (self._change_chairs(body),))

    def _play(self, entry: Entry, played: Played, game: Game | None) -> LogEvent:
        if game is None:
            assert self.game is not None
            game = self.game
            real_dice = game.state.table.options.dice == "table"
            game.play(played.action, (played.outcome or None) if real_dice else None)
        self.game = game
        if played.outcome:
            self.typist = entry.by
        step = game.last_step
        assert step is not None
        text = f"{played.action} = {played.outcome}" if played.outcome else played.action
        return LogEvent(entry.seq, "played", self.chairs[step.seat].id, text, step.events)

    def _undo(self, entry: Entry, game: Game | None) -> LogEvent:
        assert self.game is not None
        step = self.game.last_step
        assert step is not None
        if game is None:
            game = self.game
            game.undo()
        self.game = game
        chair, action = self.chairs[step.seat], format_action(step.action)
        return LogEvent(entry.seq, "undone", chair.id, action, (ActionUndone(chair.name, action),))

    def _correct(self, entry: Entry, corrected: Corrected, game: Game | None) -> LogEvent:
        if game is None:
            assert self.game is not None
            game = self.game
            game.correct(corrected.outcome)
        self.game, self.typist, self.agreed = game, entry.by, {}
        step = game.last_step
        assert step is not None
        first, *others = step.events
        assert isinstance(first, OutcomeCorrected)
        by = self._name(entry.by)
        shown = first if by == first.player else replace(first, by=by)
        text = f"{format_action(step.action)} = {corrected.outcome}"
        return LogEvent(entry.seq, "corrected", self.chairs[step.seat].id, text, (shown, *others))

    def _change_chairs(self, body: Sat | Left | Chosen | DeckSwapped | BoardSwapped | Readied | Agreed) -> TableEvent:
        match body:
            case Agreed(id, salt):
                return self._agree(id, salt)
            case Sat(chair):
                return self._sit(chair)
            case Left(id, removed):
                return self._leave(id, removed)
            case Chosen(options):
                self.options = options
                self._ask_again()
                return OptionsChosen(options)
            case DeckSwapped(deck):
                self.own_deck = deck
                self.swaps += 1
                self._ask_again()
                return DeckChosen(self.deck.name, deck is not None)
            case BoardSwapped(board, layout):
                self.own_board, self.options = board, replace(self.options, layout=layout)
                self.swaps += 1
                self._ask_again()
                return BoardChosen(self.board.name, board is not None)
            case Readied(id, salt):
                self.chairs = tuple(replace(chair, salt=salt) if chair.id == id else chair for chair in self.chairs)
                return PlayerReady(self._name(id), salt is not None)

    def _agree(self, id: int, salt: str | None) -> TableEvent:
        self.agreed.pop(id, None)
        if salt is not None:
            self.agreed[id] = salt
        return PlayerAgreed(self._name(id), salt is not None)

    def _ask_again(self) -> None:
        """Nobody is ready any more: it is another game."""
        self.chairs = tuple(replace(chair, salt=None) for chair in self.chairs)

    def _sit(self, chair: Chair) -> TableEvent:
        self.chairs = (*self.chairs, chair)
        self.next_chair = max(self.next_chair, chair.id + 1)
        if self.host is None and chair.token:
            self.host = chair.id
        return ChairTaken(chair.name, chair.colour, chair.bot)

    def _leave(self, id: int, removed: bool) -> TableEvent:
        """If the host leaves, the person who has been here longest becomes the host."""
        name, gone = self._name(id), self.chair(id)
        if gone and gone.token:
            self.left_tokens[gone.token] = gone.id
        self.chairs = tuple(chair for chair in self.chairs if chair.id != id)
        if id != self.host:
            return ChairLeft(name, removed, None)
        self.host = min((chair.id for chair in self.chairs if chair.token), default=None)
        return ChairLeft(name, removed, None if self.host is None else self._name(self.host))

    def _name(self, id: int) -> str:
        chair = self.chair(id)
        return chair.name if chair else ""


def sitting_of(entries: Iterable[Entry]) -> Sitting:
    """The last sitting of a log that starts with the opening of a game."""
    opening, *others = entries
    return reduce(advanced, others, Sitting(opening))


def advanced(sitting: Sitting, entry: Entry) -> Sitting:
    """The sitting with an entry added, or a new one if the entry opens it."""
    if isinstance(entry.body, Opened):
        return Sitting(entry)
    sitting.take(entry)
    return sitting


def hash_token(token: str) -> str:
    """What is stored of a token."""
    return hashlib.sha256(token.encode()).hexdigest()
