"""A recorded game as text, turn by turn."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from ..engine.events import DayStarted, Event, TurnEnded
from ..engine.game import Game
from .views import ending_lines
from .wording import phrase, sentence


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
        yield phrase("table.day", day=played[first - 1].day, days=game.state.table.days)
    for turn in played[first - 1 :]:
        yield "\n" + phrase("views.turn_heading", number=turn.number, player=turn.player)
        yield from _sentences(turn.events)
    yield ""
    yield from _ending(game)


def _sentences(events: Iterable[Event]) -> Iterator[str]:
    for event in events:
        if isinstance(event, DayStarted):
            yield "\n" + phrase("table.day", day=event.day, days=event.days)
        yield sentence(event)


def _ending(game: Game) -> Iterator[str]:
    if game.over:
        yield from ending_lines(game)
    else:
        yield phrase("views.not_over", player=game.state.table.names[game.state.active])


def _any(kind: type[Event], events: Iterable[Event]) -> bool:
    return any(isinstance(event, kind) for event in events)
