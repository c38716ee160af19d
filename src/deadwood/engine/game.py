"""Game: a state with its history, its dice and its record; what a library user works with."""

import io
import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Self

from msgspec.structs import replace

from ..files import replacing
from . import rules
from .actions import Act, Action
from .board import Board
from .chance import Dice, FairDice, ScriptedDice, ScriptEnded, Seed, TableDice, commitment
from .deck import Deck
from .events import Events, GameEnded, Standing, StoodIn
from .notation import format_action, format_outcome, parse_action, parse_outcome
from .options import Options
from .outcomes import NO_TITLES, Titles, read_outcome
from .record import Record, RecordLine, fail, format_record, parse_record
from .refusal import CorrectionError, IllegalAction, OutcomeError, Refusal, SetupError, UndoError, shortened
from .replay import (
    apply_exactly,
    check_changed,
    check_result,
    corrected,
    own_files,
    replay_line,
    result_of,
    seats_of,
    table_of,
)
from .scoring import standings
from .seats import Seat, check_bot_name, check_seats, usual_seats
from .state import State
from .steps import LastOutcome, Step
from .table import board_name

_RECENT = 32  # steps that a copy may hold on its own; at least two
MOST_CORRECTIONS = 20  # of one outcome: every event and the record list them all


class Game:
    """A game of Deadwood: play it, look at it, save it and load it again."""

    def __init__(
        self,
        state: State,
        opening: Events,
        seats: tuple[Seat, ...],
        dice: Dice | None,
        *,
        promised: str | None = None,
        salts: tuple[bytes, ...] = (),
    ) -> None:
        self._state = state
        self._opening = opening
        self._seats = seats
        self._commitment = dice.commitment if isinstance(dice, FairDice) else promised
        self._salts = dice.salts if isinstance(dice, FairDice) else salts
        self._earlier: tuple[tuple[Step, ...], ...] = ()  # steps that copies share
        self._steps: list[Step] = []  # the later ones; empty only if there is no step at all
        self._undoable: list[State] = []  # the states before the last actions that did not involve chance
        self._before_chance: State | None = None  # the state before the last action that did
        self._called_off = False
        self._use(dice)

    def _use(self, dice: Dice | None) -> None:
        self._dice = dice
        self._roller = dice if self._state.table.options.dice == "fair" else None

    @classmethod
    def new(
        cls,
        names: Iterable[str],
        options: Options | None = None,
        seed: Seed | None = None,
        *,
        board: Board | None = None,
        deck: Deck | None = None,
        dice: Dice | None = None,
        seats: Sequence[Seat] | None = None,
        salts: Sequence[bytes] = (),
        kept_names: bool = False,
    ) -> Self:
        """A new game. Its dice are fair, from `seed` or else a random one, unless you give `dice`.

        With `kept_names` it accepts any names that an earlier version allowed.
        """
        if dice is not None and (seed is not None or salts):
            raise SetupError(Refusal("", "seed_and_dice"))
        dice = _own_dice(dice) if dice is not None else FairDice(os.urandom(32) if seed is None else seed, salts)
        options = Options() if options is None else options
        if not isinstance(options, Options):
            raise TypeError(f"{options!r} is not an Options")
        state, opening = rules.start(names, options, dice, board=board, deck=deck, kept_names=kept_names)
        if state.table.options.dice == "table" and not state.table.drawn:
            dice = None  # nothing was drawn from them, and nothing will be
        count = len(state.players)
        return cls(state, opening, usual_seats(count) if seats is None else check_seats(seats, count), dice)

    def __repr__(self) -> str:
        state = self._state
        when = "over" if self.over else f"day {state.day} of {state.table.days}"
        return f"<Game of {', '.join(state.table.names)}: {when}, {len(self.steps)} actions>"

    @property
    def state(self) -> State:
        """The present state."""
        return self._state

    @property
    def over(self) -> bool:
        """Whether the last day has ended (R9.3), or the players have called the game off."""
        return self._state.over or self._called_off

    @property
    def called_off(self) -> bool:
        """Whether the players agreed to end the game before its last day was over."""
        return self._called_off

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Each seat's colour, and the bot that plays it, if any."""
        return self._seats

    @property
    def steps(self) -> tuple[Step, ...]:
        """All actions so far, with their events."""
        return (*chain.from_iterable(self._earlier), *self._steps)

    @property
    def last_step(self) -> Step | None:
        """The latest action, with its events."""
        return self._steps[-1] if self._steps else None

    @property
    def turn(self) -> int:
        """The number of the present turn, from 1. A turn that is played again after an undo keeps its number."""
        if not self._steps:
            return 1
        last = self._steps[-1]
        return last.turn if last.seat == self._state.active else last.turn + 1

    @property
    def events(self) -> Events:
        """Everything that has happened so far, from the start of the game."""
        return (*self._opening, *(event for step in self.steps for event in step.events))

    def states(self) -> Iterator[State]:
        """All states of the game, from the first morning to now."""
        state, _ = rules.open_table(self._state.table)
        yield state
        for step in self.steps:
            outcome = format_outcome(step.events)
            results = parse_outcome(outcome, step.action, state) if outcome else ()
            state, _ = rules.apply(state, step.action, ScriptedDice(results))
            yield state

    def legal_actions(self) -> tuple[Action, ...]:
        """What the active player may do."""
        return () if self._called_off else rules.legal_actions(self._state)

    def refusal(self, action: Action | str) -> Refusal | None:
        """Why the active player may not do that, or None."""
        if isinstance(action, str):
            action = parse_action(action.partition("=")[0])
        return self._end_refusal() or rules.refusal(self._state, action)

    def _end_refusal(self) -> Refusal | None:
        return _called_off() if self._called_off else None

    def standings(self) -> tuple[Standing, ...]:
        """Everybody's place and score, best first (R11.3)."""
        return self._with_stand_ins(standings(self._state))

    def _with_stand_ins(self, table: tuple[Standing, ...]) -> tuple[Standing, ...]:
        bots = {name: seat.stand_in for name, seat in zip(self._state.table.names, self._seats, strict=True)}
        return tuple(replace(line, stand_in=bots[line.name]) if bots[line.name] else line for line in table)

    def play(self, action: Action | str, outcome: str | None = None, *, by: str | None = None) -> Events:
        """Play an action of the active player, given as a value or in notation, and return its events.

        At a table with real dice (R12.7) `outcome` says what came up: `card 17`, `5`, or
        `5 / 6 5 3 1 1`. While some of it is missing, OutcomeNeeded is raised and nothing has happened.
        `by` names the bot that decided for a person who is away; the record says so.
        """
        if by is not None:
            check_bot_name(by)
        if isinstance(action, str):
            text, equals, typed = action.partition("=")
            action, outcome = parse_action(text), typed.strip() if equals else outcome
        if self._called_off:
            raise IllegalAction(_called_off())
        if outcome is None and self._roller is not None:
            after, events = rules.apply(self._state, action, self._roller)
        else:
            after, events = self._apply_typed(action, outcome)
        return self._remember(action, after, events, by)

    def _apply_typed(self, action: Action, outcome: str | None) -> tuple[State, Events]:
        state = self._state
        problem = rules.refusal(state, action)
        if problem is not None:
            raise IllegalAction(problem)
        if state.table.options.dice == "table":
            results = [] if outcome is None else parse_outcome(outcome, action, state)
            return apply_exactly(state, action, TableDice(results))
        if outcome is not None:
            raise OutcomeError(Refusal("R12.7", "dice_are_fair", {"outcome": outcome}))
        try:
            return rules.apply(state, action, ScriptedDice(()))
        except ScriptEnded:
            raise OutcomeError(Refusal("", "seed_unknown")) from None

    def _remember(self, action: Action, after: State, events: Events, by: str | None) -> Events:
        before = self._state
        if by is not None:
            events = (*self._stands_in(by), *events)
        if after.over:
            events = self._end(events)
        self._steps.append(Step(before.active, action, events, by, self.turn))
        self._state = after
        if type(action) is Act or after.unseen is not before.unseen:  # it involved chance
            self._undoable.clear()
            self._before_chance = before
        else:
            self._undoable.append(before)
        return events

    def _stands_in(self, by: str) -> Events:
        """The event before a stand-in's first action in a turn; nothing before its later ones."""
        last, seat = self.last_step, self._state.active
        if last is not None and (last.seat, last.by) == (seat, by):
            return ()
        return (StoodIn(self._state.table.names[seat], by),)

    def _end(self, events: Events) -> Events:
        """The events of the last action; its final table names the stand-ins of those who left."""
        *others, ended = events
        assert isinstance(ended, GameEnded)
        return *others, replace(ended, standings=self._with_stand_ins(ended.standings))

    def leave(self, seat: int, stand_in: str) -> None:
        """Note that a person left for good and which bot plays on; the record and the final table say so."""
        left = replace(self._seats[seat], stand_in=check_bot_name(stand_in))
        self._seats = (*self._seats[:seat], left, *self._seats[seat + 1 :])

    def call_off(self) -> None:
        """End the game now, without a winner, because the players agreed to."""
        if self.over:
            raise IllegalAction(self._end_refusal() or Refusal("R9.3", "game_over"))
        self._called_off = True

    def undo_refusal(self) -> Refusal | None:
        """Why the last action cannot be taken back, or None."""
        if self._called_off:
            return self._end_refusal()
        if not self._steps:
            return Refusal("", "nothing_to_undo")
        if not self._undoable:
            return Refusal("", "undo_of_chance", {"outcome": format_outcome(self._steps[-1].events)})
        return None

    def undo(self) -> Action:
        """Take back the last action, even one that ended the turn, unless it involved chance."""
        problem = self.undo_refusal()
        if problem is not None:
            raise UndoError(problem)
        self._state = self._undoable.pop()
        taken_back = self._steps.pop()
        if not self._steps and self._earlier:
            *earlier, last = self._earlier
            self._earlier, self._steps = tuple(earlier), list(last)
        return taken_back.action

    def read_outcome(self, action: Action | str, text: str, titles: Titles = NO_TITLES) -> str:
        """What somebody typed for an action, as `play` takes it; raises OutcomeError if it cannot have come up.

        It is more forgiving than the notation: a card may be given by its number alone or by part of its title.
        `titles` maps a card's title to its other titles: `narration.all_titles` has those of every language.
        """
        action = parse_action(action) if isinstance(action, str) else action
        problem = self.refusal(action)
        if problem is not None:
            raise IllegalAction(problem)
        if self._state.table.options.dice == "fair":
            raise OutcomeError(Refusal("R12.7", "dice_are_fair", {"outcome": shortened(text)}))
        return read_outcome(text, action, self._state, self.events, titles)

    def correct_refusal(self) -> Refusal | None:
        """Why the last outcome cannot be corrected, or None (R12.7)."""
        if self._called_off:
            return self._end_refusal()
        if self._state.table.options.dice == "fair":
            return Refusal("R12.7", "correct_fair")
        if self._before_chance is None:
            return Refusal("R12.7", "nothing_to_correct")
        if self._undoable:
            step = self._steps[-1]
            values = {"player": self._state.table.names[step.seat], "action": format_action(step.action)}
            return Refusal("R12.7", "correct_too_late", values)
        if len(self._steps[-1].corrected) >= MOST_CORRECTIONS:
            return Refusal("R12.7", "corrected_too_often", {"most": MOST_CORRECTIONS})
        return None

    def read_correction(self, text: str, titles: Titles = NO_TITLES) -> str:
        """What somebody typed instead of the last outcome, as `correct` takes it; see `read_outcome`."""
        last = self.last_outcome()
        return read_outcome(text, last.action, last.before, self.events, titles)

    def correct(self, outcome: str) -> Events:
        """Play the last action again with what really came up, as long as nobody has acted since (R12.7).

        As with `play`, OutcomeNeeded is raised while some of it is missing, and nothing has happened.
        """
        last, step = self.last_outcome(), self._steps[-1]
        dice = TableDice(parse_outcome(outcome, last.action, last.before))
        after, events = apply_exactly(last.before, last.action, dice)
        check_changed(last.outcome, format_outcome(events))
        events = corrected(last.before, last.action, events, (*step.corrected, last.outcome))
        if isinstance(step.events[0], StoodIn):
            events = (step.events[0], *events)
        if after.over:
            events = self._end(events)
        self._steps[-1] = replace(step, events=events)
        self._state = after
        return events

    def last_outcome(self) -> LastOutcome:
        """What came up for the last action, if it can be corrected, or a CorrectionError."""
        problem = self.correct_refusal()
        if problem is not None:
            raise CorrectionError(problem)
        step, before = self._steps[-1], self._before_chance
        assert before is not None
        needed = rules.outcome_needed(before, step.action)
        assert needed is not None
        return LastOutcome(before, step.action, format_outcome(step.events), needed)

    def copy(self) -> Self:
        """An independent copy; its dice will roll the same."""
        # Skips __init__, which would hash the seed again: servers copy at every action.
        twin = type(self).__new__(type(self))
        twin._state, twin._opening, twin._seats = self._state, self._opening, self._seats
        twin._commitment, twin._salts = self._commitment, self._salts
        twin._use(None if self._dice is None else self._dice.copy())
        twin._earlier, twin._steps = self._shared_steps()
        twin._undoable = self._undoable.copy()
        twin._before_chance = self._before_chance
        twin._called_off = self._called_off
        return twin

    def _shared_steps(self) -> tuple[tuple[tuple[Step, ...], ...], list[Step]]:
        """The steps for a copy, which holds few on its own: the garbage collector would look at all of a new list."""
        if len(self._steps) < _RECENT:
            return self._earlier, self._steps.copy()
        return (*self._earlier, tuple(self._steps[:-1])), self._steps[-1:]

    def record(self, *, reveal: bool = True) -> str:
        """The game as text; `reveal=False` leaves out the seed of its dice."""
        table = self._state.table
        fair = self._dice if isinstance(self._dice, FairDice) else None
        return format_record(
            Record(
                players=table.names,
                seats=self._seats,
                options=table.options,
                board=board_name(table.board),
                drawn=table.drawn,
                commitment=self._commitment,
                salts=self._salts,
                seed=fair.seed if fair and reveal and self._commitment else None,
                lines=tuple(
                    RecordLine(
                        0, table.names[step.seat], step.action, format_outcome(step.events), step.corrected, step.by
                    )
                    for step in self.steps
                ),
                result=result_of(self._state),
                called_off=self._called_off,
                attached=own_files(table),
            )
        )

    def save(self, path: str | Path, *, reveal: bool = True) -> None:
        """Write the record. A crash leaves the old file or the new one, never half of one."""
        with replacing(Path(path)) as draft:
            draft.write_bytes(self.record(reveal=reveal).encode())

    @classmethod
    def load(
        cls, path: str | Path, *, board: Board | None = None, deck: Deck | None = None, dice: Dice | None = None
    ) -> Self:
        """A game from a file that `save` wrote; see `from_record`."""
        return cls.from_record(read_record(path), board=board, deck=deck, dice=dice)

    @classmethod
    def from_record(
        cls, text: str, *, board: Board | None = None, deck: Deck | None = None, dice: Dice | None = None
    ) -> Self:
        """A game from a record's text: replayed, with every line checked, or a RecordError.

        A custom board or deck is taken from the record unless one is given. Play continues with the
        dice of the record's seed; if the record does not reveal one, give `dice` to play on.
        """
        record = parse_record(text)
        promised = commitment(record.seed) if record.seed is not None and not record.commitment else record.commitment
        state, opening = rules.open_table(table_of(record, board, deck))
        game = cls(state, opening, seats_of(record), None, promised=promised, salts=record.salts)
        drawn = len(record.drawn)
        for line in record.lines:
            replayed = replay_line(game._state, line)
            game._remember(line.action, replayed.after, replayed.events, line.by)
            drawn += replayed.results
        check_result(record, game._state)
        game._called_off = record.called_off
        game._go_on(record, dice, drawn)
        return game

    def _go_on(self, record: Record, dice: Dice | None, drawn: int) -> None:
        """Continue the dice where the record stopped."""
        if dice is None and record.seed is not None:
            dice = FairDice(record.seed, record.salts)
        promised = record.commitment, record.salts
        if record.commitment and dice and _promise(dice) != promised:
            fail(record.numbers["commitment"], "commitment_broken")
        if isinstance(dice, FairDice):
            at_table = record.options.dice == "table"
            dice = FairDice(dice.seed, dice.salts, len(record.drawn) if at_table else drawn)
        self._use(dice)


def _called_off() -> Refusal:
    return Refusal("", "game_called_off")


def _own_dice(dice: Dice) -> Dice:
    """Dice that no other game shares. Fair ones start at their first result, so that anybody can verify the record."""
    return FairDice(dice.seed, dice.salts) if isinstance(dice, FairDice) else dice.copy()


def _promise(dice: Dice) -> tuple[str, tuple[bytes, ...]] | None:
    return (dice.commitment, dice.salts) if isinstance(dice, FairDice) else None


def read_record(path: str | Path) -> str:
    """The text of a record's file."""
    return decode_record(Path(path).read_bytes())


def decode_record(data: bytes) -> str:
    """The text of a record from its bytes, with any line endings."""
    try:
        return io.TextIOWrapper(io.BytesIO(data), encoding="utf-8").read()
    except UnicodeDecodeError:
        fail(1, "record_not_text")
