"""A record as states and events, a part at a time."""

from collections.abc import Iterator
from functools import lru_cache

from ...engine.events import Event
from ...engine.floor_plan import floor_plan
from ...engine.game import Game
from ...engine.notation import format_action
from ...engine.rules import open_table
from ...engine.scoring import leaders, scores
from ...engine.state import State
from ...engine.table import Table, is_custom_board, is_custom_deck
from ...finale import finale
from ...narration import narrate, translated_deck, translated_event
from ..protocol.answers import OwnBoard, Replay, ReplayStep
from ..tables.catalogue import board_view

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
        deck=translated_deck(table.deck, language) if is_custom_deck(table.deck) else None,
        board=_own_board(table, language),
        called_off=game.called_off,
        finale=finale(game.state, game.events) if game.over and not game.called_off and following >= total else None,
    )


def _own_board(table: Table, language: str) -> OwnBoard | None:
    if not is_custom_board(table.board):
        return None
    return OwnBoard(board=board_view(table.board, language), plan=floor_plan(table.layout, table.board))


@lru_cache(maxsize=4)  # clients ask for one part after another
def _replayed(record: str) -> tuple[Game, tuple[State, ...]]:
    game = Game.from_record(record)
    return game, tuple(game.states())


def _steps(game: Game, states: tuple[State, ...], first: int, language: str) -> Iterator[ReplayStep]:
    steps = game.steps
    for number, state in enumerate(states, first):
        if number == 0:
            _, events = open_table(state.table)
            yield _step(0, None, None, None, events, state, language)
            continue
        step = steps[number - 1]
        player, action = state.table.names[step.seat], format_action(step.action)
        yield _step(number, player, action, step.by, step.events, state, language)


def _step(
    number: int,
    player: str | None,
    action: str | None,
    by: str | None,
    events: tuple[Event, ...],
    state: State,
    language: str,
) -> ReplayStep:
    return ReplayStep(
        number=number,
        player=player,
        action=action,
        by=by,
        events=tuple(translated_event(event, language) for event in events),
        sentences=tuple(narrate(event, language) for event in events),
        state=state.snapshot(),
        scores=scores(state),
        leaders=leaders(state),
    )
