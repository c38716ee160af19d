"""Small questions over a screen: a line of text, or one item of a list; and links to pass on."""

from collections.abc import Sequence

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Input, Label, OptionList, Static
from textual.widgets.option_list import Option

from ..wording import phrase
from .base import Dialog
from .dialogs import Popup


class LineDialog(Dialog[str]):
    """Asks for a line of text; None if it is cancelled."""

    BINDINGS = [Binding("escape", "back", "keys.back")]

    def __init__(self, heading: str, value: str = "") -> None:
        super().__init__()
        self._heading = heading
        self._value = value

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog", can_focus=False):
            yield Label(self._heading, classes="heading", markup=False)
            yield Input(self._value, id="line")
            yield Label(phrase("dialogs.enter"), classes="hint")

    @on(Input.Submitted)
    def _entered(self, event: Input.Submitted) -> None:
        self.answer(event.value.strip() or None)


class ListDialog(Dialog[int]):
    """A list to choose from; the answer is the number of an item, from 0."""

    BINDINGS = [Binding("escape", "back", "keys.back")]

    def __init__(self, heading: str, things: Sequence[str], lines: Sequence[str] = (), chosen: int = 0) -> None:
        super().__init__()
        self._heading = heading
        self._things = things
        self._lines = lines
        self._chosen = chosen

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog wide-dialog"):
            yield Label(self._heading, classes="heading", markup=False)
            for line in self._lines:
                yield Static(Text(line), classes="text")
            yield OptionList(*(Option(Text(thing)) for thing in self._things), id="things")
            yield Label(phrase("hosting.hint"), classes="hint")

    def on_mount(self) -> None:
        things = self.query_one(OptionList)
        things.display = bool(self._things)
        if self._things:
            things.highlighted = min(self._chosen, len(self._things) - 1)
            things.focus()

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        self.answer(event.option_index)


class LinkPopup(Popup):
    """A link to pass on, also copied to the clipboard if the terminal allows it."""

    def __init__(self, heading: str, explanation: str, link: str, command: str = "") -> None:
        super().__init__(heading, wide=True)
        self._explanation = explanation
        self._link = link
        self._command = command

    def contents(self) -> ComposeResult:
        yield Static(Text(self._explanation), classes="text")
        yield Static(Text(f"\n{self._command}{self._link}\n", "bold"), classes="text", id="link")
        yield Static(Text(phrase("absence.copied")), classes="text")

    def on_mount(self) -> None:
        super().on_mount()
        self.app.copy_to_clipboard(self._link)
