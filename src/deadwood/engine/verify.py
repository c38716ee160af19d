"""Checking a record: its actions, its result, and that all its dice came from its seed."""

from collections.abc import Iterator
from typing import Any, Literal

from msgspec import Struct

from . import rules
from .actions import Action
from .board import Board
from .chance import FairDice, commitment
from .deck import Deck
from .layout import RANDOM_PLACEMENTS, random_layout
from .notation import format_outcome, parse_outcome
from .record import Record, parse_record
from .refusal import IllegalAction, OutcomeError, RecordError
from .replay import check_result, replay_line, seats_of, table_of
from .state import State

Verdict = Literal["passed", "failed", "unknown"]


class Check(Struct, frozen=True):
    """One thing that was checked, or could not be checked."""

    verdict: Verdict
    key: str
    values: dict[str, Any] = {}


def verify(text: str, *, board: Board | None = None, deck: Deck | None = None) -> tuple[Check, ...]:
    """All checks of a record. Raises RecordError if it cannot be parsed."""
    record = parse_record(text)
    seats_of(record)
    opening, _ = rules.open_table(table_of(record, board, deck))
    return *_rules_checks(record, opening), *_commitment_checks(record), *_chance_checks(record, opening)


def _rules_checks(record: Record, state: State) -> Iterator[Check]:
    try:
        for line in record.lines:
            state = replay_line(state, line).after
        yield Check("passed", "rules_followed", {"actions": len(record.lines)})
    except RecordError as error:
        yield Check("failed", "rules_broken", {"line": error.line, "problem": error.refusal})
    else:
        yield _end_check(record, state)


def _end_check(record: Record, state: State) -> Check:
    try:
        check_result(record, state)
    except RecordError as error:
        return Check("failed", "result_broken", {"line": error.line, "problem": error.refusal})
    if record.called_off:
        return Check("passed", "called_off")
    return Check("passed", "result_right") if state.over else Check("unknown", "unfinished")


def _commitment_checks(record: Record) -> Iterator[Check]:
    if record.options.dice == "table" and not record.drawn:
        return  # nothing was drawn from a seed
    if record.commitment is None:
        yield Check("unknown", "commitment_missing")
    elif record.seed is None:
        yield Check("unknown", "seed_missing")
    else:
        kept = commitment(record.seed) == record.commitment
        yield Check("passed", "seed_kept") if kept else Check("failed", "seed_changed")


def _chance_checks(record: Record, opening: State) -> Iterator[Check]:
    dice = None if record.seed is None else FairDice(record.seed, record.salts)
    if dice is not None and record.drawn:
        yield _draws_check(record, opening, dice)
    if record.options.dice == "table":
        yield Check("unknown", "dice_at_table")
    elif dice is None:
        yield Check("unknown", "dice_without_seed")
    else:
        yield from _dice_checks(record, opening, dice)


def _draws_check(record: Record, opening: State, dice: FairDice) -> Check:
    """Redraw the first player and the layout."""
    table = opening.table
    right = True
    if "first" in record.drawn:
        right = dice.pick(len(table.names)) == table.first
    if "layout" in record.drawn:
        right = random_layout(dice.pick(RANDOM_PLACEMENTS), table.board).text == table.layout.text and right
    return Check("passed" if right else "failed", "draws_right" if right else "draws_wrong", {"drawn": record.drawn})


def _dice_checks(record: Record, state: State, dice: FairDice) -> Iterator[Check]:
    """Replay all actions with the dice of the seed, up to the first that differs or breaks a rule."""
    for line in record.lines:
        before = state
        try:
            state, events = rules.apply(before, line.action, dice)
        except IllegalAction:
            return
        computed = format_outcome(events)
        if _results(line.outcome, line.action, before) != _results(computed, line.action, before):
            values = {"line": line.number, "recorded": line.outcome, "computed": computed}
            yield Check("failed", "dice_wrong", values)
            return
    yield Check("passed", "dice_right", {"results": dice.drawn - len(record.drawn)})


def _results(outcome: str, action: Action, state: State) -> list[int] | None:
    """What an outcome means, however it is spelled, with the bonus dice sorted; None if it means nothing here."""
    if not outcome:
        return []
    try:
        first, *bonus = parse_outcome(outcome, action, state)
    except OutcomeError:
        return None
    return [first, *sorted(bonus)]
