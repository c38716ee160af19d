"""Options, house rules and files of a served table: a list of all, then the values of one."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from textual.screen import Screen

from ...client import FileKind, ServedTable
from ...engine.loading import read_text
from ..sentences import clean
from ..table_settings import Setting, choose, settings_of
from ..wording import phrase
from .asking import LineDialog, ListDialog


class TableOptions:
    """Shows what is chosen at a table; the host may change it."""

    def __init__(self, screen: Screen[Any], table: ServedTable) -> None:
        self._app = screen.app
        self._table = table

    async def show(self) -> None:
        """Show the list until somebody closes it; raises what the server refuses."""
        place: int | None = 0
        while self._table.view.status == "waiting":
            settings = settings_of(self._table.view, await self._table.offers())
            files = [*self._files()] if self._table.hosts else []
            things = [f"{one.label}: {one.present}" for one in settings] + [label for label, _, _ in files]
            dialog = ListDialog(phrase("hosting.heading"), [*map(clean, things)], chosen=place or 0)
            place = await self._app.push_screen_wait(dialog)
            if place is None:
                return
            if place < len(settings):
                await self._change(settings[place])
            else:
                _, kind, brings = files[place - len(settings)]
                await self._bring(kind, brings)

    def _files(self) -> Iterator[tuple[str, FileKind, bool]]:
        """What can be done with files: a label, a kind, and whether we bring one."""
        view = self._table.view
        yield phrase("hosting.own_deck"), "deck", True
        if view.deck.key is not None:
            yield phrase("hosting.no_own_deck"), "deck", False
        yield phrase("hosting.own_board"), "board", True
        if view.board.key is not None:
            yield phrase("hosting.no_own_board"), "board", False

    async def _change(self, setting: Setting) -> None:
        """Ask for another value; people other than the host only read what it means."""
        hosts = self._table.hosts
        values = [*setting.values] if hosts else []
        labels = [label for _, label in values] + [phrase("hosting.spell")] * bool(hosts and setting.examples)
        lines = [setting.explanation, *([] if hosts else [setting.present, phrase("hosting.only_host")])]
        present = next((place for place, label in enumerate(labels) if label == setting.present), 0)
        dialog = ListDialog(setting.label, [*map(clean, labels)], [*map(clean, lines)], present)
        place = await self._app.push_screen_wait(dialog)
        if place is None:
            return
        if place < len(values):
            await choose(self._table, setting, values[place][0])
        elif spelled := await self._spelled(setting):
            await choose(self._table, setting, spelled)

    async def _spelled(self, setting: Setting) -> str | None:
        heading = phrase("hosting.spell_heading", setting=setting.label, examples=setting.examples)
        return await self._app.push_screen_wait(LineDialog(heading))

    async def _bring(self, kind: FileKind, brings: bool) -> None:
        text = None
        if brings:
            name = await self._app.push_screen_wait(LineDialog(phrase("hosting.file_heading")))
            if name is None:
                return
            text = read_text(Path(os.path.expanduser(name)))
        await self._table.use_file(kind, text)
