"""After a game at a served table: who has won, and how to go on."""

from ...client import ServedTable
from ...engine.scoring import winners
from ..served_views import served_ending_lines
from ..wording import phrase
from .dialogs import ChoiceDialog
from .playing import AFTERWARDS


def ending(table: ServedTable) -> ChoiceDialog[str]:
    """The final standings, and what to do next; only players may play again, or change something first."""
    first = winners(table.view.standings)
    heading = phrase("table.wins", players=first) if first else phrase("table.over")
    ways_on = AFTERWARDS if table.held else AFTERWARDS[1:]
    answers = [(phrase(f"table.{text}"), answer) for text, answer in ways_on]
    if table.held:
        answers.append((phrase("hosting.lobby"), "lobby"))
    return ChoiceDialog(heading, answers, [*served_ending_lines(table.view)], escape="menu")


async def go_on(table: ServedTable, wanted: str) -> None:
    """Another game with the same people, or the lobby first."""
    if wanted == "lobby":
        await table.rematch()
        return
    for chair in table.held:
        await table.agree(chair)
