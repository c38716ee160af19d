"""Sitting: one game at a table, from its opening to its end, rebuilt from the log."""

from collections.abc import Iterable
from copy import copy
from functools import reduce

from msgspec import Struct
from msgspec.structs import replace

from ...engine.events import Event, OutcomeCorrected
from ...engine.game import Game
from ...engine.notation import format_action
from ..protocol.refusals import refuse
from ..protocol.table_events import ActionUndone, NamesReplaced, TableEvent, TableOpened
from .attendance import Clock
from .changes import change_absence, change_lobby
from .log import (
    CalledOff,
    Corrected,
    Deleted,
    Entry,
    Left,
    LobbyBody,
    Opened,
    Played,
    Resumed,
    Returned,
    Rewritten,
    Started,
    StoodIn,
    TakenOver,
    Undone,
)
from .table_state import TableState

_NEW_POSITIONS = frozenset({Started, Played, Undone, Corrected, CalledOff, Left})
_ACTIONS = frozenset({Started, Played})


class LogEvent(Struct, frozen=True, gc=False):
    """One entry, interpreted: its kind, the chair behind it, and the events it caused.

    `by` is the bot that decided an action for a person.
    """

    seq: int
    kind: str
    chair: int | None
    action: str | None
    events: tuple[Event | TableEvent, ...]
    by: str | None = None


class Sitting(TableState):
    """The current game of a table. Only `take` changes it, one entry at a time; `after` returns a changed copy."""

    def __init__(self, entry: Entry) -> None:
        super().__init__(entry)
        self.answers = {(entry.by, entry.command): entry.seq} if entry.command else {}
        self._earlier_clocks: list[Clock | None] = []  # of the turns that can still be taken back
        self._stopped_clock: Clock | None = None  # of the present turn, from when a stand-in began to play it
        self.events = [LogEvent(entry.seq, "opened", entry.by or None, None, self._open(entry))]

    def _open(self, entry: Entry) -> tuple[Event | TableEvent, ...]:
        if not self.opened.started:
            return (TableOpened(self.opened.game),)
        self.game = self.new_game()
        self._wind_clock(entry, None)
        return self.game.events

    def take(self, entry: Entry, game: Game | None = None) -> LogEvent:
        """Add an entry that is in the log; `game` is the game after it, if the caller has played it already."""
        assert entry.seq == self.seq + 1
        before, paused = self._turn, self.attendance.paused
        if type(entry.body) is not Played:  # the most frequent entry, which does not change the attendance
            self.attendance = self.attendance.taken(entry)
        event = self._interpret(entry, game)
        self.seq, self.at = entry.seq, entry.at
        turn = self._turn
        if type(entry.body) in _NEW_POSITIONS or (turn, self.attendance.paused) != (before, paused):
            self.position_seq = entry.seq
        if turn != before:
            self._wind_clock(entry, before)
        elif isinstance(entry.body, Resumed):
            self._stopped_clock = None  # it would count the pause
        if entry.command:
            self.answers[entry.by, entry.command] = entry.seq
        if self.game is not None and type(entry.body) not in _ACTIONS:
            self.beside = self.beside | {entry.by: self.beside.get(entry.by, 0) + 1}
        self.events.append(event)
        return event

    def after(self, entry: Entry, game: Game | None = None) -> "Sitting":
        """A copy with the entry added; this sitting stays as it is."""
        if isinstance(entry.body, Opened):
            return Sitting(entry)
        twin = copy(self)
        twin.answers, twin.left_tokens, twin.events = self.answers.copy(), self.left_tokens.copy(), self.events.copy()
        twin._earlier_clocks = self._earlier_clocks.copy()
        twin.take(entry, game)
        return twin

    # --- the clock

    @property
    def _turn(self) -> tuple[int, bool] | None:
        """The active chair, and whether a person plays it."""
        active = self.active
        return None if active is None else (active.id, not (active.own_bot or self._stand_in(active)))

    def _wind_clock(self, entry: Entry, before: tuple[int, bool] | None) -> None:
        """Set the clock of the turn. After an undo or a return it is the clock from before, which has kept running."""
        old, turn = self.attendance.clock, self._turn
        if turn is None or before is None or turn[0] != before[0]:
            self._stopped_clock = None
            if self.attendance.overtime is not None:
                self.attendance = replace(self.attendance, overtime=None)
                turn = self._turn
        clock = Clock(entry.at, self.house.clock) if turn and turn[1] and self.house.clock else None
        match entry.body:
            case Undone() if self._earlier_clocks:
                clock = self._earlier_clocks.pop()
            case Played(outcome=""):
                self._earlier_clocks.append(old)
            case Played() | Corrected():
                self._earlier_clocks.clear()
            case StoodIn():
                self._stopped_clock = old
            case Returned() | TakenOver():  # otherwise people could gain time by leaving for a moment
                clock = self._stopped_clock or clock
        if clock is not old:
            self.attendance = replace(self.attendance, clock=clock)
        self.turn_seq = entry.seq

    # --- entries

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
            case Rewritten():
                return LogEvent(entry.seq, "rewritten", None, None, (NamesReplaced(),))
            case body:
                assert not isinstance(body, Opened | Deleted)
                self.game = game or self.game
                if game is None:
                    self._change_game(body)
                change = change_lobby(self, body) if isinstance(body, LobbyBody) else change_absence(self, entry, body)
                return LogEvent(entry.seq, str(body.__struct_config__.tag), entry.by or None, None, (change,))

    def _change_game(self, body: Struct) -> None:
        """Tell the game who has left it, or that it was called off."""
        match body:
            case CalledOff():
                assert self.game is not None
                self.game.call_off()
            case Left(chair, stand_in=str() as bot):
                assert self.game is not None
                self.game.leave(self.seat(chair), bot)

    def seat(self, chair: int) -> int:
        """The seat of a chair."""
        return next(seat for seat, one in enumerate(self.chairs) if one.id == chair)

    def _play(self, entry: Entry, played: Played, game: Game | None) -> LogEvent:
        if game is None:
            assert self.game is not None
            game = self.game
            real_dice = game.state.table.options.dice == "table"
            game.play(played.action, (played.outcome or None) if real_dice else None, by=played.by)
        self.game = game
        if played.outcome:
            self.typist = entry.by
        step = game.last_step
        assert step is not None
        chair = self.chairs[step.seat].id
        if played.by is None:
            self.attendance = self.attendance.withdrawn(chair)
        text = f"{played.action} = {played.outcome}" if played.outcome else played.action
        return LogEvent(entry.seq, "played", chair, text, step.events, played.by)

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
        text = f"{format_action(step.action)} = {corrected.outcome}"
        events = tuple(self._signed(event, entry.by) for event in step.events)
        return LogEvent(entry.seq, "corrected", self.chairs[step.seat].id, text, events, step.by)

    def _signed(self, event: Event, by: int) -> Event:
        """Add the name of a person who corrected somebody else's outcome: only the table knows it."""
        name = self.name(by)
        return replace(event, by=name) if isinstance(event, OutcomeCorrected) and name != event.player else event


def sitting_of(entries: Iterable[Entry]) -> Sitting:
    """The last sitting of a log that starts with the opening of a game.

    A refusal if the table was just deleted, if the log is empty, or if what it says cannot have happened.
    """
    known = tuple(entries)
    if not known:
        raise refuse("log_unreadable")
    if any(isinstance(entry.body, Deleted) for entry in known):  # perhaps not all are empty yet
        raise refuse("table_unknown", code=known[0].code)
    try:
        return reduce(advanced, known[1:], Sitting(known[0]))
    except Exception as error:  # of the engine, or of ours: the log is damaged, or comes from other rules
        raise refuse("log_unreadable") from error


def advanced(sitting: Sitting, entry: Entry) -> Sitting:
    """The sitting with an entry added, or a new one if the entry opens it."""
    if isinstance(entry.body, Opened):
        return Sitting(entry)
    sitting.take(entry)
    return sitting
