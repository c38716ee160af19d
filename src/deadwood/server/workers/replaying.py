"""A record as snapshots and events, a part at a time."""

from collections.abc import Iterator
from itertools import islice

from ...engine.game import Game
from ...engine.notation import format_action
from ...engine.rules import open_table
from ...engine.state import State
from ...narration import narrate
from ..protocol.messages import Replay, ReplayStep

MOST_STEPS = 200


def replay(record: str, first: int, limit: int, language: str) -> Replay:
    """So many steps of a record's text from one on; a RecordError tells what is wrong with it."""
    game = Game.from_record(record)
    table = game.state.table
    total = len(game.steps) + 1
    following = first + limit
    return Replay(
        names=table.names,
        seats=game.seats,
        options=table.options,
        drawn=table.drawn,
        total=total,
        steps=tuple(_steps(game, first, limit, language)),
        next=following if following < total else None,
    )


def _steps(game: Game, first: int, limit: int, language: str) -> Iterator[ReplayStep]:
    steps = game.steps
    for number, state in islice(enumerate(game.states()), first, first + limit):
        if number == 0:
            yield _opening(state, language)
            continue
        step = steps[number - 1]
        yield ReplayStep(
            number=number,
            player=state.table.names[step.seat],
            action=format_action(step.action),
            events=step.events,
            told=tuple(narrate(event, language) for event in step.events),
            state=state.snapshot(),
        )


def _opening(state: State, language: str) -> ReplayStep:
    _, events = open_table(state.table)
    told = tuple(narrate(event, language) for event in events)
    return ReplayStep(number=0, player=None, action=None, events=events, told=told, state=state.snapshot())
