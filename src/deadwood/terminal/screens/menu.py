"""The start menu (R13.1)."""

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import Screen
from textual.widgets import Footer, Label, OptionList, Static
from textual.widgets.option_list import Option

from ..saved_games import saved_games
from .dialogs import is_on_top

TITLE = "\n".join(
    (
        "┳┓┏┓┏┓┳┓┓ ┏┏┓┏┓┳┓",
        "┃┃┣ ┣┫┃┃┃┃┃┃┃┃┃┃┃",
        "┻┛┗┛┛┗┻┛┗┻┛┗┛┗┛┻┛",
    )
)


class MenuScreen(Screen[None]):
    """New game, continue, tables on servers, saved games, rules, quit."""

    BINDINGS = [
        Binding("n", "pick('new')", "New game"),
        Binding("c", "pick('continue')", "Continue", show=False),
        Binding("j", "pick('join')", "Join a table"),
        Binding("h", "pick('host')", "Host a table", show=False),
        Binding("s", "pick('saved')", "Saved games"),
        Binding("r,R", "pick('rules')", "Rules"),
        Binding("q", "pick('quit')", "Quit"),
    ]

    def compose(self) -> ComposeResult:
        with Vertical(id="box"):
            yield Static(TITLE, id="title")
            yield Label("bad westerns, worse acting", id="motto")
            yield OptionList(id="menu")
        yield Footer(show_command_palette=False)

    def on_screen_resume(self) -> None:
        """List what can be done now: games come and go."""
        menu = self.query_one("#menu", OptionList)
        menu.clear_options()
        menu.add_options(Option(label, id=name) for name, label in self._offers())
        menu.highlighted = 0
        menu.focus()

    def _offers(self) -> list[tuple[str, str]]:
        games = saved_games()
        latest = [("continue", "Continue")] if any(saved.can_continue for saved in games) else []
        saved = ("saved", f"Saved games and replays ({len(games)})")
        served = [("join", "Join a table"), ("host", "Host a table")]
        return [*latest, ("new", "New game"), *served, saved, ("rules", "Rules"), ("quit", "Quit")]

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        self.action_pick(str(event.option.id))

    def action_pick(self, name: str) -> None:
        """Do what an entry of the menu says."""
        if is_on_top(self) and name in dict(self._offers()):
            getattr(self.app, f"start_{name}")()
