"""Replaying a record, with every line checked against the rules."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from itertools import pairwise
from typing import TypeVar

from msgspec import Struct

from . import rules
from .actions import Action, Move
from .board import Board, format_board, parse_board
from .chance import OutcomeKind, ScriptedDice, ScriptEnded
from .deck import Deck, format_deck, parse_deck
from .events import Events, OutcomeCorrected
from .layout import stored_layout
from .notation import format_outcome, parse_outcome
from .record import CALLED_OFF, Attachment, FinalScores, Record, RecordLine, fail, format_result
from .refusal import CorrectionError, DataError, OutcomeError, RecordError, Refusal, Refused, shortened
from .scoring import standings
from .seats import Seat, check_names, check_seats, find_name, usual_seats
from .state import State
from .table import (
    Table,
    board_name,
    choose_board,
    choose_deck,
    deck_name,
    is_custom_board,
    is_custom_deck,
    make_table,
)

T = TypeVar("T")


def table_of(record: Record, board: Board | None, deck: Deck | None) -> Table:
    """The table that a record was played at: with the board and deck given, else those attached or built in."""
    board = choose_board(_attached(record, "board", parse_board) if board is None else board)
    options, numbers = record.options, record.numbers
    with at_line(numbers["players"]):
        names = check_names(record.players, kept=True)
    first = find_name(options.first, names)
    if first is None:
        fail(numbers["first"], "record_first", name=shortened(options.first), choices=names)
    with at_line(numbers["options"]):
        if board_name(board) != record.board:
            fail(numbers["options"], "record_board", recorded=record.board, given=board_name(board))
        chosen = _recorded_deck(record, deck)
        layout = stored_layout(options.layout, board)
        drawn = record.drawn
        return make_table(names, options, board=board, deck=chosen, layout=layout, first=first, drawn=drawn)


def own_files(table: Table) -> dict[str, Attachment]:
    """The custom deck and board of a table, as a record attaches them; one that breaks the limits is not attached."""
    texts: dict[str, str] = {}
    if is_custom_deck(table.deck):
        texts["deck"] = format_deck(table.deck)
    if is_custom_board(table.board):
        texts["board"] = format_board(table.board)
    parsers = {"deck": parse_deck, "board": parse_board}
    return {name: Attachment(0, text) for name, text in texts.items() if _is_parsed(parsers[name], text)}


@lru_cache(maxsize=16)
def _is_parsed(parse: Callable[[str], object], text: str) -> bool:
    try:
        parse(text)
    except DataError:
        return False
    return True


def seats_of(record: Record) -> tuple[Seat, ...]:
    """The recorded seats, or people in the usual colours if the record names none."""
    if record.seats is None:
        return usual_seats(len(record.players))
    with at_line(record.numbers["seats"]):
        return check_seats(record.seats, len(record.players))


class Replayed(Struct, frozen=True):
    """The state after a line, its events, and how many random results it used."""

    after: State
    events: Events
    results: int


def replay_line(state: State, line: RecordLine) -> Replayed:
    """Play a line of a record, and check what it corrects."""
    if state.over:
        fail(line.number, "record_after_the_end")
    names = state.table.names
    if find_name(line.player, names) != state.active:
        fail(line.number, "record_wrong_player", player=shortened(line.player), expected=names[state.active])
    with at_line(line.number):
        after, events, results = _replay_outcome(state, line, line.outcome)
        if line.corrected:
            earlier = tuple(format_outcome(_replay_outcome(state, line, one)[1]) for one in line.corrected)
            _check_corrections(state, (*earlier, format_outcome(events)))
            events = corrected(state, line.action, events, earlier)
        return Replayed(after, events, results)


def _replay_outcome(state: State, line: RecordLine, outcome: str) -> tuple[State, Events, int]:
    results = parse_outcome(outcome, line.action, state) if outcome else []
    try:
        return *apply_exactly(state, line.action, ScriptedDice(results)), len(results)
    except ScriptEnded:
        fail(line.number, "record_outcome_missing", text=shortened(outcome))


def _check_corrections(state: State, outcomes: tuple[str, ...]) -> None:
    if state.table.options.dice == "fair":
        raise CorrectionError(Refusal("R12.7", "correct_fair"))
    for was, outcome in pairwise(outcomes):
        check_changed(was, outcome)


def check_changed(was: str, outcome: str) -> None:
    """Refuse a correction that corrects nothing."""
    if was == outcome:
        raise OutcomeError(Refusal("R12.7", "outcome_unchanged", {"outcome": outcome}))


def corrected(state: State, action: Action, events: Events, earlier: tuple[str, ...]) -> Events:
    """The events of an action whose outcome was corrected (R12.7); `earlier` lists the outcomes entered before."""
    kind: OutcomeKind = "card" if isinstance(action, Move) else "dice"
    player = state.table.names[state.active]
    return (OutcomeCorrected(player, kind, format_outcome(events), earlier[-1], earlier), *events)


def apply_exactly(state: State, action: Action, dice: ScriptedDice) -> tuple[State, Events]:
    """Apply an action with given results; all of them must be needed."""
    after, events = rules.apply(state, action, dice)
    if dice.left:
        raise OutcomeError(Refusal("R12.7", "outcome_too_long", {"count": len(dice.left)}))
    return after, events


def check_result(record: Record, state: State) -> None:
    """Raise a RecordError unless a finished game closes with its result, and an unfinished one with none."""
    result = result_of(state)
    if record.result != result or (record.called_off and state.over):
        key = "record_result_early" if result is None else "record_result_wrong"
        read = format_result(record.result) if record.result else CALLED_OFF if record.called_off else None
        fail(record.numbers["end"], key, expected=format_result(result or ()), read=read)


def result_of(state: State) -> FinalScores | None:
    """The names and scores that close a record; None while the game is running."""
    return tuple((line.name, line.score) for line in standings(state)) if state.over else None


@contextmanager
def at_line(number: int) -> Iterator[None]:
    """Turn any refusal inside into a RecordError with that line."""
    try:
        yield
    except RecordError:
        raise
    except Refused as error:
        raise RecordError(number, error.refusal) from error


def _attached(record: Record, name: str, parse: Callable[[str, str], T]) -> T | None:
    attachment = record.attached.get(name)
    if attachment is None:
        return None
    try:
        return parse(attachment.text, "")
    except DataError as error:
        fail(attachment.number + (error.line or 0), "record_attached_wrong", attached=name, problem=error.parts)


def _recorded_deck(record: Record, deck: Deck | None) -> Deck:
    deck = _attached(record, "deck", parse_deck) if deck is None else deck
    if deck is None and record.options.deck.startswith("custom:"):
        fail(record.numbers["options"], "record_deck", recorded=record.options.deck, given=None)
    chosen = choose_deck(record.options, deck)
    if deck_name(chosen) != record.options.deck:
        fail(record.numbers["options"], "record_deck", recorded=record.options.deck, given=deck_name(chosen))
    return chosen
