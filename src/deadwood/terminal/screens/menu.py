"""The start menu (R13.1)."""

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.widgets import Label, OptionList, Static
from textual.widgets.option_list import Option

from ..key_line import KeyLine
from ..saved_games import saved_games
from ..wording import phrase
from .base import WordedScreen, is_on_top

TITLE = "\n".join(
    (
        "┳┓┏┓┏┓┳┓┓ ┏┏┓┏┓┳┓",
        "┃┃┣ ┣┫┃┃┃┃┃┃┃┃┃┃┃",
        "┻┛┗┛┛┗┻┛┗┻┛┗┛┗┛┻┛",
    )
)


class MenuScreen(WordedScreen[None]):
    """Quick game, new game, continue, tables on servers, saved games, rules, quit."""

    BINDINGS = [
        Binding("n", "pick('new')", "keys.new"),
        Binding("b", "pick('quick')", "keys.quick"),
        Binding("c", "pick('continue')", show=False),
        Binding("j", "pick('join')", "keys.join"),
        Binding("h", "pick('host')", show=False),
        Binding("s", "pick('saved')", "keys.saved"),
        Binding("r,R", "pick('rules')", "keys.rules"),
        Binding("q", "pick('quit')", "keys.quit"),
    ]

    def compose(self) -> ComposeResult:
        with Vertical(id="box"):
            yield Static(TITLE, id="title")
            yield Label(phrase("menu.motto"), id="motto")
            yield OptionList(id="menu")
        yield KeyLine()

    def on_screen_resume(self) -> None:
        """List what can be done now, because saved games come and go."""
        menu = self.query_one("#menu", OptionList)
        menu.clear_options()
        menu.add_options(Option(label, id=name) for name, label in self._offers())
        menu.highlighted = 0
        menu.focus()

    def _offers(self) -> list[tuple[str, str]]:
        games = saved_games()
        latest = ["continue"] if any(saved.can_continue for saved in games) else []
        names = (*latest, "quick", "new", "join", "host", "saved", "rules", "quit")
        return [(name, phrase(f"menu.{name}", n=len(games))) for name in names]

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        self.action_pick(str(event.option.id))

    def action_pick(self, name: str) -> None:
        """Do what a line of the menu says."""
        if is_on_top(self) and name in dict(self._offers()):
            getattr(self.app, f"start_{name}")()
