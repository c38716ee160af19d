"""Checking a record: its moves, its result, and that all its dice came from its seed."""

from collections.abc import Iterator
from typing import Any, Literal

from msgspec import Struct, structs

from . import rules
from .board import Board
from .chance import FairDice, commitment
from .deck import Deck
from .notation import format_outcome
from .options import RANDOM
from .record import Record, parse_record
from .replay import check_result, replay_line, seats_of, table_of
from .state import State

Verdict = Literal["passed", "failed", "unknown"]


class Check(Struct, frozen=True):
    """One thing that was checked, or could not be."""

    verdict: Verdict
    key: str
    values: dict[str, Any] = {}


def verify(text: str, *, board: Board | None = None, deck: Deck | None = None) -> tuple[Check, ...]:
    """What can be said of a record. Raises RecordError if it does not even follow the rules."""
    record = parse_record(text)
    seats_of(record)
    opening, _ = rules.open_table(table_of(record, board, deck))
    outcomes, last = _replayed(record, opening)
    check_result(record, last)
    followed = Check("passed", "rules_followed", {"actions": len(record.lines)})
    result = Check("passed", "result_right") if last.over else Check("unknown", "unfinished")
    return followed, result, _commitment_check(record), *_chance_checks(record, opening, outcomes)


def _replayed(record: Record, state: State) -> tuple[list[str], State]:
    outcomes = []
    for line in record.lines:
        state, events, _ = replay_line(state, line)
        outcomes.append(format_outcome(events))
    return outcomes, state


def _commitment_check(record: Record) -> Check:
    if record.commitment is None:
        return Check("unknown", "commitment_missing")
    if record.seed is None:
        return Check("unknown", "seed_missing")
    kept = commitment(record.seed) == record.commitment
    return Check("passed", "seed_kept") if kept else Check("failed", "seed_changed")


def _chance_checks(record: Record, opening: State, outcomes: list[str]) -> Iterator[Check]:
    if record.seed is None:
        yield Check("unknown", "dice_without_seed")
        return
    dice = FairDice(record.seed, record.salts)
    if record.drawn:
        yield _draws_check(record, opening, dice)
    if record.options.dice == "table":
        yield Check("unknown", "dice_at_table")
    else:
        yield _dice_check(record, opening, outcomes, dice)


def _draws_check(record: Record, opening: State, dice: FairDice) -> Check:
    """Draw the first player and the layout again."""
    table = opening.table
    drawing = structs.replace(table.options, **dict.fromkeys(record.drawn, RANDOM))
    again, _ = rules.start(table.names, drawing, dice, board=table.board, deck=table.deck)
    right = again.table.options == table.options
    return Check("passed" if right else "failed", "draws_right" if right else "draws_wrong", {"drawn": record.drawn})


def _dice_check(record: Record, state: State, outcomes: list[str], dice: FairDice) -> Check:
    """Play all actions again with the dice of the seed."""
    for line, recorded in zip(record.lines, outcomes, strict=True):
        state, events = rules.apply(state, line.action, dice)
        computed = format_outcome(events)
        if computed != recorded:
            values = {"line": line.number, "recorded": recorded, "computed": computed}
            return Check("failed", "dice_wrong", values)
    return Check("passed", "dice_right", {"results": dice.drawn})
