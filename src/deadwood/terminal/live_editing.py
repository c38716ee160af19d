"""Line editing at served tables: what others say appears above the line that somebody types."""

import asyncio
import signal
from collections.abc import Callable, Sequence
from itertools import takewhile

from prompt_toolkit import PromptSession
from prompt_toolkit.formatted_text import ANSI
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

from ..interruption import terminated_as_by_ctrl_c
from .editing import completions, terminal_output
from .live_console import LONGEST, Echo, LiveConsole, WaitingLines
from .sentences import clean


class EditedLines(WaitingLines):
    """Lines that somebody edits while others speak.

    A separate task shows one prompt after another, whatever happens at the table, and the terminal always stays in raw
    mode, so that every key reaches an editor. `patch_stdout` of prompt_toolkit leaves raw mode to write above a line:
    keys that are pressed at that moment are echoed into the output, and Ctrl+D does nothing.
    """

    def __init__(self, offered: Sequence[str]) -> None:
        """`offered` is read again whenever somebody completes a line."""
        super().__init__()
        self._offered = offered
        self._prompt = ""
        self._drawn = ""  # the prompt that is on the screen
        keys = KeyBindings()
        keys.add("tab")(self._complete)
        self._session: PromptSession[str] = PromptSession(key_bindings=keys, output=terminal_output())
        self._editor = self._session.app
        self._editor.after_render.add_handler(self._remember_drawn)
        self._reading = asyncio.create_task(self._read())

    def show(self, prompt: str) -> None:
        """Change the prompt, even while somebody is typing."""
        if prompt != self._prompt:
            self._prompt = prompt
            self._editor.invalidate()

    def above(self, write: Callable[[], None]) -> None:
        """Write something above the line that somebody is typing."""
        if self._editor.is_running:
            self._make_room()
        write()

    def close(self) -> None:
        """Restore the terminal, and drop the unfinished line."""
        self._editor.erase_when_done = True
        self._reading.cancel()

    def _make_room(self) -> None:
        if self._session.default_buffer.text or self._editor.layout.is_searching:
            self._editor.renderer.erase()
            self._editor.invalidate()  # the line is drawn again after what is written now
            return
        if self._drawn:  # screen readers follow the cursor: without typed text it goes on to a new line
            self._editor.output.write_raw("\r\n")
        self._editor.renderer.reset()
        self._prompt = self._drawn = ""

    def _remember_drawn(self, _editor: object) -> None:
        self._drawn = self._prompt

    async def _read(self) -> None:
        try:
            with self._session.input.raw_mode(), terminated_as_by_ctrl_c():
                while True:
                    await self._hand_over(await self._edited())
        except (EOFError, OSError):
            pass  # Ctrl+D, or the terminal is gone
        except KeyboardInterrupt:
            signal.raise_signal(signal.SIGINT)  # as a terminal without an editor does
        await self._lines.put(None)

    async def _edited(self) -> str:
        # The editor must not handle errors from elsewhere: it would show a traceback and wait for a key.
        return await self._session.prompt_async(lambda: ANSI(self._prompt), set_exception_handler=False)

    async def _hand_over(self, text: str) -> None:
        self._prompt = self._drawn = ""
        for line in text.split("\n"):  # several if they were pasted
            await self._lines.put(line[-LONGEST:])

    def _complete(self, event: KeyPressEvent) -> None:
        """Complete the line as far as it is unambiguous, or list what it may become."""
        line = event.current_buffer
        typed = line.document.text_before_cursor.lstrip()
        found = completions(typed, self._offered)
        certain = _shared_start(found)
        if len(certain) > len(typed):
            line.delete_before_cursor(len(typed))
            line.insert_text(certain)
        elif len(found) > 1:
            self._list(found)

    def _list(self, found: Sequence[str]) -> None:
        prompt = self._prompt
        self.above(lambda: print(*found, sep=", ", flush=True))
        self.show(prompt)


def _shared_start(texts: Sequence[str]) -> str:
    """The longest start that all texts share."""
    columns = takewhile(lambda letters: len(set(letters)) == 1, zip(*texts, strict=False))
    return "".join(letters[0] for letters in columns)


class EditedConsole(LiveConsole):
    """A console whose prompt stays below what others say."""

    def __init__(self, echo: Echo) -> None:
        offered: list[str] = []
        self._edited = EditedLines(offered)
        super().__init__(echo, self._edited, offered)

    def _line(self, text: str) -> None:
        self._edited.above(lambda: self._echo(text, True))

    def prompt(self, text: str) -> None:
        """Show a prompt; an empty one while others decide."""
        self._edited.show(self.paint(clean(text)))

    def close(self) -> None:
        """Stop listening to the keyboard."""
        super().close()
        self._edited.close()
