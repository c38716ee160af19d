"""The program at a pseudo-terminal, and what somebody sees there."""

import codecs
import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios

from ..server.people import PATIENCE
from .hanging_up import hanging_up

COMMAND = [sys.executable, "-m", "deadwood"]
COOKED = termios.ECHO | termios.ICANON | termios.ISIG
_WRITTEN = re.compile(r"\x1b\[([0-9;? ]*)([A-Za-z])|([\n\b]|[^\x1b\n\b]+)|\x1b")


class Terminal:
    """A program at a pseudo-terminal."""

    def __init__(self, *words, term):
        self.master, slave = pty.openpty()
        environment = {**os.environ, "TERM": term}
        with hanging_up():
            self.process = subprocess.Popen(
                [*COMMAND, *map(str, words)], stdin=slave, stdout=slave, stderr=slave, env=environment
            )
        os.close(slave)
        self.screen = ""
        self._read = 0
        self._decoder = codecs.getincrementaldecoder("utf-8")()  # what is read may end within a character

    def until(self, wanted):
        """Read until a text appears after what was found before; returns everything up to its end."""
        while (found := re.search(wanted, self.screen[self._read :])) is None:
            self._read_on(wanted)
        shown = self.screen[self._read : self._read + found.end()]
        self._read += found.end()
        return shown

    def until_row(self, wanted):
        """Read until the last row of the screen is this one."""
        while rows(self.screen)[-1] != wanted:
            self._read_on(wanted)
        self._read = len(self.screen)

    def _read_on(self, wanted):
        ready, _, _ = select.select([self.master], [], [], PATIENCE)
        try:
            data = os.read(self.master, 65536) if ready else b""
        except OSError:
            data = b""
        assert data, f"{wanted!r} never came:\n{self.screen}"
        self.screen += self._decode(data)

    def _decode(self, data):
        return self._decoder.decode(data).replace("\r", "")

    def press(self, *keys):
        os.write(self.master, "".join(keys).encode())

    def type(self, text):
        self.press(text, "\n")

    def stop(self, ending):
        """Stop the program by a key or by a signal."""
        if isinstance(ending, signal.Signals):
            self.process.send_signal(ending)
        else:
            self.press(ending)

    @property
    def modes(self):
        """How the terminal treats keys."""
        return termios.tcgetattr(self.master)[3]

    def close(self):
        """Read everything, and return the exit code."""
        try:
            while data := os.read(self.master, 65536):
                self.screen += self._decode(data)
        except OSError:
            pass
        os.close(self.master)
        assert "Traceback" not in self.screen, self.screen
        return self.process.wait()


def rows(written):
    """What a terminal shows in the end, row by row; it understands the controls that line editors use."""
    shown, row, column = [""], 0, 0
    for parameters, control, text in _WRITTEN.findall(written):
        count = int(parameters) if parameters.isdigit() else 1
        match text or control:
            case "\n":
                row, column = row + 1, 0
                shown += [""] * (row == len(shown))
            case "\b":
                column -= 1
            case _ if text:
                shown[row] = shown[row].ljust(column)[:column] + text + shown[row][column + len(text) :]
                column += len(text)
            case "A":
                row -= count
            case "C":
                column += count
            case "D":
                column -= count
            case "J":
                shown[row:] = [shown[row][:column]]
            case "K":
                shown[row] = shown[row][:column]
    return [line.rstrip() for line in shown]
