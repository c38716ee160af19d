"""A record as states and events, a part at a time."""

from collections.abc import Iterator
from functools import lru_cache

from ...engine.events import Event
from ...engine.game import Game
from ...engine.notation import format_action
from ...engine.rules import open_table
from ...engine.scoring import scores
from ...engine.state import State
from ...narration import narrate
from ..protocol.messages import Replay, ReplayStep

MOST_STEPS = 200


def replay(record: str, first: int, limit: int, language: str) -> Replay:
    """Some steps of a record, or a RecordError that says what is wrong with it."""
    game, states = _replayed(record)
    table = game.state.table
    total = len(game.steps) + 1
    following = first + limit
    return Replay(
        names=table.names,
        seats=game.seats,
        options=table.options,
        drawn=table.drawn,
        total=total,
        steps=tuple(_steps(game, states[first : first + limit], first, language)),
        next=following if following < total else None,
    )


@lru_cache(maxsize=4)  # clients ask for one part after another
def _replayed(record: str) -> tuple[Game, tuple[State, ...]]:
    game = Game.from_record(record)
    return game, tuple(game.states())


def _steps(game: Game, states: tuple[State, ...], first: int, language: str) -> Iterator[ReplayStep]:
    steps = game.steps
    for number, state in enumerate(states, first):
        if number == 0:
            _, events = open_table(state.table)
            yield _step(0, None, None, events, state, language)
            continue
        step = steps[number - 1]
        player, action = state.table.names[step.seat], format_action(step.action)
        yield _step(number, player, action, step.events, state, language)


def _step(
    number: int, player: str | None, action: str | None, events: tuple[Event, ...], state: State, language: str
) -> ReplayStep:
    return ReplayStep(
        number=number,
        player=player,
        action=action,
        events=events,
        sentences=tuple(narrate(event, language) for event in events),
        state=state.snapshot(),
        scores=scores(state),
    )
