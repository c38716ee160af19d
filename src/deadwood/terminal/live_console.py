"""A console that shows what others do while somebody types, for tables on a server."""

import asyncio
import os
import sys
import threading
from collections.abc import Callable, Iterable

from .console import Console, Stopped

Echo = Callable[[str, bool], None]  # a text, and whether a new line follows
_MOST_WAITING = 100  # lines that were typed but not read yet
LONGEST = 10_000  # characters of a line


class WaitingLines:
    """Lines that were typed but not read yet; None is the end of the input."""

    def __init__(self) -> None:
        self._lines: asyncio.Queue[str | None] = asyncio.Queue(_MOST_WAITING)
        self._ended = False

    async def next(self) -> str | None:
        """The next line."""
        if self._ended:
            return None
        line = await self._lines.get()
        self._ended = line is None
        return line


class TypedLines(WaitingLines):
    """Lines from the keyboard or a pipe, read by a separate thread.

    The thread reads the descriptor itself: one that waits in `sys.stdin` could not be abandoned at exit.
    """

    def __init__(self, descriptor: int | None = None) -> None:
        super().__init__()
        self._descriptor = _standard_input() if descriptor is None else descriptor
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, name="keyboard", daemon=True).start()

    def _read(self) -> None:
        rest = b""
        try:
            while data := os.read(self._descriptor, 4096):
                *lines, rest = (rest + data).split(b"\n")
                rest = rest[-LONGEST:]
                for line in lines:
                    self._hand_over(line)
            if rest:
                self._hand_over(rest)
        except OSError:
            pass  # the terminal is gone
        except RuntimeError:
            return  # the loop is closed, and nobody reads any more
        self._put(None)

    def _hand_over(self, line: bytes) -> None:
        self._put(line[-LONGEST:].decode("utf-8", "replace").rstrip("\r"))

    def _put(self, line: str | None) -> None:
        if not self._loop.is_closed():
            asyncio.run_coroutine_threadsafe(self._lines.put(line), self._loop).result()


def _standard_input() -> int:
    try:
        return sys.stdin.fileno()
    except (AttributeError, OSError, ValueError):  # the program was started without one
        return os.open(os.devnull, os.O_RDONLY)


class LiveConsole(Console):
    """A prompt that is shown again after somebody else's lines."""

    def __init__(self, echo: Echo, lines: WaitingLines, offered: list[str] | None = None) -> None:
        """`offered` gets the lines that may be completed."""
        super().__init__(_nothing, self._line, offered)
        self._echo = echo
        self._lines = lines
        self._prompted = False
        self._typing: asyncio.Task[str | None] | None = None

    def _line(self, text: str) -> None:
        if self._prompted:
            self._echo("", True)
            self._prompted = False
        self._echo(text, True)

    def offer(self, lines: Iterable[str]) -> None:
        """Let these lines be completed from now on."""
        self._offered[:] = lines

    def prompt(self, text: str) -> None:
        """Show a prompt, unless it is there already."""
        if text and not self._prompted:
            self._echo(self.paint(text), False)
            self._prompted = True

    async def typed(self, news: asyncio.Event) -> str | None:
        """The next line, or None if there is news first; raises Stopped at the end of the input."""
        typing = self._typing = self._typing or asyncio.create_task(self._lines.next())
        waking = asyncio.create_task(news.wait())
        try:
            await asyncio.wait({typing, waking}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            waking.cancel()
        if not typing.done():
            return None
        self._typing, self._prompted = None, False
        line = typing.result()
        if line is None:
            raise Stopped
        return line.strip()

    def close(self) -> None:
        """Stop listening to the keyboard."""
        if self._typing is not None:
            self._typing.cancel()


def _nothing(_prompt: str) -> str:
    raise EOFError  # here, questions are asked with `typed`
