"""The log of a game on screen."""

from collections import deque
from collections.abc import Sequence

from rich.text import Text
from textual import events
from textual.widgets import RichLog

LOGGED = 2_000  # lines


class Log(RichLog):
    """What happened. RichLog wraps each line only once; this one wraps all lines again when it is resized."""

    def __init__(self) -> None:
        super().__init__(id="log", classes="panel", wrap=True, min_width=20, max_lines=LOGGED)
        self._logged: deque[Text] = deque(maxlen=LOGGED)
        self._width = 0

    def tell(self, lines: Sequence[Text]) -> None:
        """Add lines and show the last one."""
        self._logged.extend(lines)
        self._write_all(lines)

    def forget(self) -> None:
        """Clear the log."""
        self._logged.clear()
        self.clear()

    def _write_all(self, lines: Sequence[Text]) -> None:
        for line in lines:
            self.write(line)
        self.scroll_end(animate=False, immediate=True)

    def on_resize(self, event: events.Resize) -> None:
        width, self._width = self._width, event.size.width
        if width == 0:  # RichLog writes earlier lines only now
            self.call_after_refresh(self.scroll_end, animate=False, immediate=True)
        elif width != event.size.width:
            self.clear()
            self._write_all(tuple(self._logged))
