"""What people see of a served table beside the game: who is there, what is said, how it ended."""

from collections.abc import Iterator

from ..client import ServedTable
from ..engine.seats import Seat
from ..server.protocol.messages import Hints
from ..server.protocol.talk import Reaction, TalkLine
from ..server.protocol.views import ChairView, TableView
from .views import standing_lines

REACTIONS: dict[Reaction, str] = {
    "hat": "Hats off!",
    "badge": "Well played!",
    "horseshoe": "Good luck!",
    "mug": "Cheers!",
    "bang": "Bang!",
    "cactus": "Ouch!",
    "tumbleweed": "Awkward silence …",
    "skull": "I'm done for!",
}
LOST = "The connection is lost. Trying again …"
BACK = "Connected again."


def seats_of(view: TableView) -> tuple[Seat, ...]:
    """Colours and bots, as the engine knows them."""
    return tuple(Seat(chair.colour, chair.bot) for chair in view.chairs)


def chair_lines(table: ServedTable) -> Iterator[str]:
    """Everybody at the table before the game."""
    for chair in table.view.chairs:
        yield f"  {chair.name}: {', '.join(_said_of(table, chair))}"


def _said_of(table: ServedTable, chair: ChairView) -> Iterator[str]:
    if chair.bot is not None:
        yield f"bot {chair.bot}"
    if chair.bot is not None and not chair.remote:
        return
    if chair.id in table.held:
        yield "you"
    if chair.id == table.view.host:
        yield "host"
    yield "ready" if chair.ready else "not ready"
    if chair.id not in table.present:
        yield "away"


def talk_line(line: TalkLine) -> str:
    """What somebody said."""
    watching = "" if line.chair is not None else " (watching)"
    return f"{line.name}{watching}: {line.text if line.reaction is None else REACTIONS[line.reaction]}"


def served_hint_lines(hints: Hints) -> Iterator[str]:
    """What the server's strongest bot thinks."""
    yield f"What the bot '{hints.bot}' thinks, the best first:"
    for one in hints.advice:
        yield f"  {one.action:22}{one.reason}"


def served_ending_lines(view: TableView) -> Iterator[str]:
    """The final standings, or why there are none."""
    if view.called_off:
        yield "This game was called off, so nobody has won."
    else:
        yield from standing_lines(view.standings)
