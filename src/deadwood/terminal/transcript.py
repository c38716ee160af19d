"""A recorded game as text, turn by turn."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from ..engine.events import DayStarted, Event, TurnEnded
from ..engine.game import Game
from ..narration import narrate
from .views import ending_lines


class Turn(Struct, frozen=True):
    """One turn of one player; turns are counted from 1 through the whole game."""

    number: int
    day: int
    player: str
    events: tuple[Event, ...]
    steps: int


def turns(game: Game) -> list[Turn]:
    """All turns so far; the last one may be unfinished."""
    found: list[Turn] = []
    day, events, done = 1, list[Event](), 0
    for number, step in enumerate(game.steps, 1):
        events.extend(step.events)
        if number == len(game.steps) or _any(TurnEnded, step.events):
            name = game.state.table.names[step.seat]
            found.append(Turn(len(found) + 1, day, name, tuple(events), number - done))
            day += _any(DayStarted, events)
            done = number
            events.clear()
    return found


def transcript(game: Game, first: int = 1) -> Iterator[str]:
    """The game from a turn on, with a heading for every day and turn."""
    played = turns(game)
    if first == 1:
        in_turns = sum(len(turn.events) for turn in played)
        yield from _sentences(game.events[: len(game.events) - in_turns])
    else:
        yield f"Day {played[first - 1].day} of {game.state.table.days}"
    for turn in played[first - 1 :]:
        yield f"\nTurn {turn.number}, {turn.player}"
        yield from _sentences(turn.events)
    yield ""
    yield from _ending(game)


def _sentences(events: Iterable[Event]) -> Iterator[str]:
    for event in events:
        if isinstance(event, DayStarted):
            yield f"\nDay {event.day} of {event.days}"
        yield narrate(event)


def _ending(game: Game) -> Iterator[str]:
    if game.over:
        yield from ending_lines(game)
    else:
        yield f"The game is not over yet: it is {game.state.table.names[game.state.active]}'s turn."


def _any(kind: type[Event], events: Iterable[Event]) -> bool:
    return any(isinstance(event, kind) for event in events)
