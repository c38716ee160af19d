"""The forms that lead to a served table: joining one, and hosting one."""

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.widgets import Button, Input, Label, Static

from ...client import server_address, table_address
from ...engine.refusal import DeadwoodError
from ..new_game import suggested_name
from ..seat_tokens import kept_tables
from ..sentences import clean, error_sentence
from ..settings import load_settings
from ..visit import Visit, host_table, usual_server
from ..wording import phrase
from .base import Dialog


class VisitForm(Dialog[Visit]):
    """A few lines to fill in; the answer is the table to go to."""

    BINDINGS = [Binding("escape", "back", "keys.back")]
    heading = ""

    def fields(self) -> ComposeResult:
        """The lines of the form."""
        raise NotImplementedError

    async def visit(self) -> Visit:
        """The table that was asked for; raises a DeadwoodError that says what is wrong."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog", can_focus=False):
            yield Label(phrase(self.heading), classes="heading")
            yield from self.fields()
            yield Static(id="problem", classes="problem", markup=False)
            yield Button(phrase("served.go"), variant="primary", id="go")
            yield Label(phrase("served.form_hint"), classes="hint")

    def on_mount(self) -> None:
        self._show_problem("")

    def value(self, name: str) -> str:
        """What was typed into a line."""
        return self.query_one(f"#{name}", Input).value.strip()

    @on(Input.Submitted)
    @on(Button.Pressed)
    def _entered(self) -> None:
        self._leave()

    @work(exclusive=True)
    async def _leave(self) -> None:
        try:
            self.answer(await self.visit())
        except (DeadwoodError, OSError) as error:
            self._show_problem(clean(error_sentence(error)))

    def _show_problem(self, problem: str) -> None:
        self.query_one("#problem", Static).update(problem)
        self.query_one("#problem").display = bool(problem)


class JoinForm(VisitForm):
    """Asks for a link or a code; the latest table is filled in, to come back to."""

    heading = "served.join_heading"

    def fields(self) -> ComposeResult:
        latest = next(kept_tables(), None)
        yield Label(phrase("served.link_label"))
        yield Input(f"{latest.server}/t/{latest.code}" if latest else "", id="table")
        yield Label(phrase("served.server_label"))
        yield Input(latest.server if latest else usual_server(), id="server")
        yield Label(phrase("served.name_label"))
        yield Input("", id="name")

    async def visit(self) -> Visit:
        return Visit(table_address(self.value("table"), self.value("server")), self.value("name") or None)


class HostForm(VisitForm):
    """Asks for a server and a name; everything else is chosen at the table."""

    heading = "served.host_heading"

    def fields(self) -> ComposeResult:
        yield Label(phrase("served.host_server_label"))
        yield Input(usual_server(), id="server")
        yield Label(phrase("served.host_name_label"))
        yield Input(suggested_name([], load_settings().name), id="name")

    async def visit(self) -> Visit:
        return await host_table(server_address(self.value("server")), self.value("name"))
