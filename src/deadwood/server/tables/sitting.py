"""Sitting: a table from the opening of a game to its end, as its log tells it. Pure: no clock, no database."""

import hashlib
import hmac
from collections.abc import Iterable
from copy import copy

from msgspec import Struct
from msgspec.structs import replace

from ...engine.chance import commitment
from ...engine.events import Event
from ...engine.game import Game
from ...engine.notation import format_action
from ...engine.seats import Seat
from ..protocol.table_events import (
    ActionUndone,
    Happening,
    OptionsChosen,
    PlayerReady,
    SeatLeft,
    SeatTaken,
    TableOpened,
)
from ..store.rows import Status
from .log import Chair, Chosen, Entry, Left, Opened, Played, Readied, Sat, Started, Undone


class Page(Struct, frozen=True, gc=False):
    """One entry, understood: what it was, who did it, and what happened."""

    seq: int
    kind: str
    seat: int | None
    action: str | None
    events: tuple[Event | Happening, ...]


class Sitting:
    """Everything about the present game of a table. It changes by `take` alone, one entry after the other."""

    def __init__(self, entry: Entry) -> None:
        opened = entry.body
        assert isinstance(opened, Opened)
        self.code = entry.code
        self.first_seq = self.seq = entry.seq
        self.opened = opened
        self.options = opened.options
        self.chairs = opened.chairs
        self.host = opened.host
        self.next_chair = opened.next_chair
        self.game: Game | None = None
        self.answers = {(entry.by, entry.command): entry.seq} if entry.command else {}
        self.left_tokens = dict(opened.left)
        self.pages = [Page(entry.seq, "opened", entry.by or None, None, (TableOpened(opened.game),))]

    @property
    def status(self) -> Status:
        """Waiting for people, running, or finished."""
        if self.game is None:
            return "waiting"
        return "finished" if self.game.over else "running"

    @property
    def commitment(self) -> str:
        """SHA-256 of the seed, which everybody may know from the start."""
        return commitment(bytes.fromhex(self.opened.seed))

    @property
    def salts(self) -> tuple[str, ...]:
        """The people's salts in seat order."""
        return tuple(chair.salt for chair in self.chairs if chair.salt)

    @property
    def active(self) -> Chair | None:
        """Whose turn it is."""
        return self.chairs[self.game.state.active] if self.game and not self.game.over else None

    def chair(self, seat: int) -> Chair | None:
        """The chair with this id."""
        return next((chair for chair in self.chairs if chair.id == seat), None)

    def chair_of(self, token: str) -> Chair | None:
        """Whom a token belongs to; every chair is compared, in constant time."""
        digest = hash_token(token)
        found = [chair for chair in self.chairs if chair.token and hmac.compare_digest(chair.token, digest)]
        return found[0] if found else None

    def left_seat(self, token: str) -> int | None:
        """The seat that a token held until somebody left it."""
        return self.left_tokens.get(hash_token(token))

    def new_game(self) -> Game:
        """The game that would start now; a SetupError says why it cannot."""
        return Game.new(
            [chair.name for chair in self.chairs],
            self.options,
            bytes.fromhex(self.opened.seed),
            seats=[Seat(chair.colour, chair.bot) for chair in self.chairs],
            salts=[bytes.fromhex(salt) for salt in self.salts],
        )

    def take(self, entry: Entry, game: Game | None = None) -> Page:
        """Take an entry that is in the log; `game` is the game after it, for one who has played it already."""
        assert entry.seq == self.seq + 1
        page = self._page(entry, game)
        self.seq = entry.seq
        if entry.command:
            self.answers[entry.by, entry.command] = entry.seq
        self.pages.append(page)
        return page

    def after(self, entry: Entry, game: Game | None = None) -> "Sitting":
        """The sitting as it would be after an entry; this one stays as it is."""
        if isinstance(entry.body, Opened):
            return Sitting(entry)
        twin = copy(self)
        twin.answers, twin.left_tokens, twin.pages = self.answers.copy(), self.left_tokens.copy(), self.pages.copy()
        twin.take(entry, game)
        return twin

    def _page(self, entry: Entry, game: Game | None) -> Page:
        match entry.body:
            case Played() as played:
                return self._play(entry, played, game)
            case Undone():
                return self._undo(entry, game)
            case Started():
                self.game = game or self.new_game()
                return Page(entry.seq, "started", entry.by or None, None, self.game.events)
            case body:
                assert not isinstance(body, Opened)
                return Page(entry.seq, type(body).__name__.casefold(), entry.by or None, None, (self._seat(body),))

    def _play(self, entry: Entry, played: Played, game: Game | None) -> Page:
        if game is None:
            assert self.game is not None
            game = self.game
            real_dice = game.state.table.options.dice == "table"
            game.play(played.action, (played.outcome or None) if real_dice else None)
        self.game = game
        step = game.steps[-1]
        text = f"{played.action} = {played.outcome}" if played.outcome else played.action
        return Page(entry.seq, "played", self.chairs[step.seat].id, text, step.events)

    def _undo(self, entry: Entry, game: Game | None) -> Page:
        assert self.game is not None
        step = self.game.steps[-1]
        if game is None:
            game = self.game
            game.undo()
        self.game = game
        chair, action = self.chairs[step.seat], format_action(step.action)
        return Page(entry.seq, "undone", chair.id, action, (ActionUndone(chair.name, action),))

    def _seat(self, body: Sat | Left | Chosen | Readied) -> Happening:
        match body:
            case Sat(chair):
                return self._sit(chair)
            case Left(seat, kicked):
                return self._leave(seat, kicked)
            case Chosen(options):
                self.options = options
                self.chairs = tuple(replace(chair, salt=None) for chair in self.chairs)
                return OptionsChosen(options)
            case Readied(seat, salt):
                self.chairs = tuple(replace(chair, salt=salt) if chair.id == seat else chair for chair in self.chairs)
                return PlayerReady(self._name(seat), salt is not None)

    def _sit(self, chair: Chair) -> Happening:
        self.chairs = (*self.chairs, chair)
        self.next_chair = max(self.next_chair, chair.id + 1)
        if self.host is None and chair.token:
            self.host = chair.id
        return SeatTaken(chair.name, chair.colour, chair.bot)

    def _leave(self, seat: int, kicked: bool) -> Happening:
        """The host's rights pass to the person who has been here longest."""
        name, gone = self._name(seat), self.chair(seat)
        if gone and gone.token:
            self.left_tokens[gone.token] = gone.id
        self.chairs = tuple(chair for chair in self.chairs if chair.id != seat)
        if seat != self.host:
            return SeatLeft(name, kicked, None)
        self.host = min((chair.id for chair in self.chairs if chair.token), default=None)
        return SeatLeft(name, kicked, None if self.host is None else self._name(self.host))

    def _name(self, seat: int) -> str:
        chair = self.chair(seat)
        return chair.name if chair else ""


def sitting_of(entries: Iterable[Entry]) -> Sitting:
    """The sitting that a log tells, from the opening of a game on."""
    lines = iter(entries)
    sitting = Sitting(next(lines))
    for entry in lines:
        sitting = Sitting(entry) if isinstance(entry.body, Opened) else _taken(sitting, entry)
    return sitting


def _taken(sitting: Sitting, entry: Entry) -> Sitting:
    sitting.take(entry)
    return sitting


def hash_token(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()
