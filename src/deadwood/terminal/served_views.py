"""What people see of a served table besides the game: who is there, what is said, how it ended."""

from collections.abc import Iterator

from ..client import ServedTable
from ..client.addresses import is_own
from ..engine.legality import legal_actions
from ..engine.notation import format_action, parse_action
from ..engine.seats import Seat
from ..engine.state import State
from ..server.protocol.messages import Hints
from ..server.protocol.talk import TalkLine
from ..server.protocol.views import ChairView, TableView
from .choices import label_of
from .views import advice_lines, standing_lines
from .wording import phrase


def seats_of(view: TableView) -> tuple[Seat, ...]:
    """Colours and bots, as the engine knows them."""
    return tuple(Seat(chair.colour, chair.bot) for chair in view.chairs)


def invitation_lines(table: ServedTable, link: str) -> Iterator[str]:
    """The link for friends: the one that led us here or, if that only works on this computer, the server's own."""
    best = table.view.link if is_own(link) else link
    yield phrase("served.friends", link=best)
    if is_own(best):
        yield phrase("served.only_here")


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


def served_hint_lines(hints: Hints, state: State | None) -> Iterator[str]:
    """What the server's strongest bot thinks, in words; as notation if somebody has acted meanwhile."""
    thoughts = [(parse_action(one.action), one.reason) for one in hints.advice]
    known = state is not None and {action for action, _ in thoughts} == set(legal_actions(state))
    return advice_lines(
        hints.bot,
        [(label_of(state, action) if known and state else format_action(action), why) for action, why in thoughts],
    )


def served_ending_lines(view: TableView) -> Iterator[str]:
    """The final standings, or why there are none."""
    if view.called_off:
        yield phrase("served.called_off")
    else:
        yield from standing_lines(view.standings)
