"""What people see of a served table beside the game: who is there, what is said, how it ended."""

from collections.abc import Iterator

from ..client import ServedTable
from ..engine.seats import Seat
from ..server.protocol.messages import Hints
from ..server.protocol.talk import TalkLine
from ..server.protocol.views import ChairView, TableView
from .views import standing_lines
from .wording import phrase


def seats_of(view: TableView) -> tuple[Seat, ...]:
    """Colours and bots, as the engine knows them."""
    return tuple(Seat(chair.colour, chair.bot) for chair in view.chairs)


def chair_lines(table: ServedTable) -> Iterator[str]:
    """Everybody at the table before the game."""
    for chair in table.view.chairs:
        yield f"  {chair.name}: {', '.join(_said_of(table, chair))}"


def _said_of(table: ServedTable, chair: ChairView) -> Iterator[str]:
    if chair.bot is not None:
        yield phrase("served.bot", bot=chair.bot)
    if chair.bot is not None and not chair.remote:
        return
    if chair.id in table.held:
        yield phrase("served.you")
    if chair.id == table.view.host:
        yield phrase("served.host")
    yield phrase("served.ready" if chair.ready else "served.not_ready")
    if chair.id not in table.present:
        yield phrase("served.away")


def talk_line(line: TalkLine) -> str:
    """What somebody said."""
    who = line.name if line.chair is not None else phrase("served.watching", player=line.name)
    return f"{who}: {line.text if line.reaction is None else phrase(f'served.reaction_{line.reaction}')}"


def served_hint_lines(hints: Hints) -> Iterator[str]:
    """What the server's strongest bot thinks."""
    yield f"What the bot '{hints.bot}' thinks, the best first:"
    for one in hints.advice:
        yield f"  {one.action:22}{one.reason}"


def served_ending_lines(view: TableView) -> Iterator[str]:
    """The final standings, or why there are none."""
    if view.called_off:
        yield phrase("served.called_off")
    else:
        yield from standing_lines(view.standings)
