"""The rules, to read and to search."""

from textual.app import ComposeResult
from textual.binding import Binding
from textual.widgets import Input, MarkdownViewer
from textual.widgets.markdown import MarkdownBlock

from ...narration import rules_text
from ..key_line import KeyLine
from ..wording import language, phrase
from .base import Answering


class RulesScreen(Answering[None]):
    """The rules; `/` searches, `n` goes to the next match."""

    BINDINGS = [
        Binding("escape,q", "back", "keys.back"),
        Binding("slash", "search", "keys.search"),
        Binding("n", "next", "keys.next"),
        Binding("t", "contents", "keys.contents"),
    ]

    _found: MarkdownBlock | None = None

    def compose(self) -> ComposeResult:
        yield Input(placeholder=phrase("rules.search"), id="search")
        yield MarkdownViewer(phrase("dialogs.one_moment"), show_table_of_contents=False, open_links=False)
        yield KeyLine()

    def on_mount(self) -> None:
        """Show something at once: laying out the whole text takes a moment."""
        self.query_one("#search").display = False
        self.query_one(MarkdownViewer).document.focus()
        self.call_after_refresh(self._fill)

    async def _fill(self) -> None:
        await self.query_one(MarkdownViewer).document.update(rules_text(language()))

    def action_contents(self) -> None:
        """Show or hide the headings."""
        viewer = self.query_one(MarkdownViewer)
        viewer.show_table_of_contents = not viewer.show_table_of_contents

    def action_search(self) -> None:
        """Ask what to search for."""
        self.query_one("#search").display = True
        self.query_one("#search").focus()

    def action_back(self) -> None:
        """Close the search, or the rules."""
        search = self.query_one("#search")
        if search.has_focus:
            search.display = False
            self.query_one(MarkdownViewer).focus()
        else:
            self.answer(None)

    def on_input_submitted(self) -> None:
        """Enter goes to the first match, and from there to the next."""
        self.action_next()

    def action_next(self) -> None:
        """Go to the next paragraph that matches; after the last one, to the first."""
        typed = self.query_one("#search", Input).value.strip()
        places = self._places(typed.casefold()) if typed else []
        if not places:
            if typed:
                self.notify(phrase("rules.not_found", text=typed), markup=False)
            return
        if self._found is not None:
            self._found.remove_class("found")
        following = places.index(self._found) + 1 if self._found in places else 0
        self._found = places[following % len(places)]
        self._found.add_class("found")
        self._found.scroll_visible(animate=False, top=True)

    def _places(self, wanted: str) -> list[MarkdownBlock]:
        """The smallest blocks that have the text."""
        blocks = [
            block
            for block in self.query_one(MarkdownViewer).document.query(MarkdownBlock)
            if wanted in (block.source or "").casefold()
        ]
        around = {parent for block in blocks for parent in block.ancestors}
        return [block for block in blocks if block not in around]
