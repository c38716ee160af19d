"""Before a game at a served table: where it is, who is there, and who is ready."""

from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Button, Label, Select, Static

from ... import bots
from ...client import ServedTable
from ...engine.refusal import DeadwoodError
from ..sentences import clean, error_sentence
from ..served_views import chair_lines, invitation_lines
from ..talking import Speaker
from ..visit import Visit
from ..wording import phrase
from .base import Dialog
from .sending import ask, send
from .table_menu import TableMenu
from .table_options import TableOptions


class LobbyScreen(Dialog[str]):
    """The lobby; it closes by itself when the game starts. The answer is `menu` to leave, or None."""

    BINDINGS = [
        Binding("escape", "go", "keys.menu"),
        Binding("r", "ready", "keys.ready"),
        Binding("s", "start", "keys.start"),
        Binding("b", "bot", "keys.bot"),
        Binding("t", "talk", "keys.talk"),
        Binding("o", "options", "keys.options"),
        Binding("v", "more", "keys.more"),
    ]

    def __init__(self, table: ServedTable, visit: Visit, speaker: Speaker) -> None:
        super().__init__()
        self._table = table
        self._visit = visit
        self._speaker = speaker
        self._said: list[str] = []
        self._styles: dict[str, str] = {}  # by bot of the server, how it plays

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog wide-dialog", can_focus=False):
            yield Label(phrase("served.heading", code=self._table.code), classes="heading", markup=False)
            yield Static(Text("\n".join(invitation_lines(self._table, self._visit.link))), classes="text")
            yield Static(id="chairs", classes="text")
            yield Static(id="said", classes="text")
            yield Static(id="problem", classes="problem", markup=False)
            with Horizontal(classes="buttons"):
                yield Button(phrase("served.ready_button"), id="ready", variant="primary")
                yield Button(phrase("served.start_button"), id="start")
                yield Button(phrase("served.leave_button"), id="leave")
            with Horizontal(classes="buttons"):
                kinds = [(name, name) for name in bots.names()]
                yield Select(kinds, value=bots.USUAL_BOT, allow_blank=False, id="kind")
                yield Button(phrase("served.bot_button"), id="bot")
            yield Static(id="style", classes="text", markup=False)
            yield Label(phrase("served.lobby_hint"), classes="hint")

    def on_mount(self) -> None:
        self.refresh_table()
        self._show_problem("")
        self.query_one("#ready", Button).focus()
        self._load_bots()

    @work
    async def _load_bots(self) -> None:
        """Offer the server's bots; until it answers, the bots that we know."""
        with suppress(DeadwoodError, OSError):
            offered = (await self._table.offers()).bots
            self._styles = {bot.name: bot.style for bot in offered}
            kinds = self.query_one("#kind", Select)
            chosen = kinds.value
            kinds.set_options((name, name) for name in self._styles)
            kinds.value = chosen if chosen in self._styles else offered[0].name
            self._explain_bot()

    @on(Select.Changed, "#kind")
    def _explain_bot(self) -> None:
        """Say how the chosen bot plays."""
        style = self._styles.get(str(self.query_one("#kind", Select).value), "")
        self.query_one("#style", Static).update(clean(style))

    def add_lines(self, lines: list[str]) -> None:
        """What happened or was said; the latest few are shown."""
        self._said = [*self._said, *lines][-6:]

    def refresh_table(self) -> None:
        """Show who is there; close once there is nothing more to wait for."""
        if not self.query("#chairs"):
            return  # not composed yet
        if self._table.status == "ended" or self._table.view.status != "waiting":
            self.answer(None)
            return
        lost = [phrase("served.lost")] if self._table.status != "open" else []
        watching = [] if self._table.held else [phrase("served.watch")]
        lines = [*chair_lines(self._table), *watching, *lost]
        self.query_one("#chairs", Static).update(Text(clean("\n".join(lines))))
        self.query_one("#said", Static).update(Text(clean("\n".join(self._said)), "dim"))
        self.query_one("#said").display = bool(self._said)
        hosts = self._table.view.host in self._table.held
        for name in ("start", "bot", "kind", "style"):
            self.query_one(f"#{name}").display = hosts
        for name in ("ready", "leave"):
            self.query_one(f"#{name}").display = bool(self._table.held)
        label = "served.not_ready_button" if self._all_ready() else "served.ready_button"
        self.query_one("#ready", Button).label = phrase(label)

    def _all_ready(self) -> bool:
        return all(chair.ready for chair in self._table.own_chairs)

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        getattr(self, f"action_{event.button.id}")()

    def _send(self, doing: Coroutine[Any, Any, object]) -> None:
        """Send a command; a refusal is shown in the lobby, where nothing covers it."""
        self._show_problem("")
        send(self, doing, self._show_problem)

    def _show_problem(self, problem: str) -> None:
        if self.query("#problem"):
            self.query_one("#problem", Static).update(problem)
            self.query_one("#problem").display = bool(problem)

    def action_ready(self) -> None:
        """Say that we are ready, or not after all."""
        ready = not self._all_ready()
        for chair in self._table.own_chairs:
            if chair.ready != ready:
                self._send(self._table.ready(chair.id, ready))

    def action_start(self) -> None:
        """Start the game."""
        self._send(self._table.start())

    def action_bot(self) -> None:
        """Add the chosen bot."""
        self._send(self._table.add_bot(str(self.query_one("#kind", Select).value)))

    def action_leave(self) -> None:
        """Give up our seats."""
        for chair in self._table.held:
            self._send(self._table.leave(chair))

    def action_talk(self) -> None:
        """Say something."""
        ask(self, self._menu.talk)

    def action_options(self) -> None:
        """Show what is chosen; the host changes it."""
        ask(self, self._show_options)

    def action_more(self) -> None:
        """Invitations, people to remove, handovers, reactions."""
        ask(self, self._menu.show)

    @property
    def _menu(self) -> TableMenu:
        return TableMenu(self, self._table, self._visit, self._speaker)

    async def _show_options(self) -> None:
        try:
            await TableOptions(self, self._table).show()
        except (DeadwoodError, OSError) as error:
            self._show_problem(clean(error_sentence(error)))

    def on_screen_resume(self) -> None:
        self.refresh_table()  # the game may have started meanwhile

    def action_go(self) -> None:
        """Go to the menu; our seats stay ours."""
        self.answer("menu")
