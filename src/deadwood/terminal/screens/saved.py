"""Saved games and replays."""

from pathlib import Path

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from ...engine.refusal import DeadwoodError
from ..saved_games import Saved, lock, saved_games
from ..sentences import error_sentence
from ..wording import phrase
from .base import Answering, is_on_top
from .dialogs import ChoiceDialog


class SavedScreen(Answering[tuple[str, Path]]):
    """Lists saved games; answers with `play` or `replay` and a file."""

    BINDINGS = [
        Binding("r", "replay", "keys.replay"),
        Binding("delete,backspace", "forget", "keys.delete"),
        Binding("escape,q", "back", "keys.back"),
    ]

    def compose(self) -> ComposeResult:
        yield OptionList(id="games", classes="panel")
        yield Static(phrase("saved.none"), id="empty")
        yield Footer(show_command_palette=False)

    _games: list[Saved]

    def on_mount(self) -> None:
        if is_on_top(self):  # it may be closed before it was ever shown
            self._list()

    def _list(self) -> None:
        self._games = saved_games()
        games = self.query_one("#games", OptionList)
        games.border_title = phrase("saved.heading")
        games.clear_options()
        games.add_options(Option(_line(saved)) for saved in self._games)
        games.display = bool(self._games)
        self.query_one("#empty").display = not self._games
        if self._games:
            games.highlighted = 0
            games.focus()

    def _chosen(self) -> Saved | None:
        highlighted = self.query_one("#games", OptionList).highlighted
        return self._games[highlighted] if self._games and highlighted is not None else None

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


def _line(saved: Saved) -> Text:
    state = phrase("saved.finished" if saved.finished else "saved.to_continue")
    players = ", ".join(saved.players) or phrase("saved.not_a_record", file=saved.file.name)
    return Text(f"{saved.when:%Y-%m-%d %H:%M}  {state:15}  {players}", no_wrap=True, overflow="ellipsis")
