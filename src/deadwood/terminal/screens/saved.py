"""Saved games and replays."""

from pathlib import Path
from textwrap import wrap

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from ...engine.refusal import DeadwoodError
from ..game_list import details, export, heading, matching
from ..key_line import KeyLine
from ..saved_games import Saved, lock, saved_games
from ..sentences import clean, error_sentence
from ..wording import phrase
from .base import Answering, is_on_top
from .dialogs import ChoiceDialog

INDENT = 18  # of what follows the day
FRAME = 6  # columns: borders, padding and a scrollbar


class SavedScreen(Answering[tuple[str, Path]]):
    """Lists saved games; answers with `play` or `replay` and a file."""

    BINDINGS = [
        Binding("r", "replay", "keys.replay"),
        Binding("slash", "filter", "keys.filter"),
        Binding("x", "export", "keys.export"),
        Binding("delete,backspace", "forget", "keys.delete"),
        Binding("escape,q", "back", "keys.back"),
    ]

    def compose(self) -> ComposeResult:
        yield Input(placeholder=phrase("saved.filter"), id="filter")
        yield OptionList(id="games", classes="panel")
        yield Static(phrase("saved.none"), id="empty")
        yield KeyLine()

    _games: list[Saved]

    def on_mount(self) -> None:
        if is_on_top(self):  # it may be closed before it was ever shown
            self._list()
            self.query_one("#games").focus()

    def _list(self) -> None:
        every = saved_games()
        self._games = matching(every, self.query_one("#filter", Input).value.split())
        games = self.query_one("#games", OptionList)
        games.border_title = phrase("saved.heading")
        games.clear_options()
        games.add_options(Option(_lines(saved, self.size.width - FRAME)) for saved in self._games)
        games.display = self.query_one("#filter").display = bool(every)
        self.query_one("#empty").display = not every
        if self._games:
            games.highlighted = 0

    def on_resize(self) -> None:
        """Wrap the lines again, and keep the cursor where it was."""
        if is_on_top(self) and self.is_mounted:
            games = self.query_one("#games", OptionList)
            highlighted = games.highlighted
            self._list()
            games.highlighted = highlighted

    def _chosen(self) -> Saved | None:
        highlighted = self.query_one("#games", OptionList).highlighted
        return self._games[highlighted] if self._games and highlighted is not None else None

    def on_input_changed(self) -> None:
        """Apply the filter."""
        self._list()

    def on_input_submitted(self) -> None:
        """Go from the filter to the games that it has found."""
        self.query_one("#games").focus()

    def action_filter(self) -> None:
        """Go to the filter."""
        self.query_one("#filter").focus()

    def action_back(self) -> None:
        """Go from the filter to the list, and from there to the menu."""
        if self.query_one("#filter").has_focus:
            self.query_one("#games").focus()
        else:
            self.answer(None)

    def action_export(self) -> None:
        """Copy the record to the folder where the program was started."""
        if (saved := self._chosen()) is None:
            return
        try:
            copy = export(saved, Path.cwd())
        except OSError as error:
            self.notify(error_sentence(error), severity="error", markup=False)
        else:
            self.notify(phrase("saved.exported", file=copy), markup=False)

    def on_option_list_option_selected(self) -> None:
        """Enter, or a click."""
        self.action_open()

    def action_open(self) -> None:
        """Continue an unfinished game; replay a finished one."""
        if saved := self._chosen():
            self.answer(("replay" if saved.finished else "play", saved.file))

    def action_replay(self) -> None:
        """Watch a game from the start."""
        if saved := self._chosen():
            self.answer(("replay", saved.file))

    def action_forget(self) -> None:
        """Delete a game, after asking."""
        saved = self._chosen()
        if saved is None:
            return

        def answered(sure: bool | None) -> None:
            if sure:
                self._delete(saved.file)

        answers = ((phrase("saved.keep"), False), (phrase("saved.delete"), True))
        question = ChoiceDialog(phrase("saved.really"), answers, [saved.file.name], escape=False)
        self.app.push_screen(question, answered)

    def _delete(self, file: Path) -> None:
        try:
            held = lock(file)  # so nobody is playing it
            try:
                file.unlink(missing_ok=True)
            finally:
                held.release()
        except (DeadwoodError, OSError) as error:
            self.notify(error_sentence(error), severity="error", markup=False)
        self._list()


def _lines(saved: Saved, width: int) -> Text:
    """A game, wrapped so that nothing is below the day in its column."""
    text = Text("\n".join(_wrapped(heading(saved), width)))
    about = details(saved)
    return text.append("\n" + "\n".join(_wrapped(f"{'':{INDENT}}{about}", width)), "dim") if about else text


def _wrapped(text: str, width: int) -> list[str]:
    return wrap(clean(text), max(width, 2 * INDENT), subsequent_indent=" " * INDENT)
