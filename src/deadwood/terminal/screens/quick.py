"""A quick game: how strong the bots are, and how many."""

from collections.abc import Sequence

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.widgets import Label, OptionList
from textual.widgets.option_list import Option

from ... import bots
from ...engine.options import PLAYERS
from ..key_line import KeyLine
from ..new_game import NewGame, quick_game
from ..summary import bot_text
from ..wording import phrase
from .base import Answering, is_on_top

USUAL_OPPONENTS = 2


class QuickScreen(Answering[NewGame]):
    """Lists the bots, from weak to strong; the answer is a game against the chosen number of one kind."""

    BINDINGS = [
        Binding("left", "count(-1)", "keys.fewer", priority=True),
        Binding("right", "count(1)", "keys.more", priority=True),
        Binding("escape,q", "back", "keys.back"),
    ]

    def __init__(self, person: str, usual: Sequence[str] = ()) -> None:
        """`usual` are the bots that the user usually plays against."""
        super().__init__()
        self._person = person
        self._bots = bots.names()
        self._usual = next((bot for bot in usual if bot in self._bots), bots.USUAL_BOT)
        self._opponents = min(len(usual) or USUAL_OPPONENTS, PLAYERS[-1] - 1)

    def compose(self) -> ComposeResult:
        with Vertical(id="box"):
            yield Label(id="heading")
            yield OptionList(*(Option(_explained(bot)) for bot in self._bots), id="bots", classes="panel")
        yield KeyLine()

    def on_mount(self) -> None:
        if is_on_top(self):
            offered = self.query_one("#bots", OptionList)
            offered.border_title = phrase("set_up.bots")
            offered.highlighted = self._bots.index(self._usual)
            offered.focus()
            self._show()

    def _show(self) -> None:
        heading = phrase("set_up.quick", player=self._person, n=self._opponents)
        self.query_one("#heading", Label).update(Text(heading))

    def action_count(self, change: int) -> None:
        """More or fewer opponents."""
        self._opponents = min(max(self._opponents + change, PLAYERS[0] - 1), PLAYERS[-1] - 1)
        self._show()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Enter, or a click."""
        self.answer(quick_game(self._person, self._bots[event.option_index], self._opponents))


def _explained(bot: str) -> Text:
    about = bot_text(bot)
    return Text(about.label, "bold").append(f"\n  {about.style}", "dim")
