"""The app: menu, new game, table, replay. `run` starts it."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import App
from textual.binding import Binding
from textual.theme import Theme

from ..engine.game import Game
from ..engine.refusal import DeadwoodError, RecordError
from .new_game import NewGame, suggested_name
from .saved_games import latest_unfinished
from .screens.menu import MenuScreen
from .screens.new_game import NewGameScreen
from .screens.quick import QuickScreen
from .screens.replay import ReplayScreen
from .screens.rules import RulesScreen
from .screens.saved import SavedScreen
from .screens.table import TableScreen
from .sentences import error_sentence
from .session import Session
from .settings import Settings, load_settings

if TYPE_CHECKING:
    from .visit import Visit

BACKLOT_NIGHT = Theme(
    name="backlot-night",
    primary="#b5793a",
    secondary="#7a9a8a",
    accent="#e8b04a",
    foreground="#eadfce",
    background="#17120d",
    surface="#241c14",
    panel="#2e2419",
    warning="#e0a030",
    error="#e0624d",
    success="#7fae5b",
    dark=True,
)
BACKLOT_DAY = Theme(
    name="backlot-day",
    primary="#a9713a",
    secondary="#4f7a68",
    accent="#8a4b12",
    foreground="#2c2116",
    background="#f6ecd9",
    surface="#efe1c6",
    panel="#e6d4b3",
    warning="#a86a00",
    error="#b3341f",
    success="#4d7a2c",
    dark=False,
)


class DeadwoodApp(App[None]):
    """Deadwood in the terminal."""

    TITLE = "Deadwood"
    ENABLE_COMMAND_PALETTE = False
    CSS_PATH = "style.tcss"
    BINDINGS = [Binding("ctrl+q", "quit", "Quit", show=False, priority=True), Binding("ctrl+t", "light", show=False)]

    def __init__(
        self,
        session: Session | None = None,
        replay: Game | None = None,
        place: int = 0,
        pace: float | None = None,
        settings: Settings | None = None,
        visit: "Visit | None" = None,
    ) -> None:
        super().__init__()
        self.settings = settings or Settings()
        self._visit = visit
        self._session = session
        self._replay = replay
        self._place = place
        self._pace = self.settings.speed if pace is None else pace

    def on_mount(self) -> None:
        for theme in (BACKLOT_NIGHT, BACKLOT_DAY):
            self.register_theme(theme)
        self.theme = f"backlot-{self.settings.theme}"
        self.push_screen(MenuScreen())
        if self._session is not None:
            self._play(self._session)
        elif self._visit is not None:
            self._go_to(self._visit)
        elif self._replay is not None:
            self.push_screen(ReplayScreen(self._replay, self._place))

    def action_light(self) -> None:
        """Switch between the light and the dark theme."""
        self.theme = BACKLOT_DAY.name if self.theme == BACKLOT_NIGHT.name else BACKLOT_NIGHT.name

    def start_new(self) -> None:
        """Ask for a new game and play it."""
        self.push_screen(NewGameScreen(self.settings.name), self._begin)

    def start_quick(self) -> None:
        """Ask for the opponents, and play at once."""
        self.push_screen(QuickScreen(suggested_name((), self.settings.name), self.settings.bots), self._begin)

    def start_continue(self) -> None:
        """Continue the latest game."""
        if (file := latest_unfinished()) is not None:
            self._resume(file)

    def start_saved(self) -> None:
        """Choose a saved game."""
        self.push_screen(SavedScreen(), self._chosen)

    def start_join(self) -> None:
        """Join a table on a server."""
        from .screens.visiting import JoinForm  # noqa: PLC0415 - the client of the server takes its time

        self.push_screen(JoinForm(), self._go_to)

    def start_host(self) -> None:
        """Open a table on a server."""
        from .screens.visiting import HostForm  # noqa: PLC0415

        self.push_screen(HostForm(), self._go_to)

    def start_rules(self) -> None:
        """Read the rules."""
        self.push_screen(RulesScreen())

    def start_quit(self) -> None:
        """Leave."""
        self.exit()

    def _begin(self, chosen: NewGame | None) -> None:
        if chosen is not None:
            self._try(lambda: self._play(Session.begin(chosen)))

    def _chosen(self, chosen: tuple[str, Path] | None) -> None:
        match chosen:
            case ("play", file):
                self._resume(file)
            case ("replay", file):
                self._try(lambda: self._watch(Game.load(file)), file)

    def _resume(self, file: Path) -> None:
        self._try(lambda: self._play(Session.resume(file)), file)

    def _play(self, session: Session) -> None:
        def finished(wanted: str | None) -> None:
            match wanted:
                case "again":
                    self._try(lambda: self._play(session.again()))
                case "replay":
                    self._watch(session.game)

        self.push_screen(TableScreen(session, self._pace), finished)

    def _go_to(self, visit: "Visit | None") -> None:
        if visit is None:
            return
        from .screens.served import ServedScreen  # noqa: PLC0415

        table = ServedScreen(visit, self._pace)

        def finished(wanted: str | None) -> None:
            if wanted == "replay" and table.replayed is not None:
                self._watch(table.replayed)

        self.push_screen(table, finished)

    def _watch(self, game: Game) -> None:
        self.push_screen(ReplayScreen(game))

    def _try(self, action: Callable[[], None], file: Path | None = None) -> None:
        """Do something; if it fails, show the error and the file, and go on."""
        try:
            action()
        except RecordError as error:
            name = f"{file.name}: " if file else ""
            self.notify(f"{name}{error_sentence(error)}", severity="error", markup=False)
        except (DeadwoodError, OSError) as error:
            self.notify(error_sentence(error), severity="error", markup=False)


def run(
    session: Session | None = None, replay: Game | None = None, place: int = 0, visit: "Visit | None" = None
) -> None:
    """Start the app: at the menu, at a game, at a replay from the action with that number, or at a served table."""
    DeadwoodApp(session, replay, place, settings=load_settings(), visit=visit).run()
