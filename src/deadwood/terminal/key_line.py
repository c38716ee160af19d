"""The last line of a screen: what the keys do."""

from typing import Any

from textual import events
from textual.binding import Binding
from textual.content import Content
from textual.screen import Screen
from textual.style import Style
from textual.widgets import Static


class KeyLine(Static):
    """The keys that do something here; a click on one presses it.

    Textual's footer has a widget for every key, and creates all of them anew when any of them changes. That took a
    third of the processor time of a table.
    """

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._show)

    def _show(self, screen: Screen[Any]) -> None:
        if not self.is_attached or screen is not self.screen:
            return
        first_keys: dict[str, Binding] = {}
        for active in screen.active_bindings.values():
            if active.binding.show:
                first_keys.setdefault(active.binding.action, active.binding)
        self.update(Content("").join(map(self._described, first_keys.values())))

    def _described(self, binding: Binding) -> Content:
        key = (f" {self.app.get_key_display(binding)} ", "bold $footer-key-foreground")
        pressed = Style.from_meta({"key": binding.key})
        return Content.assemble(key, f"{binding.description} ").stylize(pressed)

    def on_click(self, event: events.Click) -> None:
        key = event.style.meta.get("key")
        if key is not None:
            self.app.simulate_key(key)
